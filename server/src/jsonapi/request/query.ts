import type { Actor } from "../../access/actor.ts";
import { can, reachOf } from "../../access/policy.ts";
import {
  column,
  type Reach,
  reachesNothing,
  rowsArePeople,
  withoutScopes,
} from "../../access/reach.ts";
import { didYouMean } from "../../base/choices.ts";
import { ApiError, notAllowedHere, type Problem, problem } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Broken } from "../../base/rules.ts";
import { isDate, isTimestamp } from "../../base/timestamps.ts";
import { type CustomFieldsReader, customCondition } from "./custom-filter.ts";
import { type Filter, takesIds } from "../definition/filters.ts";
import { isPublic } from "../definition/public.ts";
import { isFull, ownRows, seesAllRows } from "./reach-conditions.ts";
import { type Condition, type IdList, inShownText, parseFilter } from "./filters.ts";
import {
  type Catalogue,
  columnOf,
  computedListOf,
  type Nearby,
  type Resource,
  shownMembersOf,
  type Sort,
  targetOf,
} from "../definition/resource.ts";

/** `include=teachers,lessons.created-by` as a tree. */
export interface IncludeTree {
  [relationship: string]: IncludeTree;
}

/** The parameters that shape a document. */
export interface Shape {
  include: IncludeTree | undefined;
  /** The members to show, by type. An absent type shows all members. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether `meta` shows what the caller may do. */
  may?: boolean;
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
  /** Null where the caller's view of the row lacks the attribute. */
  value: string | null;
  id: string;
}

export interface ListQuery extends Shape {
  conditions: readonly Condition[];
  sort: readonly SortKey[];
  page: Page;
  /** The parameters without the page, for links to other pages. */
  linkParameters: readonly (readonly [string, string])[];
  /** The place from which distances are measured. */
  place?: Place | undefined;
}

export interface Place {
  latitude: number;
  longitude: number;
}

/** Marks a parameter that is not percent-encoded UTF-8. As text, it would match nothing. */
export const undecodable = Symbol("undecodable");

export type RawQuery = Readonly<Record<string, string | string[] | typeof undecodable>>;

/** Filters of every type with these attributes. */
const byTime = {
  "modified-since": ["modified-at", "since"],
  "modified-until": ["modified-at", "until"],
  "created-since": ["created-at", "since"],
} as const;

export function filtersOf(resource: Resource): Record<string, Filter> {
  if (computedListOf(resource) || isPublic(resource)) return resource.filters;
  const filters: Record<string, Filter> = { id: { match: "id", column: "id" } };
  for (const [name, [attribute, match]] of Object.entries(byTime)) {
    const time = resource.attributes[attribute];
    if (time) filters[name] = { match, column: columnOf(attribute, time) };
  }
  return { ...filters, ...resource.filters };
}

interface PageSizes {
  whenAbsent: number;
  max: number;
}

export const pageSizesOf = ({
  pageSize,
  pageSizeMax,
}: Pick<Resource, "pageSize" | "pageSizeMax">): PageSizes => ({
  whenAbsent: pageSize ?? limits.pageSizeDefault,
  max: pageSizeMax ?? limits.pageSizeMax,
});

/** The sort keys of the definition and `id`. */
export const sortsOf = (resource: Resource): Record<string, Sort> => ({
  ...(!computedListOf(resource) && !isPublic(resource) && { id: { column: "id" } }),
  ...resource.sorts,
});

/** Parameter names of other APIs, and their names here. */
const synonyms: Readonly<Record<string, string>> = {
  "limit": "page[size]",
  "offset": "page[number]",
  "page": "page[number]",
  "page[limit]": "page[size]",
  "page[offset]": "page[number]",
  "per_page": "page[size]",
};

/** Collects every mistake in the query before it throws. */
export class Reader {
  readonly problems: Problem[] = [];
  readonly values = new Map<string, string>();
  /** The known parameters with fixed names. */
  readonly #known: string[] = [];

