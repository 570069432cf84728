import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import type { Tx } from "../../../store/db.ts";

export interface CellRow {
  id: string;
  cellType: "cell" | "supervision";
  isClosed: boolean;
}

/** Reads a cell and keeps it from being closed until the transaction ends. */
export async function lockCell(
  tx: Tx,
  accountId: string,
  cellId: string,
): Promise<CellRow | undefined> {
  const [cell] = await tx<CellRow[]>`
    select id, cell_type as "cellType", closed_at is not null as "isClosed" from cells
    where account_id = ${accountId} and id = ${cellId} for share`;
  return cell;
}

/** Reads the cell of a relationship of the document. It must exist and be open. */
export async function lockOpenCell(
  { actor, db, resource }: WriteContext,
  cellId: string,
  relationship: string,
): Promise<CellRow> {
  const pointer = `/data/relationships/${relationship}/data`;
  const cell = await lockCell(db, actor.accountId, cellId);
  if (!cell) throw absentTarget(resource, relationship);
  if (cell.isClosed) throw fail("cell-closed", "The cell is closed.", { pointer });
  return cell;
}
