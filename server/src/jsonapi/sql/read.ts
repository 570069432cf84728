import { notFound } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { CodeWords } from "../definition/constraint-words.ts";
import { extrasOf, layoutOf, locateExtras } from "../definition/layout.ts";
import type { ReadContext, Resource, WriteContext } from "../definition/resource.ts";
import type { Found } from "../definition/rows.ts";
import { anyOf } from "../request/binding.ts";
import { linkReach, reachFor } from "../request/reach.ts";
import type { Shape } from "../request/shape.ts";
import { conflictWith } from "./constraint.ts";
import { linkageIn, linkageColumnsOf } from "./linkage.ts";
import { columnsFor, ownRows } from "../request/reach-conditions.ts";
import { placeFor } from "./select.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** The custom fields that the account defined for a type, if the type can have them. */
export const customFieldsIn = async (context: ReadContext, resource: Resource) =>
  resource.customProperties
    ? context.customFieldsOf(context.db, context.actor, resource)
    : undefined;

/** Reads one resource with the linkage of its relationships. */
export async function findOne(
  context: ReadContext,
  resource: Resource,
  id: string,
  shape: Shape,
): Promise<Found | undefined> {
  const { actor, db } = context;
  const reach = reachFor(actor, resource, "read");
  const statement = new StatementBuilder(actor.accountId, id);
  const extras = extrasOf(resource, shape.fields.get(resource.type), "one");
  const linkageColumns = linkageColumnsOf(context, statement, resource);
  const more = [
    ...linkageColumns.map(({ column }) => column),
    ...extras.map((extra) => extra.expression),
  ];
  const [row] = await statement.rows(
    db,
    `select ${[columnsFor(statement, context, resource), ...more].join(", ")} from ${placeFor(statement, resource)}${resource.table}` +
      ` where ${ownRows(statement, resource, reach)} and ${resource.table}.id = ${statement.id}`,
  );
  if (!row) return undefined;

  const { width } = layoutOf(resource);
  const linkage = await linkageIn(context, resource, row, linkageColumns, width);
  return { row, linkage, extras: locateExtras(extras, width + linkageColumns.length) };
}

/** Like `findOne`, but throws 404 if the resource does not exist. */
export async function readOne(context: ReadContext, resource: Resource, id: string, shape: Shape) {
  const found = await findOne(context, resource, id, shape);
  if (!found) throw notFound();
  return found;
}

export async function isReadable(
  context: ReadContext,
  resource: Resource,
  id: string,
): Promise<boolean> {
  const reach = reachFor(context.actor, resource, "read");
  const statement = new StatementBuilder(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select 1 from ${resource.table} where ${ownRows(statement, resource, reach)} and ${resource.table}.id = ${statement.bind(id)}`,
  );
  return row !== undefined;
}

/** Throws the words of a unique index if there is another resource, and names it to callers who can read it. */
export async function assertNoOther(
  context: WriteContext,
  other: { id: string } | undefined,
  words: CodeWords,
): Promise<void> {
  if (!other) return;
  const isShown = await isReadable(context, context.resource, other.id);
  throw conflictWith(words, isShown ? other.id : undefined);
}

/** Those of the ids to whose resource the caller can link. Locked ones are not deleted, and can change. */
export async function linkableIds(
  context: ReadContext,
  resource: Resource,
  ids: readonly string[],
  lock: "for key share" | "" = "",
): Promise<ReadonlySet<string>> {
  const statement = new StatementBuilder(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `select ${resource.table}.id from ${resource.table} where ${ownRows(statement, resource, linkReach(context.actor, resource))}` +
      ` and ${resource.table}.id = any(${statement.bind(ids.filter(isId))}::uuid[]) order by ${resource.table}.id ${lock}`,
  );
  return new Set(rows.map(([id]) => id as string));
}

/** 404 unless the caller can read the resource. */
export async function assertReadable(context: ReadContext, resource: Resource, id: string) {
  if (!(await isReadable(context, resource, id))) throw notFound();
}

/** The ids that exist in the account, whether or not the caller can read them. */
export async function existing(
  context: ReadContext,
  resource: Resource,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const statement = new StatementBuilder(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `select ${resource.table}.id from ${resource.table} where ${ownRows(statement, resource, "everything")} and ${resource.table}.id ${anyOf(statement, ids, "uuid")}`,
  );
  return new Set(rows.map(([id]) => id as string));
}