  constructor(raw: RawQuery) {
    for (const [name, value] of Object.entries(raw)) {
      if (value === undecodable) this.report(name, { rule: "format", format: "percent-encoded" });
      // Some clients write `filter[id]=a,b` as `filter[id][]=a&filter[id][]=b`.
      else if (/^filter\[[^\]]+\]\[\]$/.test(name))
        this.values.set(name.slice(0, -2), [value].flat().join(","));
      else if (Array.isArray(value)) this.report(name, { rule: "repeated" });
      else this.values.set(name, value);
    }
  }

  report(parameter: string, broken: Broken) {
    this.problems.push(problem("invalid-parameter", broken, { parameter }));
  }

  take(name: string): string | undefined {
    this.#known.push(name);
    const value = this.values.get(name);
    this.values.delete(name);
    return value;
  }

  /** Takes `filter[…]` or `fields[…]`. Returns the word in the brackets, the whole name and the value. */
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
    for (const name of this.values.keys()) {
      const synonym = synonyms[name] ?? "";
      const hint = this.#known.includes(synonym)
        ? `Use ${synonym}.`
        : didYouMean(name, this.#known).trim();
      const broken = { rule: "unknown", given: name, hint } as const;
      this.problems.push(problem("unknown-parameter", broken, { parameter: name }));
    }
    if (this.problems.length > 0) throw new ApiError(this.problems);
  }
}

export const doesNotAccept = (unknown: string, known: readonly string[]): Broken =>
  known.length === 0
    ? { rule: "unknown", given: unknown }
    : {
        rule: "one-of",
        allowed: known,
        given: unknown,
        hint: didYouMean(unknown, known).trim(),
      };

export function parseShape(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const reader = new Reader(raw);
  const shape = readShape(catalogue, resource, reader);
  reader.finish();
  return shape;
}

/** For the routes of a type itself, whose documents can show in `meta.may` what the caller may do. */
export function parseShapeWithMay(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const reader = new Reader(raw);
  const shape = { ...readShape(catalogue, resource, reader), may: readMay(reader) };
  reader.finish();
  return shape;
}

function readMay(reader: Reader): boolean {
  const parameter = "meta[may]";
  const value = reader.take(parameter);
  if (value !== undefined && value !== "true")
    reader.report(parameter, { rule: "one-of", allowed: ["true"] });
  return value === "true";
}

/** For routes with one resource where clients may expect a list. The parameters of lists are ignored. */
export function parseShapeOfOne(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const { "page[number]": _number, "page[size]": _size, "sort": _sort, ...rest } = raw;
  return parseShape(catalogue, resource, rest);
}

export const wholeShape: Shape = { include: undefined, fields: new Map() };

/** For routes that accept no parameters. */
export function parseNoQuery(_catalogue: Catalogue, _of: Resource, raw: RawQuery): Shape {
  new Reader(raw).finish();
  return wholeShape;
}

export function parseListQuery(
  catalogue: Catalogue,
  resource: Resource,
  raw: RawQuery,
  custom: CustomFieldsReader,
  { isRelated = false } = {},
): ListQuery {
  const reader = new Reader(raw);
  const linkParameters = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const shape = {
    ...readShape(catalogue, resource, reader),
    may: !isRelated && readMay(reader),
  };
  const sort = readSort(resource, reader);
  const query = {
    ...shape,
    conditions: readFilters(catalogue, resource, reader, custom),
    sort,
    page: readPage(resource, reader, sort, custom.actor),
    linkParameters,
  };
  reader.finish();
  return query;
}

/** Lists of the public area accept no `include`, `fields` or `page[after]`. */
export function parsePublicListQuery(
  catalogue: Catalogue,
  resource: Resource,
  raw: RawQuery,
  actor: Actor,
): ListQuery {
  const reader = new Reader(raw);
  const linkParameters = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const near = resource.nearby && readNear(resource.nearby, reader);
  const sort = readSort(resource, reader);
  if (!near && sort.some((key) => key.sort.needsPlace))
    reader.report(
      "sort",
      notAllowedHere("The order needs filter[lat], filter[lng] and filter[km]."),
    );
  const conditions = readFilters(catalogue, resource, reader, { actor, customFields: undefined });
  const query = {
    ...wholeShape,
    conditions: near ? [...conditions, near.condition] : conditions,
    sort,
    page: readNumberedPage(reader, pageSizesOf(resource)),
    linkParameters,
    place: near?.place,
  };
  reader.finish();
  return query;
}

/** A meter. */
export const KM_MIN = 0.001;

