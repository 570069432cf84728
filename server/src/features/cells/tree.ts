import type { Queryable } from "../../store/db.ts";

/** Adds a new cell to `cell_ancestors`: itself, and everything above its parent. */
export async function addToTree(
  db: Queryable,
  accountId: string,
  { cellId, parentId }: { cellId: string; parentId: string | null },
): Promise<void> {
  await db`
    insert into cell_ancestors (account_id, cell_id, ancestor_id, distance)
    select ${accountId}::uuid, ${cellId}::uuid, ${cellId}::uuid, 0
    union all
    select account_id, ${cellId}::uuid, ancestor_id, distance + 1 from cell_ancestors
    where account_id = ${accountId} and cell_id = ${parentId}::uuid`;
}
