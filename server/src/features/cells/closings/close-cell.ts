import { ApiError, fail, notAllowedHere, problem } from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { captureRows, insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { declineRequests } from "../join-requests/decline-requests.ts";
import { assertMayAt } from "../may-at.ts";
import {
  beginMemberships,
  type CellMember,
  endMemberships,
  lockMembers,
} from "../memberships/begin-and-end.ts";
import { isLeading } from "../memberships/roles.ts";
import { participantsElsewhere } from "../memberships/sole-participant.ts";
import { planMeetings } from "../meetings/plan-meetings.ts";
import type { ClosingFields } from "./fields.ts";
import { lockTree } from "../tree.ts";

const movedToPointer = "/data/relationships/moved-to/data";

/** POST /v1/cell-closings */
export async function closeCell(
  context: WriteContext<ClosingFields>,
  input: CreateInput<ClosingFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { cell: cellId, "moved-to": movedToId = null } = input.toOne;
  const { "closing-reason": closingReason = null } = input.attributes;
  if (movedToId !== null)
    await assertMayAt(context, "cell-memberships:write", movedToId, movedToPointer);
  await lockTree(db, actor.accountId);
  await checkCells(context, { cellId, movedToId });
  await lockMembers(context, cellId);

  beginBatch(db);
  await db`
    update cells set closed_at = now(), closing_reason = ${closingReason}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${cellId}`;
  const reason = movedToId === null ? "cell-closed" : "moved-cell";
  const ended = await endMemberships(context, cellId, reason);
  if (movedToId !== null) await moveMembers(context, movedToId, ended);
  await cancelMeetings(context, cellId);
  await declineRequests(context, cellId);
  await captureRows(context, "cells", "cell.closed", [cellId]);
  return insertRow(context, resource, input);
}

/** Locks both cells in the order of their ids, so that two closings cannot wait for each other. */
async function checkCells(
  { actor, db, resource }: WriteContext<ClosingFields>,
  { cellId, movedToId }: { cellId: string; movedToId: string | null },
): Promise<void> {
  const rows = await db<{ id: string; isClosed: boolean; hasOpenChildren: boolean }[]>`
    select id, closed_at is not null as "isClosed", exists (select from cells child
        where child.account_id = cells.account_id and child.parent_id = cells.id and child.closed_at is null)
      as "hasOpenChildren"
    from cells where account_id = ${actor.accountId} and id = any(${[cellId, movedToId ?? cellId]}::uuid[])
    order by id for no key update`;
  const find = (relationship: "cell" | "moved-to", id: string) => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw absentTarget(resource, relationship);
    return row;
  };
  const cell = find("cell", cellId);
  const pointer = "/data/relationships/cell/data";
  if (cell.isClosed) throw fail("cell-closed", "The cell is closed already.", { pointer });
  if (cell.hasOpenChildren)
    throw fail("cell-has-children", "The cell has child cells that are not closed.", { pointer });
  if (movedToId === null) return;
  const refused = (hint: string) =>
    new ApiError([
      problem("invalid-relationship", notAllowedHere(hint), { pointer: movedToPointer }),
    ]);
  if (movedToId === cellId) throw refused("The members cannot move to the cell that closes.");
  if (find("moved-to", movedToId).isClosed) throw refused("The cell is closed.");
}

/** Leading roles do not move. A person who is a participant of a third cell stays there only. */
async function moveMembers(
  context: WriteContext,
  cellId: string,
  ended: readonly CellMember[],
): Promise<void> {
  const members = ended.map(({ cellRole, personId }) => ({
    personId,
    cellRole: isLeading(cellRole) ? ("participant" as const) : cellRole,
  }));
  const participants = members.filter(({ cellRole }) => cellRole === "participant");
  const elsewhere = await participantsElsewhere(context.db, context.actor.accountId, {
    cellId,
    personIds: participants.map(({ personId }) => personId),
  });
  const moving = members.filter(
    ({ cellRole, personId }) => cellRole !== "participant" || !elsewhere.has(personId),
  );
  await beginMemberships(context, cellId, moving);
}

/** Deletes the upcoming meetings that the service planned, and cancels the others. */
async function cancelMeetings({ actor, db }: WriteContext, cellId: string): Promise<void> {
  await planMeetings(db, actor.accountId, [cellId]);
  await db`
    update cell_meetings set status = 'cancelled', ${revisedBy(actor)}
    where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'scheduled'
      and (date + coalesce(starts_at, 0) * interval '1 minute') at time zone time_zone_of(account_id) > now()`;
}
