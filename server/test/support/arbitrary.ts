import fc from "fast-check";
import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";

/** The part of JSON Schema that definitions use. */
interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  readOnly?: boolean;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  required?: string[];
}

/** Only values that the schema accepts. */
export function valuesOf(schema: TSchema): fc.Arbitrary<unknown> {
  const validator = Compile(schema);
  return fromSchema(schema as Schema).filter((value) => validator.Check(value));
}

function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fromSchema));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
    case "number":
      return fc
        .double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
        .map((value) => (Object.is(value, -0) ? 0 : value));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const maxLength = Math.min(schema.maxItems ?? 3, 3);
      const items = fromSchema(schema.items ?? {});
      return schema.uniqueItems
        ? fc.uniqueArray(items, { maxLength })
        : fc.array(items, { maxLength });
    }
    case "object":
      return objectOf(schema);
    default:
      return fc.oneof(fc.boolean(), fc.integer(), storable(20));
  }
}

function objectOf({
  additionalProperties,
  properties = {},
  propertyNames,
  required = [],
}: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties)
      .filter(([, one]) => !one.readOnly)
      .map(([name, one]) => [name, fromSchema(one)]),
  );
  const named = fc.record(members, { requiredKeys: required, noNullPrototype: true });
  if (!propertyNames || typeof additionalProperties !== "object") return named;
  const keys = textOf(propertyNames).filter((name) => name.length < 60);
  return fc.dictionary(keys, fromSchema(additionalProperties), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

function textOf({ format, maxLength = 200, minLength = 0, pattern }: Schema): fc.Arbitrary<string> {
  if (format === "date") return day.map((at) => at.slice(0, 10));
  if (format === "date-time") return day;
  if (format === "uuid") return fc.uuid();
  const known = codes.find(([kind]) => kind === format);
  if (known) return fc.constantFrom(...known[1]);
  // The filter in `valuesOf` removes texts that do not match `\S`.
  if (pattern === undefined || pattern === "\\S")
    return storable(maxLength).filter((text) => text.length >= minLength);
  return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 60) });
}

/** Examples of codes and numbers that other organizations assign. */
const codes = [
  ["country-code", ["BR", "DE", "XK"]],
  ["currency-code", ["BRL", "EUR", "JPY"]],
  ["phone", ["+351912345678", "+5511987654321", "+447911123456"]],
  ["time-zone", ["Asia/Manila", "UTC"]],
] as const;

const day = fc
  .date({
    min: new Date("1000-01-01T00:00:00Z"),
    max: new Date("2999-12-31T23:59:59Z"),
    noInvalidDate: true,
  })
  .map((at) => at.toISOString());

const usual = `a Z 9 é % _ \\ ' " ; $1 { } < > \n \t \u2028`.split(" ").concat(" ", "\u0060");

/** There is one, because fast-check lists all characters for each. */
const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });

/** Any text that PostgreSQL can store, which excludes NUL and unpaired surrogates. */
export const storable = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({
      unit: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...usual) },
        { weight: 1, arbitrary: character },
      ),
      maxLength: Math.min(maxLength, 40),
    })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
