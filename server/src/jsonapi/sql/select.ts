import type { Actor } from "../../access/actor.ts";
import { type Reach, reachOf } from "../../access/policy.ts";
import type { Attribute } from "../definition/attributes.ts";
import type { View } from "../response/document.ts";
import {
  type Catalogue,
  columnOf,
  policyOf,
  type Resource,
  type ToMany,
  targetOf,
  tenantOf,
} from "../definition/resource.ts";
import { reachCondition, type Statement } from "./statement.ts";

/**
 * What is selected of a type and where it stands in a row: id and version, then attributes, then to-one linkage. What a
 * request asks for beyond that (linkage of to-many relationships, attributes on request) follows behind.
 */
export interface Layout {
  /** What every statement about this type selects. */
  columns: string;
  attributes: readonly { name: string; attribute: Attribute; index: number }[];
  toOne: ReadonlyMap<string, number>;
  references: readonly { name: string; index: number; target: string | { index: number } }[];
  width: number;
}

export const ID = 0;
export const VERSION = 1;

/** JSON is taken as text, to be spliced into the answer as it is. */
function expressionOf(of: Resource, name: string, attribute: Attribute): string {
  const read = attribute.expression ?? `${of.table}."${columnOf(name, attribute)}"`;
  if (attribute.storage === "json") return `${read}::text`;
  if (attribute.storage === "uuids" || attribute.storage === "texts")
    return `to_json(${read})::text`;
  return read;
}

const layouts = new WeakMap<Resource, Layout>();

export function layoutOf(of: Resource): Layout {
  const known = layouts.get(of);
  if (known) return known;

  const columns = [`${of.table}.id`, of.unversioned ? "0" : `${of.table}.version`];
  const attributes = Object.entries(of.attributes)
    .filter(([, { detailOnly, onRequest }]) => !detailOnly && !onRequest)
    .map(([name, attribute]) => {
      columns.push(expressionOf(of, name, attribute));
      return { name, attribute, index: columns.length - 1 };
    });
  const toOne = new Map<string, number>();
  for (const [name, relationship] of Object.entries(of.relationships)) {
    if (relationship.kind !== "to-one") continue;
    columns.push(`${of.table}."${relationship.column}"`);
    toOne.set(name, columns.length - 1);
  }
  const references = Object.entries(of.references ?? {}).map(([name, { column, target }]) => {
    const index = columns.push(`${of.table}."${column}"`) - 1;
    if (typeof target === "string") return { name, index, target };
    return { name, index, target: { index: columns.push(`${of.table}."${target.column}"`) - 1 } };
  });
  const { length: width } = columns;
  const layout = { columns: columns.join(", "), attributes, toOne, references, width };
  layouts.set(of, layout);
  return layout;
}

/**
 * Attributes that only some answers show, since `fields` names them or since they are about one resource: expressions to
 * put behind the layout's columns.
 */
export function extrasOf(of: Resource, fields: View["fields"], answer: "one" | "list") {
  return Object.entries(of.attributes)
    .filter(([name, { detailOnly, onRequest }]) =>
      onRequest ? fields?.has(name) : detailOnly && answer === "one" && (fields?.has(name) ?? true),
    )
    .map(([name, attribute]) => ({
      name,
      attribute,
      expression: expressionOf(of, name, attribute),
    }));
}

/** Where they stand in a row whose first `width` columns are others. */
export const placed = (extras: ReturnType<typeof extrasOf>, width: number) =>
  extras.map((extra, position) => ({ ...extra, index: width + position }));

/** How far an operation carries; nowhere where there is none. */
export function reachTo(actor: Actor, of: Resource, verb: "read" | "update" | "delete"): Reach {
  const operation = of.operations[verb];
  return operation ? reachOf(actor, policyOf(operation), of.scopes ?? {}) : [];
}

/** How far the caller reads a type: what a relationship shows of it and what may be included. */
export const readReach = (actor: Actor, of: Resource): Reach => reachTo(actor, of, "read");

/** The columns of the joining table that a relationship fixes. */
export function constants(table: string, { where = {} }: ToMany): string {
  return Object.entries(where)
    .map(([column, value]) => {
      const values = [value].flat().map((one) => `'${one}'`);
      return ` and ${table}."${column}" in (${values.join(", ")})`;
    })
    .join("");
}

/** Rows of the joining table, and of the target when the caller does not reach all of it; and how far they reach. */
export function linkSource(
  statement: Statement,
  catalogue: Catalogue,
  relationship: ToMany,
  reach: Reach,
  joinTarget: boolean,
): { from: string; reach: string } {
  const target = targetOf(catalogue, relationship);
  const { table } = relationship;
  const isTarget = table === target.table && relationship.to === "id";
  const condition = reachCondition(statement, target, reach);
  if (isTarget || (!joinTarget && condition === "")) return { from: table, reach: condition };
  const tenant = tenantOf(target);
  return {
    from: `${table} join ${target.table} on ${target.table}.${tenant} = ${table}.account_id and ${target.table}.id = ${table}."${relationship.to}"`,
    reach: condition,
  };
}

/** A table whose rows are the links, or the targets, has none twice: it needs no sorting out. */
export const repeats = ({ to, writable }: ToMany): boolean => to !== "id" && !writable;

/** The rows of the church, cut to what the caller reaches. */
export function ownRows(statement: Statement, of: Resource, reach: Reach): string {
  return `${of.table}.${tenantOf(of)} = ${statement.account}${reachCondition(statement, of, reach)}`;
}
