import { notFound } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { extrasOf, layoutOf, locateExtras } from "../definition/layout.ts";
import type {
  ConstraintWords,
  ReadContext,
  Resource,
  WriteContext,
} from "../definition/resource.ts";
import type { Found } from "../definition/rows.ts";
import { anyOf } from "../request/binding.ts";
import type { Shape } from "../request/query.ts";
import { reachFor, readReach } from "../request/reach.ts";
import { conflictWith } from "./constraint.ts";
import { linkageIn, linkageColumnsOf } from "./linkage.ts";
import { columnsFor, ownRows } from "../request/reach-conditions.ts";
import { placeFor } from "./select.ts";
import { Statement } from "./statement.ts";

/** The custom fields that the account defined for a type, if the type can have them. */
export const customFieldsIn = async (context: ReadContext, of: Resource) =>
  of.customProperties ? context.customFieldsOf(context.db, context.actor, of) : undefined;

/** Reads one resource with the linkage of its relationships. */
export async function findOne(
  context: ReadContext,
  of: Resource,
  id: string,
  shape: Shape,
): Promise<Found | undefined> {
  const { actor, db } = context;
  const reach = reachFor(actor, of, "read");
  const statement = new Statement(actor.accountId, id);
  const extras = extrasOf(of, shape.fields.get(of.type), "one");
  const linkageColumns = linkageColumnsOf(context, statement, of);
  const more = [
    ...linkageColumns.map(({ column }) => column),
    ...extras.map((extra) => extra.expression),
  ];
  const [row] = await statement.rows(
    db,
    `select ${[columnsFor(statement, actor, of), ...more].join(", ")} from ${placeFor(statement, of)}${of.table}` +
      ` where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.id}`,
  );
  if (!row) return undefined;

  const { width } = layoutOf(of);
  const linkage = await linkageIn(context, of, row, linkageColumns, width);
  return { row, linkage, extras: locateExtras(extras, width + linkageColumns.length) };
}

/** Like `findOne`, but throws 404 if the resource does not exist. */
export async function readOne(context: ReadContext, of: Resource, id: string, shape: Shape) {
  const found = await findOne(context, of, id, shape);
  if (!found) throw notFound();
  return found;
}

export async function isReadable(context: ReadContext, of: Resource, id: string): Promise<boolean> {
  const reach = reachFor(context.actor, of, "read");
  const statement = new Statement(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select 1 from ${of.table} where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.bind(id)}`,
  );
  return row !== undefined;
}

/** Throws the words of a unique index if there is another resource, and names it to callers who can read it. */
export async function assertNoOther(
  context: WriteContext,
  other: { id: string } | undefined,
  words: ConstraintWords,
): Promise<void> {
  if (!other) return;
  const isShown = await isReadable(context, context.of, other.id);
  throw conflictWith(words, isShown ? other.id : undefined);
}

/** Those of the ids that name a resource which the caller can read. */
export async function readableIds(
  context: ReadContext,
  of: Resource,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const statement = new Statement(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `select ${of.table}.id from ${of.table} where ${ownRows(statement, of, readReach(context.actor, of))}` +
      ` and ${of.table}.id = any(${statement.bind(ids.filter(isId))}::uuid[])`,
  );
  return new Set(rows.map(([id]) => id as string));
}

/** 404 unless the caller can read the resource. */
export async function assertReadable(context: ReadContext, of: Resource, id: string) {
  if (!(await isReadable(context, of, id))) throw notFound();
}

/** The ids that exist in the account, whether or not the caller can read them. */
export async function existing(
  context: ReadContext,
  of: Resource,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const statement = new Statement(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `select ${of.table}.id from ${of.table} where ${ownRows(statement, of, "everything")} and ${of.table}.id ${anyOf(statement, ids, "uuid")}`,
  );
  return new Set(rows.map(([id]) => id as string));
}
