import type { Queryable, Tx } from "../../store/db.ts";
import type { Filter } from "../../jsonapi/definition/filters.ts";

/** `cell_ancestors` contains each cell with all cells above it and itself. */

/** The filter `tree`: rows whose cell is one of the given cells or below one. */
export const inTree = (cellColumn: string): Filter => ({
  match: "within",
  sql: `${cellColumn} in (select a.cell_id from cell_ancestors a
    where a.account_id = $account and a.ancestor_id = any($ids))`,
});

interface Place {
  cellId: string;
  parentId: string | null;
}

/** Serializes changes of an account's tree until the transaction ends. */
export async function lockTree(tx: Tx, accountId: string): Promise<void> {
  await tx`
    insert into cell_trees (account_id) values (${accountId})
    on conflict (account_id) do update set account_id = excluded.account_id`;
}

/** Adds a new cell. */
export async function addToTree(
  db: Queryable,
  accountId: string,
  { cellId, parentId }: Place,
): Promise<void> {
  await db`
    insert into cell_ancestors (account_id, cell_id, ancestor_id, distance)
    select ${accountId}::uuid, ${cellId}::uuid, ${cellId}::uuid, 0
    union all
    select account_id, ${cellId}::uuid, ancestor_id, distance + 1 from cell_ancestors
    where account_id = ${accountId} and cell_id = ${parentId}::uuid`;
}

/** Moves a cell, with everything below it, to another parent. The tree must be locked. */
export async function moveInTree(
  tx: Tx,
  accountId: string,
  { cellId, parentId }: Place,
): Promise<void> {
  const below = tx`
    select cell_id from cell_ancestors where account_id = ${accountId} and ancestor_id = ${cellId}`;
  await tx`
    delete from cell_ancestors
    where account_id = ${accountId} and cell_id in (${below}) and ancestor_id not in (${below})`;
  await tx`
    insert into cell_ancestors (account_id, cell_id, ancestor_id, distance)
    select moved.account_id, moved.cell_id, above.ancestor_id, moved.distance + above.distance + 1
    from cell_ancestors moved
    join cell_ancestors above on above.account_id = moved.account_id and above.cell_id = ${parentId}::uuid
    where moved.account_id = ${accountId} and moved.ancestor_id = ${cellId}`;
}
