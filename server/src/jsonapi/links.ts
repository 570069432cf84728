import { fail } from "../errors.ts";
import type { ResourceInput } from "./input.ts";
import { type ToMany, targetOf } from "./resource.ts";
import { ownRows, readReach } from "./select.ts";
import { Statement } from "./statement.ts";
import type { WriteContext } from "./write.ts";

/** A change to the links of a to-many relationship. */
export interface LinkChange {
  name: string;
  how: "add" | "remove" | "replace";
  ids: readonly string[];
}

/** Answers whether there was anything to change. */
type ChangeLinks = (
  context: WriteContext,
  of: ToMany,
  id: string,
  ids: readonly string[],
) => Promise<boolean>;

export const replacing = (input: ResourceInput): LinkChange[] =>
  [...input.toMany].map(([name, ids]) => ({ name, how: "replace", ids }));

export const addLinks: ChangeLinks = async (context, of, id, ids) => {
  if (ids.length === 0) return false;
  await requireReadable(context, of, ids);
  const { table, from, to } = of;
  const statement = new Statement(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `insert into ${table} (account_id, "${from}", "${to}") select ${statement.account}, ${statement.bind(id)}::uuid, linked` +
      ` from unnest(${statement.bind(ids)}::uuid[]) as linked on conflict do nothing returning 1`,
  );
  return rows.length > 0;
};

const removeLinks: ChangeLinks = (context, of, id, ids) =>
  unlink(context, of, id, (statement) => `"${of.to}" = any(${statement.bind(ids)}::uuid[])`);

const replaceLinks: ChangeLinks = async (context, of, id, ids) => {
  const others = (statement: Statement) => `not ("${of.to}" = any(${statement.bind(ids)}::uuid[]))`;
  const removed = await unlink(context, of, id, others);
  return (await addLinks(context, of, id, ids)) || removed;
};

async function unlink(
  context: WriteContext,
  relationship: ToMany,
  id: string,
  which: (statement: Statement) => string,
): Promise<boolean> {
  const { table, from } = relationship;
  const statement = new Statement(context.actor.accountId);
  const removed = await statement.rows(
    context.db,
    `delete from ${table} where account_id = ${statement.account} and "${from}" = ${statement.bind(id)}` +
      ` and ${which(statement)}${amongReadable(statement, context, relationship)} returning 1`,
  );
  return removed.length > 0;
}

/** Whom one cannot see one neither links nor, by naming all the others, unlinks. */
function amongReadable(statement: Statement, context: WriteContext, relationship: ToMany): string {
  const target = targetOf(context.catalogue, relationship);
  const reach = readReach(context.actor, target);
  if (reach === "everything") return "";
  const readable = `select ${target.table}.id from ${target.table} where ${ownRows(statement, target, reach)}`;
  return ` and "${relationship.to}" in (${readable})`;
}

async function requireReadable(
  context: WriteContext,
  relationship: ToMany,
  ids: readonly string[],
): Promise<void> {
  const target = targetOf(context.catalogue, relationship);
  const reach = readReach(context.actor, target);
  if (reach === "everything") return;
  const statement = new Statement(context.actor.accountId);
  const readable = await statement.rows(
    context.db,
    `select ${target.table}.id from ${target.table} where ${ownRows(statement, target, reach)}` +
      ` and ${target.table}.id = any(${statement.bind(ids)}::uuid[])`,
  );
  if (readable.length < ids.length)
    throw fail("invalid-relationship", "There is no such resource.", { pointer: "/data" });
}

export const linkChanges = { add: addLinks, remove: removeLinks, replace: replaceLinks } as const;
