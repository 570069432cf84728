import { raw } from "sql-template-tag";
import type { MergeConflict, Merging, MoveRows } from "../definition/merge.ts";

/** Rules for columns that name a person, for the manifests of features. */

/** Every row passes to the kept person and counts as a resource of this type. */
export const moved =
  (type: string, table: string, column = "person_id"): MoveRows =>
  async ({ accountId, actorId, db, keptId, removedIds }) => {
    const { count } = await db`
      update ${db(table)} set ${db(column)} = ${keptId}, version = version + 1, modified_at = now(),
        modified_by = ${actorId}
      where account_id = ${accountId} and ${db(column)} = any(${[...removedIds]}::uuid[])`;
    return { moved: { [type]: count } };
  };

/**
 * Rows of a joining table pass to the kept person, who may be linked already. `to` is the other column of the link. The old
 * rows are deleted with the removed people.
 */
export const linked =
  (table: string, to: string, column = "person_id"): MoveRows =>
  async ({ accountId, db, keptId, removedIds }) => {
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

/** Deletes all but the best of the rows that belong together. */
export async function keepBest(
  { accountId, db, keptId, removedIds }: Merging,
  { best, rule, table, type, where = "true", within }: Rivals,
): Promise<MergeConflict[]> {
  const rows = await db<{ kept: string; dropped: string }[]>`
    with ranked as (
      select id, first_value(id) over place as best_id
      from ${db(table)}
      where account_id = ${accountId} and person_id = any(${[keptId, ...removedIds]}::uuid[]) and ${raw(where)}
      window place as (partition by ${raw(within)} order by ${raw(best)}, (person_id <> ${keptId}), id)
    )
    delete from ${db(table)} rival using ranked
    where rival.account_id = ${accountId} and rival.id = ranked.id and ranked.id <> ranked.best_id
    returning ranked.best_id as kept, rival.id as dropped`;
  return rows.map(({ dropped, kept }) => ({
    "resource-type": type,
    "field": null,
    rule,
    kept,
    dropped,
  }));
}
