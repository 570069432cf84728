import type { TSchema } from "typebox";
import Format from "typebox/format";
import { limits } from "../../base/limits.ts";
import { isTypedPhone } from "../../base/phone-numbers.ts";
import {
  boolean,
  computed,
  defaulted,
  describe,
  formatted,
  list,
  object,
  optional,
  text,
} from "./attributes.ts";
import { named } from "./names.ts";

Format.Set("phone", isTypedPhone);

/** Accepted as people type it, and kept in E.164: a plus sign, the country code and the number, without separators. */
export const phoneNumber = () =>
  text({
    title: "PhoneNumber",
    maxLength: limits.phoneLengthMax,
    format: "phone",
    ...formatted("phone"),
  });

const display = () =>
  text({
    maxLength: limits.phoneLengthMax,
    description: "the number in the international grouping of its country. Writes ignore it",
    examples: ["+55 11 98765 4321"],
  });

/** Beside the `number` or `phone` of an object, as `display` or `phone-display`. Answers have it if there is a number. */
export const phoneDisplay = () => {
  const { schema, ...attribute } = defaulted(display());
  return { ...attribute, schema: { ...schema, readOnly: true } };
};

/** Beside an attribute `phone`. */
export const phoneDisplayOf = (column: string) =>
  describe(computed(optional({ ...display(), storage: "phone" }), column), {
    description: "`phone` in the international grouping of its country.",
  });

export const phones = () =>
  describe(
    list(
      object({
        "number": phoneNumber(),
        "display": phoneDisplay(),
        "label": optional(named(40)),
        "is-primary": optional(boolean()),
        "is-whatsapp": optional(boolean()),
      }),
      { maxItems: 10 },
    ),
    {
      description:
        "Telephone numbers as people type them, or in E.164. Numbers without a country code belong to `country` of the account's settings. Answers have E.164.",
    },
  );

interface Kind {
  anyOf?: readonly TSchema[];
  format?: string;
  items?: TSchema;
  properties?: Readonly<Record<string, TSchema>>;
  readOnly?: true;
}

/** The schema of a nullable value without null. */
const kindOf = (schema: TSchema): Kind => {
  const kind = schema as Kind;
  return kind.anyOf?.[0] ? kindOf(kind.anyOf[0]) : kind;
};

const holders = new WeakMap<TSchema, boolean>();

/** Whether values of the schema contain telephone numbers. */
export function holdsPhones(schema: TSchema): boolean {
  const known = holders.get(schema);
  if (known !== undefined) return known;
  const { format, items, properties = {} } = kindOf(schema);
  const parts = [...(items ? [items] : []), ...Object.values(properties)];
  const holds = format === "phone" || parts.some(holdsPhones);
  holders.set(schema, holds);
  return holds;
}

interface PhoneChange {
  number?: (number: string, pointer: string) => string;
  /** Writes the display beside each number. Without it, displays are left out. */
  display?: (number: string) => string;
}

/** Copies a value with changed telephone numbers. Values that do not fit the schema stay as they are. */
export function mapPhones(
  schema: TSchema,
  value: unknown,
  change: PhoneChange,
  pointer = "",
): unknown {
  if (!holdsPhones(schema)) return value;
  const { format, items, properties } = kindOf(schema);
  if (format === "phone")
    return typeof value === "string" ? (change.number?.(value, pointer) ?? value) : value;
  if (items && Array.isArray(value))
    return value.map((one, position) => mapPhones(items, one, change, `${pointer}/${position}`));
  if (!properties || typeof value !== "object" || value === null) return value;
  const members = new Map<string, unknown>();
  for (const [name, given] of Object.entries(value)) {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (of && kindOf(of).readOnly) continue;
    const changed = of ? mapPhones(of, given, change, `${pointer}/${name}`) : given;
    members.set(name, changed);
    const display = name === "number" ? "display" : `${name}-display`;
    if (change.display && typeof changed === "string" && Object.hasOwn(properties, display))
      members.set(display, change.display(changed));
  }
  return Object.fromEntries(members);
}