/** The place and the radius of a list, or undefined without them or with a mistake. */
function readNear(
  { distance, kilometersMax }: Nearby,
  reader: Reader,
): { place: Place; condition: Condition } | undefined {
  const read = (name: string, min: number, max: number) => {
    const parameter = `filter[${name}]`;
    const value = reader.take(parameter)?.trim();
    if (value === undefined) return { parameter, value: undefined };
    const isNumber = /^-?\d{1,3}(\.\d{1,15})?$/.test(value);
    const number = isNumber ? Number(value) : Number.NaN;
    if (!isNumber) reader.report(parameter, { rule: "type", type: "number" });
    else if (number < min) reader.report(parameter, { rule: "min", limit: min });
    else if (number > max) reader.report(parameter, { rule: "max", limit: max });
    return { parameter, value: number };
  };
  const given = [read("lat", -90, 90), read("lng", -180, 180), read("km", KM_MIN, kilometersMax)];
  const missing = given.filter(({ value }) => value === undefined);
  if (missing.length > 0 && missing.length < given.length)
    for (const { parameter } of missing)
      reader.report(parameter, {
        rule: "required",
        hint: "filter[lat], filter[lng] and filter[km] go together.",
      });
  const [latitude, longitude, kilometers] = given.map(({ value }) => value);
  if (latitude === undefined || longitude === undefined || kilometers === undefined)
    return undefined;
  return {
    place: { latitude, longitude },
    condition: (statement) => `${distance} <= ${statement.bind(kilometers)}::float8`,
  };
}

function readShape(catalogue: Catalogue, resource: Resource, reader: Reader): Shape {
  const include = readInclude(catalogue, resource, reader);
  const fields = new Map<string, ReadonlySet<string>>();
  for (const [type, parameter, value] of reader.takeFamily("fields")) {
    const target = catalogue.resources.get(type);
    if (!target) {
      const hint = `Types: ${[...catalogue.resources.keys()].join(", ")}.`;
      reader.report(parameter, { rule: "unknown", given: type, hint });
      continue;
    }
    const names = value.split(",").filter(Boolean);
    const known = shownMembersOf(target);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) reader.report(parameter, doesNotAccept(unknown, known));
    fields.set(type, new Set(names));
  }
  return { include, fields };
}

function readInclude(
  catalogue: Catalogue,
  resource: Resource,
  reader: Reader,
): IncludeTree | undefined {
  const value = reader.take("include");
  if (value === undefined) return undefined;
  const tree: IncludeTree = {};
  for (const path of value.split(",").filter(Boolean)) {
    const steps = path.split(".");
    if (steps.length > limits.includeDepthMax) {
      reader.report("include", {
        rule: "max-items",
        limit: limits.includeDepthMax,
        hint: `The path ${path} has more relationships.`,
      });
      continue;
    }
    let at = tree;
    let source = resource;
    for (const [depth, step] of steps.entries()) {
      const relationship = Object.hasOwn(source.relationships, step)
        ? source.relationships[step]
        : undefined;
      if (!relationship) {
        const before = steps.slice(0, depth).concat("").join(".");
        const known = Object.keys(source.relationships).map((one) => before + one);
        reader.report("include", doesNotAccept(before + step, known));
        break;
      }
      source = targetOf(catalogue, relationship);
      at = at[step] ??= {};
    }
  }
  return tree;
}

function readSort(resource: Resource, reader: Reader): SortKey[] {
  const value = reader.take("sort") ?? resource.defaultSort;
  const sorts = sortsOf(resource);
  const keys: SortKey[] = [];
  for (const word of value.split(",").filter(Boolean)) {
    const name = word.replace(/^-/, "");
    const sort = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
    if (!sort) reader.report("sort", doesNotAccept(name, Object.keys(sorts)));
    else if (keys.some((key) => key.name === name)) reader.report("sort", { rule: "repeated" });
    else keys.push({ name, sort, descending: word.startsWith("-") !== (sort.descending ?? false) });
  }
  if (keys.length > limits.sortsMax)
    reader.report("sort", { rule: "max-items", limit: limits.sortsMax });
  return keys;
}

