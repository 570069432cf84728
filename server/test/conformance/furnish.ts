import assert from "node:assert/strict";
import { newId } from "../../src/base/ids.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { accountColumnOf, columnOf } from "../../src/jsonapi/definition/members.ts";
import type { Catalogue, Resource } from "../../src/jsonapi/definition/resource.ts";
import type { Db } from "../../src/store/db.ts";
import { insertion } from "../../src/store/sql.ts";
import { makeFile } from "../support/make.ts";
import { tablesOf, valueOf } from "../support/fill-tables.ts";

/** Makes the row of a type that is read from a view, out of rows of other types. */
export type Makers = Readonly<
  Record<string, (rowOf: (type: string) => Promise<string | undefined>) => Promise<string>>
>;

/**
 * One row of every type, linked as far as the definitions link them. Nothing here names a type: columns come from the
 * definitions and from the database's catalog, so a new type is furnished without a line of its own.
 */
export async function furnish(
  db: Db,
  catalogue: Catalogue,
  account: { id: string },
  makers: Makers = {},
): Promise<ReadonlyMap<string, string>> {
  const rows = new Map([["accounts", account.id]]);
  const tables = await tablesOf(db);
  const underway = new Set<string>();

  async function rowOf(type: string): Promise<string | undefined> {
    const known = rows.get(type);
    if (known !== undefined || underway.has(type)) return known;
    const resource = catalogue.resources.get(type);
    assert.ok(resource, `A relationship leads to ${type}, which is not a type.`);
    underway.add(type);
    const id = await (makers[type]?.(rowOf) ?? insert(resource));
    underway.delete(type);
    rows.set(type, id);
    return id;
  }

  async function insert(resource: Resource): Promise<string> {
    const table = tables.get(resource.table);
    assert.ok(table, `${resource.type} is in table ${resource.table}, which does not exist.`);
    const values: Record<string, unknown> = { [accountColumnOf(resource)]: account.id };
    for (const [target, column] of toOneColumns(resource)) {
      const row = await rowOf(target);
      if (row !== undefined && table.columns.has(column)) values[column] = row;
    }
    for (const [name, attribute] of Object.entries(resource.attributes)) {
      const column = columnOf(name, attribute);
      const known = table.columns.get(column);
      if (known && (attribute.storage === "link" || attribute.storage === "file"))
        values[column] = await makeFile(db, account.id);
      if (known?.needed && attribute.expression === undefined && !Object.hasOwn(values, column))
        values[column] = stored(attribute, exampleOf(attribute));
    }
    for (const [column, { needed, type }] of table.columns)
      if (needed && column !== "id" && !Object.hasOwn(values, column))
        values[column] = valueOf(type);
    // A partition is found by the time in the id.
    const [made] = table.isPartitioned
      ? await db`select history_id(now()) as id`
      : [{ id: newId() }];
    const id = String(made?.["id"]);
    await db`insert into ${db(resource.table)} ${insertion({ ...values, id })}`;
    return id;
  }

  for (const type of catalogue.resources.keys()) await rowOf(type);
  for (const resource of catalogue.resources.values()) await linkToMany(resource);
  return rows;

  async function linkToMany(resource: Resource): Promise<void> {
    for (const one of Object.values(resource.relationships)) {
      if (one.kind === "to-one" || one.to === "id" || one.where) continue;
      // Dangling links name people who are gone.
      const to = one.dangling ? newId() : rows.get(one.target);
      const from = rows.get(resource.type);
      const table = tables.get(one.table);
      if (from === undefined || to === undefined || !table || table.columns.has("id")) continue;
      const row = { account_id: account.id, [one.from]: from, [one.to]: to };
      await db`insert into ${db(one.table)} ${insertion(row)} on conflict do nothing`;
    }
  }
}

/** The driver would make an array of PostgreSQL out of a list that is stored as JSON. */
const stored = ({ storage }: Attribute, value: unknown): unknown =>
  storage === "json" && Array.isArray(value) ? JSON.stringify(value) : value;

const toOneColumns = (resource: Resource): [target: string, column: string][] => [
  ...Object.values(resource.relationships).flatMap((one) =>
    "column" in one ? [[one.target, one.column] as [string, string]] : [],
  ),
  ...Object.values(resource.references ?? {}).flatMap(({ column, target }) =>
    typeof target === "string" ? [[target, column] as [string, string]] : [],
  ),
];

/** A valid value of an attribute: its example, its first choice, its minimum. */
export function exampleOf({ example, schema, storage }: Attribute): unknown {
  // An object may need some of its members.
  if (storage === "json" && example !== undefined) return example;
  const {
    enum: choices,
    examples,
    items,
    minimum,
  } = schema as {
    enum?: unknown[];
    examples?: unknown[];
    items?: { enum?: unknown[] };
    minimum?: number;
  };
  const given = examples?.[0] ?? choices?.[0];
  if (given !== undefined) return given;
  switch (storage) {
    case "number":
      return minimum ?? 1;
    case "boolean":
      return true;
    case "texts":
      return items?.enum?.slice(0, 1) ?? [];
    case "uuids":
      return [];
    case "json":
      return (schema as { type?: string }).type === "array" ? (items?.enum?.slice(0, 1) ?? []) : {};
    default:
      return "Text";
  }
}
