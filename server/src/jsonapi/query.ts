import { ApiError, type Problem, problem } from "../errors.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";
import { type CustomField, type CustomFields, schemaOfField } from "./custom-fields.ts";
import { type Condition, type Filter, isTimestamp, likePattern, parseFilter } from "./filters.ts";
import { type Catalogue, type Resource, type Sort, targetOf } from "./resource.ts";

/** `include=teachers,lessons.created-by` as a tree. */
export interface IncludeTree {
  [relationship: string]: IncludeTree;
}

/** What shapes a document, whatever it is about. */
export interface Shape {
  include: IncludeTree | undefined;
  /** By type; a type that is not in it shows everything. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface SortKey {
  name: string;
  sort: Sort;
  descending: boolean;
}

export type Page =
  | { kind: "number"; number: number; size: number }
  | { kind: "after"; after: Cursor | undefined; size: number };

export interface Cursor {
  value: string;
  id: string;
}

export interface ListQuery extends Shape {
  conditions: readonly Condition[];
  sort: readonly SortKey[];
  page: Page;
  /** The parameters as they came, without the page: what the links to other pages carry on. */
  carried: readonly (readonly [string, string])[];
}

export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** Filters that every list has. */
const everywhere: Record<string, Filter> = {
  "id": { match: "id", column: "id" },
  "modified-since": { match: "since", column: "modified_at" },
  "modified-until": { match: "until", column: "modified_at" },
  "created-since": { match: "since", column: "created_at" },
};

export const filtersOf = (of: Resource): Record<string, Filter> => ({
  ...everywhere,
  ...of.filters,
});

/** What `sort` may name beyond the definition's own. */
export const sortsOf = (of: Resource): Record<string, Sort> => ({
  id: { column: "id" },
  ...of.sorts,
});

/** Every mistake in the query is found before the first is told. */
class Reader {
  readonly problems: Problem[] = [];
  readonly values = new Map<string, string>();

  constructor(raw: RawQuery) {
    for (const [name, value] of Object.entries(raw)) {
      if (value === undefined) continue;
      if (Array.isArray(value)) this.say(name, "stands more than once");
      else this.values.set(name, value);
    }
  }

  say(
    parameter: string,
    sentence: string,
    code: "invalid-parameter" | "unknown-parameter" = "invalid-parameter",
  ) {
    this.problems.push(problem(code, `${parameter} ${sentence}.`, { parameter }));
  }

  take(name: string): string | undefined {
    const value = this.values.get(name);
    this.values.delete(name);
    return value;
  }

  /** `filter[…]`, `fields[…]`: the word in the brackets, the whole name, the value. */
  takeFamily(family: string): [string, string, string][] {
    const taken: [string, string, string][] = [];
    for (const [name, value] of this.values)
      if (name.startsWith(`${family}[`) && name.endsWith("]")) {
        taken.push([name.slice(family.length + 1, -1), name, value]);
        this.values.delete(name);
      }
    return taken;
  }

  finish(): void {
    for (const name of this.values.keys())
      this.say(name, "is not understood here", "unknown-parameter");
    if (this.problems.length > 0) throw new ApiError(this.problems);
  }
}

export function parseShape(catalogue: Catalogue, of: Resource, raw: RawQuery): Shape {
  const reader = new Reader(raw);
  const shape = readShape(catalogue, of, reader);
  reader.finish();
  return shape;
}

export function parseListQuery(
  catalogue: Catalogue,
  of: Resource,
  raw: RawQuery,
  customFields: CustomFields | undefined,
): ListQuery {
  const reader = new Reader(raw);
  const carried = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const shape = readShape(catalogue, of, reader);
  const sort = readSort(of, reader);
  const query = {
    ...shape,
    conditions: readFilters(of, reader, customFields),
    sort,
    page: readPage(reader, sort),
    carried,
  };
  reader.finish();
  return query;
}

function readShape(catalogue: Catalogue, of: Resource, reader: Reader): Shape {
  const include = readInclude(catalogue, of, reader);
  const fields = new Map<string, ReadonlySet<string>>();
  for (const [type, parameter, value] of reader.takeFamily("fields")) {
    const target = catalogue.get(type);
    if (!target) {
      reader.say(parameter, "names a type that does not exist");
      continue;
    }
    const names = value.split(",").filter(Boolean);
    const unknown = names.find(
      (name) =>
        !Object.hasOwn(target.attributes, name) && !Object.hasOwn(target.relationships, name),
    );
    if (unknown !== undefined) reader.say(parameter, `names ${unknown}, which ${type} do not have`);
    fields.set(type, new Set(names));
  }
  return { include, fields };
}

function readInclude(catalogue: Catalogue, of: Resource, reader: Reader): IncludeTree | undefined {
  const value = reader.take("include");
  if (value === undefined) return undefined;
  const tree: IncludeTree = {};
  for (const path of value.split(",").filter(Boolean)) {
    const steps = path.split(".");
    if (steps.length > limits.includeDepthMax) {
      reader.say("include", `goes deeper than ${limits.includeDepthMax} relationships in ${path}`);
      continue;
    }
    let at = tree;
    let resource = of;
    for (const step of steps) {
      const relationship = Object.hasOwn(resource.relationships, step)
        ? resource.relationships[step]
        : undefined;
      if (!relationship) {
        reader.say("include", `names ${step}, which ${resource.type} are not related to`);
        break;
      }
      resource = targetOf(catalogue, relationship);
      at = at[step] ??= {};
    }
  }
  return tree;
}

