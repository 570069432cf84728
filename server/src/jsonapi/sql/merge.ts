import { raw } from "sql-template-tag";
import type { MergeConflict, Merging, MoveRows } from "../definition/merge.ts";
import { revisedBy } from "./write.ts";

/** Rules for columns that name a person, for the manifests of features. */

/** Every row passes to the kept person and counts as a resource of this type. */
export const moved =
  (type: string): MoveRows =>
  async ({ accountId, actorId, db, keptId, removedIds }, { column, table }) => {
    const { count } = await db`
      update ${db(table)} set ${db(column)} = ${keptId}, ${revisedBy({ personId: actorId })}
      where account_id = ${accountId} and ${db(column)} = any(${[...removedIds]}::uuid[])`;
    return { moved: { [type]: count } };
  };

/**
 * Rows of a joining table pass to the kept person, who may be linked already. `to` is the other column of the link. The old
 * rows are deleted with the removed people.
 */
export const linked =
  (to: string): MoveRows =>
  async ({ accountId, db, keptId, removedIds }, { column, table }) => {
    await db`
      insert into ${db(table)} (account_id, ${db(to)}, ${db(column)})
      select distinct account_id, ${db(to)}, ${keptId}::uuid from ${db(table)}
      where account_id = ${accountId} and ${db(column)} = any(${[...removedIds]}::uuid[])
      on conflict do nothing`;
    return {};
  };

/** Rows of which a person can have only one. The SQL is constant and never contains input. */
interface Rivals {
  type: string;
  table: string;
  /** Rows with the same value belong together, for example the memberships of one cell. */
  within: string;
  /** The order of the rows, the best first. At equal rank the row of the kept person stays. */
  best: string;
  where?: string;
  rule: string;
}

/** A row and the better one that stays in its place. */
export interface Rival {
  kept: string;
  dropped: string;
}

/** All but the best of the rows of several people that belong together. */
export async function rivalsOf(
  { accountId, db, keptId, removedIds }: Merging,
  { best, table, where = "true", within }: Rivals,
): Promise<Rival[]> {
  return db<Rival[]>`
    with ranked as (
      select id, first_value(id) over place as best_id, min(person_id::text) over whole <> max(person_id::text) over whole
        as is_shared
      from ${db(table)}
      where account_id = ${accountId} and person_id = any(${[keptId, ...removedIds]}::uuid[]) and ${raw(where)}
      window whole as (partition by ${raw(within)}),
        place as (partition by ${raw(within)} order by ${raw(best)}, (person_id <> ${keptId}), id)
    )
    select best_id as kept, id as dropped from ranked where is_shared and id <> best_id order by id`;
}

/** Deletes the rows that a better one replaces. */
export async function dropRivals(
  { accountId, db }: Merging,
  which: Pick<Rivals, "rule" | "table" | "type">,
  rivals: readonly Rival[],
): Promise<MergeConflict[]> {
  await db`
    delete from ${db(which.table)}
    where account_id = ${accountId} and id = any(${rivals.map(({ dropped }) => dropped)}::uuid[])`;
  return rivals.map((rival) => conflictOf(which, rival));
}

/** Deletes all but the best of the rows that belong together. */
export const keepBest = async (merging: Merging, which: Rivals): Promise<MergeConflict[]> =>
  dropRivals(merging, which, await rivalsOf(merging, which));

export const conflictOf = (
  { rule, type }: Pick<Rivals, "rule" | "type">,
  { dropped, kept }: Rival,
): MergeConflict => ({ "resource-type": type, "field": null, rule, kept, dropped });
