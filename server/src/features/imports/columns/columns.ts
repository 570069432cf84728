import type { TSchema } from "typebox";
import { escapePointer, problem } from "../../../base/errors.ts";
import { folded } from "../../../base/folded.ts";
import { type CustomFields, schemaOfField } from "../../../jsonapi/definition/custom-fields.ts";
import type {
  Finding,
  Importer,
  ImportRow,
  Matches,
} from "../../../jsonapi/definition/importer.ts";
import { type Catalogue } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { type Conversion, convert, DayOfYear, NotConverted } from "./convert.ts";

/** The place in a document that a column sets. */
export interface Target {
  attribute: string;
  /** A member of the attribute, or of the entry that the column adds to a list. */
  member?: string;
  isEntry?: true;
  /** The value of the attribute or member when the cell is blank and blanks overwrite. Undefined if it cannot be removed. */
  blank: unknown;
  schema: TSchema;
  /** Takes a date without its year. */
  dayOfYear?: Target | undefined;
}

/** A mapped column. */
export interface Column {
  name: string;
  /** The position in the rows of the file. */
  at: number;
  target: Target;
  /** The values that texts of the column stand for, by the folded texts. */
  meanings: ReadonlyMap<string, string>;
}

/** The values that the texts of a column stand for, by the folded texts. Case and accents make no difference. */
export const meaningsOf = (
  mapping: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> =>
  new Map(Object.entries(mapping).map(([text, value]) => [folded(text.trim()), value.trim()]));

interface ObjectSchema {
  anyOf?: TSchema[];
  type?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  additionalProperties?: TSchema | boolean;
}

const plain = (schema: TSchema): ObjectSchema & TSchema => {
  const { anyOf } = schema as ObjectSchema;
  return (anyOf?.[0] ?? schema) as ObjectSchema & TSchema;
};

/** Finds the target that a mapping names. Undefined if an import cannot set it. */
export function targetNamed(
  name: string,
  importer: Importer,
  catalogue: Catalogue,
  customFields: CustomFields | undefined,
): Target | undefined {
  const { peopleImporter } = catalogue.published;
  if (importer.matches === "people" && namesPerson(peopleImporter.matches, name))
    return targetNamed(name, peopleImporter, catalogue, undefined);
  const resource = definitionOf(catalogue, importer.type);
  const further = [importer, ...importer.linkers(catalogue.published)]
    .map(({ columns }) => (Object.hasOwn(columns, name) ? columns[name] : undefined))
    .find((column) => column !== undefined);
  if (further) return { attribute: name, blank: undefined, schema: plain(further.schema) };
  const [attribute = "", ...rest] = name.split(".");
  const member = rest.length > 0 ? rest.join(".") : undefined;
  const entries = Object.hasOwn(importer.lists, name) ? importer.lists[name] : undefined;
  if (entries) {
    const items = plain(resource.attributes[entries.attribute]?.schema ?? {}).items ?? {};
    const schema = entries.member === undefined ? items : plain(items).properties?.[entries.member];
    return { ...entries, isEntry: true, blank: [], schema: schema ?? {} };
  }
  if (resource.customProperties && attribute === "custom-properties") {
    const field = customFields?.fields.get(member ?? "");
    // A cell has no ids of people.
    if (member === undefined || !field || field.archived || field.type === "person")
      return undefined;
    return {
      attribute,
      member,
      blank: field.required ? undefined : null,
      schema: schemaOfField(field),
    };
  }
  const found = Object.hasOwn(resource.attributes, attribute)
    ? resource.attributes[attribute]
    : undefined;
  if (!found || found.mode === "read-only" || importer.excluded.includes(attribute))
    return undefined;
  const schema = plain(found.schema);
  if (member === undefined) {
    if (schema.type === "object" || schema.type === "array") return undefined;
    const day = importer.daysOfYear[attribute];
    return {
      attribute,
      blank: found.nullable ? null : undefined,
      schema,
      ...(day !== undefined && {
        dayOfYear: targetNamed(day, importer, catalogue, customFields),
      }),
    };
  }
  if (schema.type !== "object") return undefined;
  const { additionalProperties, properties = {} } = schema;
  const inner = Object.hasOwn(properties, member) ? properties[member] : additionalProperties;
  if (typeof inner !== "object") return undefined;
  return {
    attribute,
    member,
    blank: Object.hasOwn(properties, member) ? null : undefined,
    schema: inner,
  };
}

const namesPerson = (matches: Matches, name: string): boolean =>
  Object.values(matches)
    .flat()
    .some((target) => isTarget(name, target));

/** Whether a mapping's target is this one. A target that ends in a dot means all members of the attribute. */
export const isTarget = (name: string, target: string): boolean =>
  target.endsWith(".") ? name.startsWith(target) : name === target;

export interface ReadRow extends ImportRow {
  problems: readonly Finding[];
  /** The column that set each place of the document. */
  columns: ReadonlyMap<string, string>;
}

type Values = Record<string, unknown>;

export interface Reading extends Conversion {
  blankOverwrites: boolean;
  /** Folded texts that mean an empty cell. */
  blanks: ReadonlySet<string>;
}

/** Puts the cells of a row into the form of a document. */
export function readCells(
  row: number,
  cells: readonly string[],
  columns: readonly Column[],
  { blankOverwrites, blanks, ...conversion }: Reading,
): ReadRow {
  const values: Values = {};
  const cleared: Values = {};
  const places = new Map<string, string>();
  const problems: Finding[] = [];
  for (const { at, meanings, name, target } of columns) {
    const given = (cells[at] ?? "").trim();
    const meaning = meanings.get(folded(given));
    const cell = meaning ?? (blanks.has(folded(given)) ? "" : given);
    if (cell === "") {
      if (blankOverwrites && target.blank !== undefined) put(cleared, target, target.blank);
      continue;
    }
    const pointer = pointerOf(values, target);
    // The first column that is not blank counts if several have the same target.
    if (places.has(pointer)) continue;
    places.set(pointer, name);
    const text = cell.replaceAll("\0", "");
    if (text !== cell)
      problems.push(problem("invalid-text", { rule: "format", format: "text" }, { pointer }));
    const value = convert(target.schema, meaningOf(text, target, meanings), conversion);
    const { dayOfYear } = target;
    if (value instanceof NotConverted)
      problems.push({ code: value.code, detail: value.detail, source: { pointer } });
    else if (!(value instanceof DayOfYear)) put(values, target, value);
    else if (dayOfYear) {
      places.set(pointerOf(values, dayOfYear), name);
      put(values, dayOfYear, value.day);
    } else {
      const detail = `Must be a date as ${conversion.dateFormat}, with its year.`;
      problems.push({ code: "invalid-attribute", detail, source: { pointer } });
    }
  }
  return { row, values, cleared: without(cleared, values), problems, columns: places };
}

/** Each of several values in a cell can have a meaning. */
const meaningOf = (text: string, { schema }: Target, meanings: Column["meanings"]): string =>
  meanings.size > 0 && plain(schema).type === "array"
    ? text
        .split(";")
        .map((part) => meanings.get(folded(part.trim())) ?? part)
        .join(";")
    : text;

function pointerOf(values: Values, { attribute, isEntry, member }: Target): string {
  const start = `/data/attributes/${escapePointer(attribute)}`;
  if (isEntry) return `${start}/${((values[attribute] ?? []) as unknown[]).length}`;
  return member === undefined ? start : `${start}/${escapePointer(member)}`;
}

function put(values: Values, { attribute, isEntry, member }: Target, value: unknown): void {
  if (isEntry) {
    const entries = (values[attribute] ??= []) as unknown[];
    // An empty list is the blank of a whole list.
    if (!Array.isArray(value)) entries.push(member === undefined ? value : { [member]: value });
  } else if (member === undefined) values[attribute] = value;
  else values[attribute] = { ...(values[attribute] as Values | undefined), [member]: value };
}

/** A list that another column fills is not cleared. The members of an object are merged. */
function without(cleared: Values, values: Values): Values {
  const kept = Object.entries(cleared).filter(
    ([name, value]) => !Array.isArray(value) || values[name] === undefined,
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, ...(values[name] as Values | undefined) }
        : value,
    ]),
  );
}

export interface RowError {
  column: string | null;
  code: string;
  detail: string;
  /** The text of the cell. */
  value: string | null;
}

/** The errors or warnings of a row. They name the column that the pointer leads to. */
export const errorsOf = (
  findings: readonly Finding[],
  columns: ReadonlyMap<string, string>,
  textOf: (column: string) => string | undefined,
): RowError[] =>
  findings.map(({ code, detail, source }) => {
    const pointer = source && "pointer" in source ? source.pointer : "";
    const [, found] =
      [...columns].find(
        ([place]) => `${pointer}/`.startsWith(`${place}/`) || place.startsWith(`${pointer}/`),
      ) ?? [];
    const column = pointer === "" ? undefined : found;
    const text = column === undefined ? undefined : textOf(column);
    return { column: column ?? null, code, detail, value: text?.slice(0, VALUE_LENGTH) ?? null };
  });

const VALUE_LENGTH = 200;

/** The texts of a row by its columns. PostgreSQL stores no NUL. */
export const textsIn =
  (headers: readonly string[], cells: readonly string[]) =>
  (column: string): string | undefined =>
    cells[headers.indexOf(column.trim())]?.trim().replaceAll("\0", "");