function readSort(of: Resource, reader: Reader): SortKey[] {
  const value = reader.take("sort") ?? of.defaultSort;
  const sorts = sortsOf(of);
  const keys: SortKey[] = [];
  for (const word of value.split(",").filter(Boolean)) {
    const name = word.replace(/^-/, "");
    const sort = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
    if (!sort) reader.say("sort", `takes ${Object.keys(sorts).join(", ")}, not ${name}`);
    else if (keys.some((key) => key.name === name)) reader.say("sort", `names ${name} twice`);
    else keys.push({ name, sort, descending: word.startsWith("-") !== (sort.descending ?? false) });
  }
  return keys;
}

function readFilters(
  of: Resource,
  reader: Reader,
  customFields: CustomFields | undefined,
): Condition[] {
  const filters = filtersOf(of);
  const conditions: Condition[] = [];
  for (const [name, parameter, value] of reader.takeFamily("filter")) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (filter) {
      const condition = parseFilter(filter, value, of.table, parameter, reader.problems);
      if (condition) conditions.push(condition);
    } else if (of.customProperties && name.startsWith("custom-properties.")) {
      const field = customFields?.fields.get(name.slice("custom-properties.".length));
      if (!field || field.archived)
        reader.say(parameter, "names a field this church did not define");
      else
        conditions.push(
          ...customCondition(
            of,
            name.slice("custom-properties.".length),
            field,
            value,
            parameter,
            reader,
          ),
        );
    } else reader.say(parameter, `is not a filter of ${of.type}`, "unknown-parameter");
  }
  return conditions;
}

/** Text inexactly; everything else by containment, which the index on the values serves. */
function customCondition(
  of: Resource,
  name: string,
  field: CustomField,
  raw: string,
  parameter: string,
  reader: Reader,
): Condition[] {
  const column = `${of.table}.custom_properties`;
  // The partial index holds only rows that have values at all; saying so lets the planner use it.
  const some = `${column} <> '{}'`;
  if (["string", "text", "email", "phone", "url"].includes(field.type)) {
    if (raw.includes("\0") || !raw.isWellFormed()) {
      reader.say(parameter, "contains characters that no text has");
      return [];
    }
    return [
      (statement) =>
        `${some} and fold(${column} ->> ${statement.bind(name)}::text) like fold(${statement.bind(likePattern(raw))})`,
    ];
  }
  const values = raw.split(",").map((one) => parseCustomValue(field, one));
  if (values.includes(undefined)) {
    reader.say(parameter, `must be of type ${field.type}`);
    return [];
  }
  const documents = values.map((value) =>
    JSON.stringify({ [name]: field.type === "multi-select" ? [value] : value }),
  );
  return [
    (statement) => `${some} and ${column} @> any(${statement.bind(documents)}::text[]::jsonb[])`,
  ];
}

function parseCustomValue(field: CustomField, raw: string): unknown {
  switch (field.type) {
    case "integer":
    case "decimal":
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(raw) ? Number(raw) : undefined;
    case "boolean":
      return raw === "true" ? true : raw === "false" ? false : undefined;
    case "timestamp":
      return isTimestamp(raw) ? raw : undefined;
    default: {
      // Options, dates and people are compared as they were written.
      const known = schemaOfField(field);
      return raw.isWellFormed() && !raw.includes("\0") && known ? raw : undefined;
    }
  }
}

function readPage(reader: Reader, sort: readonly SortKey[]): Page {
  const size = readInteger(reader, "page[size]", limits.pageSizeDefault, limits.pageSizeMax);
  const after = reader.take("page[after]");
  if (after === undefined) {
    const number = readInteger(reader, "page[number]", 1, limits.pageNumberMax);
    return { kind: "number", number, size };
  }
  if (reader.take("page[number]") !== undefined)
    reader.say("page[number]", "does not go together with page[after]");
  const [key, ...others] = sort;
  if (!key || others.length > 0 || key.sort.nullable)
    reader.say("sort", "must be a single attribute that is never null when page[after] is used");
  if (after === "") return { kind: "after", after: undefined, size };
  const cursor = decodeCursor(after, key?.name);
  if (!cursor) reader.say("page[after]", "is not a cursor of this list and order");
  return { kind: "after", after: cursor, size };
}

function readInteger(reader: Reader, name: string, whenAbsent: number, maximum: number): number {
  const value = reader.take(name);
  if (value === undefined) return whenAbsent;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > maximum)
    reader.say(name, `must be a whole number from 1 to ${maximum}`);
  return number;
}

/** Opaque to the caller; to us the order, the value and the id of the last row they saw. */
export const encodeCursor = (sort: string, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([sort, cursor.value, cursor.id])).toString("base64url");

export function decodeCursor(text: string, sort: string | undefined): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    const [name, value, id] = parts as unknown[];
    if (name !== sort || typeof value !== "string" || typeof id !== "string" || !isId(id))
      return undefined;
    if (value.includes("\0") || !value.isWellFormed()) return undefined;
    return { value, id };
  } catch {
    return undefined;
  }
}