function readFilters(
  catalogue: Catalogue,
  resource: Resource,
  reader: Reader,
  custom: CustomFieldsReader,
): Condition[] {
  const { actor } = custom;
  const filters = filtersOf(resource);
  const conditions: Condition[] = [];
  const add = (name: string, condition: Condition, inShown?: Condition) =>
    conditions.push(asShown(resource, actor, name, condition, inShown));
  let customFilters = 0;
  const taken = reader.takeFamily("filter");
  const givenFor = (name: string) => taken.find(([one]) => one === name)?.[2];
  for (const [name, parameter, given] of taken) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const value = filter && takesIds(filter) ? withoutMe(given, actor) : given;
    const reach = filter ? filteredReach(catalogue, filter, actor, value) : "everything";
    if (reachesNothing(reach))
      reader.report(parameter, notAllowedHere("This person may not read the attribute."));
    else if (filter) {
      const ids = idsWithin(catalogue, filter, reach);
      const within = { table: resource.table, country: actor.country, idList: ids, givenFor };
      const condition = parseFilter(filter, value, within, parameter, reader.problems);
      if (condition) add(name, condition, inShownText(filter, value, actor));
    } else if (resource.customProperties && name.startsWith("custom-properties.")) {
      const condition = customCondition(resource, name, value, custom);
      customFilters += 1;
      if (typeof condition !== "function") reader.report(parameter, condition);
      else if (customFilters > limits.customFiltersMax)
        reader.report(parameter, {
          rule: "max-items",
          limit: limits.customFiltersMax,
          hint: "An entry is a filter on custom properties.",
        });
      else add(name, condition);
    } else {
      const own = resource.customProperties ? ["custom-properties.<field>"] : [];
      const known = [...Object.keys(filters), ...own];
      const hint = `${didYouMean(name, known)} Filters: ${known.join(", ")}.`.trim();
      const broken = { rule: "unknown", given: name, hint } as const;
      reader.problems.push(problem("unknown-parameter", broken, { parameter }));
    }
  }
  return conditions;
}

/**
 * A filter by a member that the reduced view hides matches only rows that the caller sees in full. A search matches reduced
 * rows by the text they show.
 */
function asShown(
  resource: Resource,
  actor: Actor,
  name: string,
  condition: Condition,
  inShown?: Condition,
): Condition {
  const { reduced } = resource;
  if (!reduced || name === "id" || seesAllRows(actor, resource)) return condition;
  if (inShown)
    return (statement) =>
      `${condition(statement)} and (${isFull(statement, actor, resource)} or (${inShown(statement)}))`;
  const member = byTime[name as keyof typeof byTime]?.[0] ?? name;
  if (reduced.filters?.includes(name) || reduced.members.includes(member)) return condition;
  return (statement) => `${isFull(statement, actor, resource)} and (${condition(statement)})`;
}

/** In every filter by ids, `me` is the caller's person. */
const withoutMe = (ids: string, { personId }: Actor): string =>
  ids
    .split(",")
    .map((id) => (id.trim() === "me" ? personId : id))
    .join(",");

/**
 * The resources that a caller may filter by: those that the needed permission covers, not only as the caller's own. Every
 * caller may filter by their own person.
 */
function filteredReach(
  catalogue: Catalogue,
  { among, needs }: Filter,
  actor: Actor,
  ids: string,
): Reach {
  if (needs === undefined) return "everything";
  const paths = (among === undefined ? undefined : targetOf(catalogue, { target: among }))?.reach;
  const reach = reachOf(actor, can(needs), paths ?? {});
  const covered = withoutScopes(reach, "self", "public", "creator");
  if (covered === "everything" || !rowsArePeople(paths)) return covered;
  const own = { scope: "self", ids: [actor.personId], path: column("id") } as const;
  const isOwn = ids.split(",").every((id) => id.trim() === actor.personId);
  return reachesNothing(covered) && !isOwn ? [] : [...covered, own];
}

/** Keeps only the ids of a filter that are in reach. Undefined keeps all. */
function idsWithin(catalogue: Catalogue, { among }: Filter, reach: Reach): IdList | undefined {
  if (among === undefined || reach === "everything") return undefined;
  const target = targetOf(catalogue, { target: among });
  return (statement, ids) =>
    `array(select ${target.table}.id from ${target.table} where ${ownRows(statement, target, reach)}` +
    ` and ${target.table}.id = any(${statement.bind(ids)}::uuid[]))`;
}

