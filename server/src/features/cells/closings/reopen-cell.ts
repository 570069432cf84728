import { fail } from "../../../base/errors.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { captureRows, insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { planMeetings } from "../meetings/plan-meetings.ts";
import type { ReopeningFields } from "./fields.ts";
import { lockTree } from "../tree.ts";

/** POST /v1/cell-reopenings */
export async function reopenCell(
  context: WriteContext<ReopeningFields>,
  input: CreateInput<ReopeningFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { cell: cellId } = input.toOne;
  const pointer = "/data/relationships/cell/data";
  await lockTree(db, actor.accountId);
  const [cell] = await db<{ isClosed: boolean }[]>`
    select closed_at is not null as "isClosed" from cells
    where account_id = ${actor.accountId} and id = ${cellId} for no key update`;
  if (!cell) throw absentTarget(resource, "cell");
  if (!cell.isClosed)
    throw fail(
      "invalid-transition",
      "The cell is not closed.",
      { pointer },
      { from: "active", to: "active", allowed: ["closed"] },
    );
  await db`
    update cells set closed_at = null, closing_reason = null, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${cellId}`;
  await planMeetings(db, actor.accountId, [cellId]);
  await captureRows(context, "cells", "cell.reopened", [cellId]);
  return insertRow(context, resource, input);
}
