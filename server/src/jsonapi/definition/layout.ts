import type { Attribute } from "./attributes.ts";
import { columnOf } from "./members.ts";
import { dependsOnReader, readByAll } from "./readable.ts";
import type { Resource } from "./resource.ts";
import { columnsByType, type ComputedToOne, type ToOne } from "./relationships.ts";
import type { Extra, Row } from "./rows.ts";

/**
 * The columns that every statement about a type selects, and their places in a row: id and version, attributes, to-one
 * linkage, and how much of the row the caller sees (`columnsFor` adds that one). A statement may add columns after them: linkage of to-many relationships, extras.
 */
export interface Layout {
  columns: string;
  /** The columns for one reader, if some of them depend on what the reader can read (`readable.ts`). */
  ofReader: string | undefined;
  attributes: readonly { name: string; attribute: Attribute; index: number }[];
  toOne: ReadonlyMap<string, number>;
  /** The type of the linkage of to-one relationships with several types of targets. */
  targetTypes: ReadonlyMap<string, number>;
  references: readonly { name: string; index: number; target: string | { index: number } }[];
  /** How much of the row the caller sees, for types with a reduced view. It is the last column. */
  view: number | undefined;
  width: number;
}

export const ID = 0;
export const VERSION = 1;

/** JSON is selected as text, which goes into the answer unparsed. */
function expressionOf(resource: Resource, name: string, attribute: Attribute): string {
  const read = attribute.expression ?? `${resource.table}."${columnOf(name, attribute)}"`;
  if (attribute.storage === "json") return `${read}::text`;
  if (attribute.storage === "uuids" || attribute.storage === "texts")
    return `to_json(${read})::text`;
  return read;
}

function linkageColumnOf({ table }: Resource, one: ToOne | ComputedToOne): string {
  if ("expression" in one) return one.expression;
  const columns = Object.values(columnsByType(one)).map((column) => `${table}."${column}"`);
  return columns.length === 1 ? columns.join("") : `coalesce(${columns.join(", ")})`;
}

const targetTypeOf = ({ table }: Resource, one: ToOne): string => {
  const cases = Object.entries(columnsByType(one)).map(
    ([type, column]) => `when ${table}."${column}" is not null then '${type}'`,
  );
  return `case ${cases.join(" ")} end`;
};

const layouts = new WeakMap<Resource, Layout>();

export function layoutOf(resource: Resource): Layout {
  const known = layouts.get(resource);
  if (known) return known;

  const columns = [
    `${resource.table}.id`,
    resource.unversioned ? "0" : `${resource.table}.version`,
  ];
  const attributes = Object.entries(resource.attributes)
    .filter(([, one]) => !one.detailOnly && !one.onRequest && !one.writeOnly)
    .map(([name, attribute]) => {
      columns.push(expressionOf(resource, name, attribute));
      return { name, attribute, index: columns.length - 1 };
    });
  const toOne = new Map<string, number>();
  const targetTypes = new Map<string, number>();
  for (const [name, relationship] of Object.entries(resource.relationships)) {
    if (relationship.kind !== "to-one") continue;
    toOne.set(name, columns.push(linkageColumnOf(resource, relationship)) - 1);
    if ("alsoTo" in relationship)
      targetTypes.set(name, columns.push(targetTypeOf(resource, relationship)) - 1);
  }
  const references = Object.entries(resource.references ?? {}).map(([name, { column, target }]) => {
    const index = columns.push(`${resource.table}."${column}"`) - 1;
    if (typeof target === "string") return { name, index, target };
    return {
      name,
      index,
      target: { index: columns.push(`${resource.table}."${target.column}"`) - 1 },
    };
  });
  const { length } = columns;
  const view = resource.reduced ? length : undefined;
  const width = resource.reduced ? length + 1 : length;
  const text = columns.join(", ");
  const layout = {
    columns: readByAll(text),
    ofReader: dependsOnReader(text) ? text : undefined,
    attributes,
    toOne,
    targetTypes,
    references,
    view,
    width,
  };
  layouts.set(resource, layout);
  return layout;
}

/** How much of a row the caller sees: names, the members of the reduced view, all but sensitive attributes, or everything. */
export const views = { reduced: 0, ordinary: 1, full: 2, names: 3 } as const;

/** Types without a reduced view are seen in the ordinary view. */
export function viewOf(resource: Resource, row: Row): (typeof views)[keyof typeof views] {
  const { view } = layoutOf(resource);
  return view === undefined ? views.ordinary : (row[view] as 0 | 1 | 2 | 3);
}

/** The members of a row that the caller sees, if not all. */
export function shownMembers(resource: Resource, row: Row): readonly string[] | undefined {
  const { members = [], names = [] } = resource.reduced ?? {};
  const view = viewOf(resource, row);
  return view === views.reduced ? members : view === views.names ? names : undefined;
}

/** Whether the caller sees a member of a row. */
export const shows = (resource: Resource, row: Row, member: string): boolean =>
  shownMembers(resource, row)?.includes(member) ?? true;

/** The linkage of a to-one relationship in a row. */
export function linkedBy(
  resource: Resource,
  row: Row,
  name: string,
): { type: string | undefined; id: string | null } {
  const { targetTypes, toOne } = layoutOf(resource);
  const id = (row[toOne.get(name) ?? -1] ?? null) as string | null;
  const several = targetTypes.get(name);
  const type =
    several === undefined ? resource.relationships[name]?.target : (row[several] as string);
  return { type, id };
}

/** Attributes that only some answers show, because `fields` names them or one resource is read. */
export function extrasOf(
  resource: Resource,
  fields: ReadonlySet<string> | undefined,
  answer: "one" | "list",
) {
  return Object.entries(resource.attributes)
    .filter(([name, { detailOnly, onRequest }]) =>
      onRequest ? fields?.has(name) : detailOnly && answer === "one" && (fields?.has(name) ?? true),
    )
    .map(([name, attribute]) => ({
      name,
      attribute,
      expression: expressionOf(resource, name, attribute),
    }));
}

/** Returns the extras with their positions in a row, after its first `width` columns. */
export const locateExtras = (extras: ReturnType<typeof extrasOf>, width: number): Extra[] =>
  extras.map(({ attribute, name }, position) => ({ attribute, name, index: width + position }));
