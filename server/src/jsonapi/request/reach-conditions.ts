import type { Actor } from "../../access/actor.ts";
import { can, reachOf } from "../../access/policy.ts";
import { isCondition, type Reach, type ScopedReach, withoutScopes } from "../../access/reach.ts";
import { layoutOf, views } from "../definition/layout.ts";
import { accountColumnOf } from "../definition/members.ts";
import { replaceReadable } from "../definition/readable.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import type { Binding } from "./binding.ts";
import { linkReach, readReach } from "./reach.ts";

/** The reach of a caller, as conditions of a statement. */

/** The condition for the rows of the account that the caller reaches. */
export function ownRows(statement: Binding, resource: Resource, reach: Reach): string {
  return `${resource.table}.${accountColumnOf(resource)} = ${statement.account}${reachCondition(statement, resource, reach)}`;
}

/** The condition for the rows that the caller reaches. It is empty when that is the whole table. */
export function reachCondition(statement: Binding, resource: Resource, reach: Reach): string {
  const resources = resource.rows === undefined ? "" : ` and (${resource.rows})`;
  return reach === "everything"
    ? resources
    : `${resources} and ${reachedBy(statement, resource, reach)}`;
}

type ReaderContext = Pick<ReadContext, "actor" | "catalogue">;

/** SQL whose conditions depend on the reader (`readable.ts`). */
export const asReadBy = (
  statement: Binding,
  { actor, catalogue }: ReaderContext,
  sql: string,
): string =>
  replaceReadable(sql, (type, column) => {
    const target = definitionOf(catalogue, type);
    const reach = linkReach(actor, target);
    if (reach === "everything") return "true";
    return `exists (select from ${target.table} where ${ownRows(statement, target, reach)} and ${target.table}.id = ${column})`;
  });

/** Whether a row is reached, as an SQL expression. */
export function reachedBy(statement: Binding, resource: Resource, reach: Reach): string {
  if (reach === "everything") return "true";
  const alternatives = reach.map((one) => scopeCondition(statement, resource, one));
  return alternatives.length === 0 ? "false" : `(${alternatives.join(" or ")})`;
}

function scopeCondition(statement: Binding, resource: Resource, one: ScopedReach): string {
  const path = pathTo(statement, resource, one);
  if (typeof path === "string") return path;
  return `exists (select from ${path.rows} and x.${path.from} = ${resource.table}.id)`;
}

/**
 * The same condition for counting. PostgreSQL finds the ids of all rows in reach first and reads only these rows. With
 * `exists` it would try every row of the account.
 */
export function countedRows(statement: Binding, resource: Resource, reach: Reach): string {
  if (reach === "everything" || !reach.some(({ path }) => "table" in path))
    return ownRows(statement, resource, reach);
  const ids = reach.map((one) => {
    const path = pathTo(statement, resource, one);
    return typeof path === "string"
      ? `select ${resource.table}.id from ${resource.table} where ${ownRows(statement, resource, "everything")} and ${path}`
      : `select x.${path.from} from ${path.rows}`;
  });
  const rows = ownRows(statement, resource, "everything");
  return `${rows} and ${resource.table}.id = any(array(${ids.join(" union all ")}))`;
}

/** A condition on the row itself, or the rows `x` of another table and their column with the id of the row. */
function pathTo(
  statement: Binding,
  resource: Resource,
  { ids, path }: ScopedReach,
): string | { from: string; rows: string } {
  if (isCondition(path)) return `(${path.where})`;
  const { below } = path;
  const given = `${statement.bind(ids)}::uuid[]`;
  const among = below
    ? `in (select tree.${below.to} from ${below.table} tree where tree.account_id = ${statement.account} and tree.${below.from} = any(${given}))`
    : `= any(${given})`;
  const where = path.where === undefined ? "" : ` and ${path.where}`;
  if ("column" in path) return `(${resource.table}.${path.column} ${among}${where})`;
  const rows = `${path.table} x where x.account_id = ${statement.account} and x.${path.to} ${among}${where}`;
  return { from: path.from, rows };
}

/** The columns of a row. For a type with a reduced view, the last one says how much of the row the caller sees. */
export function columnsFor(statement: Binding, reader: ReaderContext, resource: Resource): string {
  const { actor } = reader;
  const { columns: ofAll, ofReader } = layoutOf(resource);
  const columns = ofReader === undefined ? ofAll : asReadBy(statement, reader, ofReader);
  if (!resource.reduced) return columns;
  const full = `when ${isFull(statement, actor, resource)} then ${views.full}`;
  if (seesAllRows(actor, resource)) return `${columns}, case ${full} else ${views.ordinary} end`;
  const names = readsOnlyNames(actor, resource)
    ? ` when ${isBeyondNames(statement, actor, resource)} is not true then ${views.names}`
    : "";
  return `${columns}, case ${full}${names} else ${views.reduced} end`;
}

/** Whether the caller reaches a row with the permission of the full view, as an SQL expression. */
export const isFull = (statement: Binding, actor: Actor, resource: Resource): string =>
  reachedBy(statement, resource, fullReach(actor, resource));

/** Whether the caller reads more of a row than its names, as an SQL expression. */
export const isBeyondNames = (statement: Binding, actor: Actor, resource: Resource): string =>
  reachedBy(statement, resource, linkReach(actor, resource));

/** Whether there can be rows of which the caller reads the names alone. */
export function readsOnlyNames(actor: Actor, resource: Resource): boolean {
  const reach = readReach(actor, resource);
  return reach !== "everything" && reach.some(({ path }) => !isCondition(path) && path.onlyNames);
}

/** Public rows, rows that only their creator reaches, and those of some paths are shown in the reduced view. */
function fullReach(actor: Actor, { reach, reduced }: Resource): Reach {
  if (!reduced) return "everything";
  const reached = reachOf(actor, can(reduced.fullWith), reach ?? {});
  const full = withoutScopes(reached, "public", "creator");
  return full === "everything"
    ? full
    : full.filter(({ path }) => isCondition(path) || !path.onlyReduced);
}

/** Whether the caller reads the whole account, and so never sees the reduced view. */
export const seesAllRows = (actor: Actor, resource: Resource): boolean =>
  readReach(actor, resource) === "everything";