function readPage(
  resource: Resource,
  reader: Reader,
  sort: readonly SortKey[],
  actor: Actor,
): Page {
  const after = reader.take("page[after]");
  if (after === undefined) return readNumberedPage(reader, pageSizesOf(resource));
  const size = readPageSize(reader, pageSizesOf(resource));
  if (reader.take("page[number]") !== undefined)
    reader.report("page[number]", notAllowedHere("It cannot be combined with page[after]."));
  const [key, ...others] = sort;
  if (!key || others.length > 0 || key.sort.nullable)
    reader.report(
      "sort",
      notAllowedHere("With page[after], it must be a single attribute that is never null."),
    );
  if (after === "") return { kind: "after", after: undefined, size };
  const cursor = key && decodeCursor(resource, key, after, actor);
  if (!cursor) reader.report("page[after]", { rule: "format", format: "cursor" });
  return { kind: "after", after: cursor, size };
}

export const readNumberedPage = (reader: Reader, sizes: PageSizes) => ({
  kind: "number" as const,
  size: readPageSize(reader, sizes),
  number: readInteger(reader, "page[number]", 1, limits.pageNumberMax),
});

const readPageSize = (reader: Reader, { max, whenAbsent }: PageSizes): number =>
  readInteger(reader, "page[size]", whenAbsent, max);

function readInteger(reader: Reader, name: string, whenAbsent: number, max: number): number {
  const value = reader.take(name);
  if (value === undefined) return whenAbsent;
  const isNumber = /^\d{1,9}$/.test(value);
  const number = isNumber ? Number(value) : 0;
  if (!isNumber) reader.report(name, { rule: "type", type: "integer" });
  else if (number < 1) reader.report(name, { rule: "min", limit: 1 });
  else if (number > max) reader.report(name, { rule: "max", limit: max });
  return number;
}

/** Whether the caller sees rows without the attribute of a sort, which then sorts them as if they had no value. */
export const isHiddenSort = (
  resource: Resource,
  actor: Actor,
  { name, sort }: Pick<SortKey, "name" | "sort">,
): boolean =>
  name !== "id" &&
  resource.reduced?.members.includes(sort.member ?? name) === false &&
  !seesAllRows(actor, resource);

/** The values that a cursor can have, by the storage of the attribute that is sorted by. They are texts of PostgreSQL. */
const cursorValues = {
  timestamp: {
    cast: "timestamptz",
    isValue: (value: string) =>
      /^\S{10} \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value) &&
      isTimestamp(value.replace(" ", "T").replace("+00", "Z")),
  },
  date: { cast: "date", isValue: isDate },
  number: { cast: "bigint", isValue: (value: string) => /^(0|-?[1-9]\d{0,14})$/.test(value) },
  text: {
    cast: "text",
    isValue: (value: string) => !value.includes("\0") && value.isWellFormed(),
  },
} as const;

/** A column that is no attribute is a folded name. */
export function cursorValuesOf(resource: Resource, { sort }: SortKey) {
  const sorted = Object.entries(resource.attributes).find(
    ([name, one]) => columnOf(name, one) === sort.column,
  );
  const storage = sorted?.[1].storage ?? "text";
  if (!Object.hasOwn(cursorValues, storage))
    throw new Error(`${resource.type} cannot be paged by a ${storage}.`);
  return cursorValues[storage as keyof typeof cursorValues];
}

const orderOf = ({ descending, name }: SortKey): string => `${descending ? "-" : ""}${name}`;

/** A cursor contains the order, and the value and the id of the last row. It is opaque to the caller. */
export const encodeCursor = (key: SortKey, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([orderOf(key), cursor.value, cursor.id])).toString("base64url");

/** Returns undefined for a text that `encodeCursor` makes of no row in this order. */
function decodeCursor(
  resource: Resource,
  key: SortKey,
  text: string,
  actor: Actor,
): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts)) return undefined;
    const [, value, id] = parts as unknown[];
    if (typeof id !== "string" || !isId(id) || !isValueOf(resource, key, value, actor))
      return undefined;
    if (key.sort.column === "id" && value !== id) return undefined;
    const cursor = { value, id };
    return encodeCursor(key, cursor) === text ? cursor : undefined;
  } catch {
    return undefined;
  }
}

const isValueOf = (
  resource: Resource,
  key: SortKey,
  value: unknown,
  actor: Actor,
): value is Cursor["value"] =>
  value === null
    ? isHiddenSort(resource, actor, key)
    : typeof value === "string" && cursorValuesOf(resource, key).isValue(value);
