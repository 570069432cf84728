import { ApiError, fail, notAllowedHere, problem } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { linkPolicyOf, type ToMany } from "../definition/relationships.ts";
import type { ResourceInput } from "../definition/input.ts";
import type { WriteContext } from "../definition/resource.ts";
import { targetOf } from "../definition/targets.ts";
import { absent } from "../request/input.ts";
import { readReach } from "../request/reach.ts";
import { isBeyondNames, ownRows, readsOnlyNames } from "../request/reach-conditions.ts";
import { currentIds } from "./merged-people.ts";
import { mayReach } from "./reach.ts";
import { endPasswordLinks, givingTo } from "./rights.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** A change to the links of a to-many relationship. */
export interface LinkChange {
  name: string;
  how: "add" | "remove" | "replace";
  ids: readonly string[];
  /** The place of the ids in the document. */
  pointer: string;
}

/** Returns whether anything changed. */
type ChangeLinks = (
  context: WriteContext,
  of: ToMany,
  id: string,
  change: LinkChange,
) => Promise<boolean>;

export const replacing = (input: ResourceInput): LinkChange[] =>
  Object.entries(input.toMany).map(([name, ids]) => ({
    name,
    how: "replace",
    ids,
    pointer: `/data/relationships/${name}/data`,
  }));

/** Malformed ids match nothing and are left out. */
const bindIds = (statement: StatementBuilder, ids: readonly string[]): string =>
  `${statement.bind(ids.filter(isId))}::uuid[]`;

/** Adds links only to resources of which the caller reads more than a name. Links that exist stay. The same statement reports which ids exist. */
export const addLinks: ChangeLinks = async (context, resource, id, { ids, pointer }) => {
  if (ids.length === 0) return false;
  const { table, from, givesRights, only, to } = resource;
  const target = targetOf(context.catalogue, resource);
  const statement = new StatementBuilder(context.actor.accountId, id);
  const readable = ownRows(statement, target, readReach(context.actor, target));
  const linked =
    `exists (select from ${table} x where x.account_id = ${statement.account}` +
    ` and x."${from}" = ${statement.id} and x."${to}" = ${target.table}.id)`;
  const linkable = readsOnlyNames(context.actor, target)
    ? ` and (${isBeyondNames(statement, context.actor, target)} or ${linked})`
    : "";
  const fits = only ? `((${only.where}) or ${linked})` : "true";
  const [[found, added = [], unfit] = []] = await statement.rows(
    context.db,
    `with known as (select ${target.table}.id, ${fits} as fits from ${target.table} where ${readable}${linkable}` +
      ` and ${target.table}.id = any(${bindIds(statement, ids)})),` +
      ` added as (insert into ${table} (account_id, "${from}", "${to}")` +
      ` select ${statement.account}, ${statement.id}, id from known where fits on conflict do nothing returning "${to}" as id)` +
      ` select array_to_string(array(select id from known), ','), array(select id::text from added),` +
      ` array_to_string(array(select id from known where not fits), ',')`,
  );
  const [known, unfitting] = [found, unfit].map((list) => new Set(String(list).split(",")));
  const problems = ids.flatMap((one, position) => {
    const place = `${pointer}/${position}/id`;
    if (!known?.has(one)) return [absent(resource, place)];
    const detail = unfitting?.has(one) && only?.detail;
    return detail
      ? [problem("invalid-relationship", notAllowedHere(detail), { pointer: place })]
      : [];
  });
  if (problems.length > 0) throw new ApiError(problems);
  const gaining = added as string[];
  if (gaining.length === 0) return false;
  await assertRoom(context, resource, id, pointer);
  if (givesRights) {
    await assertLastingGift(context, resource, id, { gaining, pointer });
    await endPasswordLinks(context, gaining);
  }
  return true;
};

/** Callers whose right ends cannot take a right by a link, which has no end. */
async function assertLastingGift(
  context: WriteContext,
  link: ToMany,
  id: string,
  { gaining, pointer }: { gaining: readonly string[]; pointer: string },
): Promise<void> {
  const needed = linkPolicyOf(link);
  const giver = givingTo(context, gaining);
  if (giver !== context && needed && !(await mayReach(giver, needed, context.resource, id)))
    throw fail("forbidden", "This person may not do this for longer than their own right.", {
      pointer,
    });
}

/** The row that the links belong to is new or locked, so that parallel requests cannot exceed the limit. */
async function assertRoom(
  { actor, db }: WriteContext,
  { from, max, table }: ToMany,
  id: string,
  pointer: string,
): Promise<void> {
  if (max === undefined) return;
  const [row] = await db<{ links: number }[]>`
    select count(*)::int as links from ${db(table)}
    where account_id = ${actor.accountId} and ${db(from)} = ${id}`;
  if (row && row.links > max)
    throw fail("invalid-relationship", { rule: "max-items", limit: max }, { pointer });
}

/** A merge that ended after the ids were resolved has moved the links to the kept people. */
const removeLinks: ChangeLinks = async (context, resource, id, { ids }) => {
  const remove = (these: readonly string[]) =>
    unlink(
      context,
      resource,
      id,
      (statement) => `"${resource.to}" = any(${bindIds(statement, these)})`,
    );
  const count = await remove(ids);
  if (resource.target !== "people" || count >= ids.length) return count > 0;
  const current = await currentIds(context, ids.filter(isId));
  const kept = [...current.values()].filter((one) => one !== null);
  return (await remove(kept)) > 0 || count > 0;
};

const replaceLinks: ChangeLinks = async (context, resource, id, change) => {
  const others = (statement: StatementBuilder) =>
    `not ("${resource.to}" = any(${bindIds(statement, change.ids)}))`;
  const removed = await unlink(context, resource, id, others);
  return (await addLinks(context, resource, id, change)) || removed > 0;
};

async function unlink(
  context: WriteContext,
  relationship: ToMany,
  id: string,
  which: (statement: StatementBuilder) => string,
): Promise<number> {
  const { table, from } = relationship;
  const statement = new StatementBuilder(context.actor.accountId);
  const removed = await statement.rows(
    context.db,
    `delete from ${table} where account_id = ${statement.account} and "${from}" = ${statement.bind(id)}` +
      ` and ${which(statement)}${amongReadable(statement, context, relationship)} returning 1`,
  );
  return removed.length;
}

/** Links to resources the caller cannot read are never removed, even by a full replacement. */
function amongReadable(
  statement: StatementBuilder,
  context: WriteContext,
  relationship: ToMany,
): string {
  const target = targetOf(context.catalogue, relationship);
  const reach = readReach(context.actor, target);
  if (reach === "everything") return "";
  const readable = `select ${target.table}.id from ${target.table} where ${ownRows(statement, target, reach)}`;
  return ` and "${relationship.to}" in (${readable})`;
}

export const linkChanges = { add: addLinks, remove: removeLinks, replace: replaceLinks } as const;
