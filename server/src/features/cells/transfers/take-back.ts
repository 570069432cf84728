import { lockPeople } from "../../../access/locks.ts";
import { holds } from "../../../access/policy.ts";
import { fail, forbidden } from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { ReadContext, WriteContext } from "../../../jsonapi/definition/resource.ts";
import { endPasswordLinks } from "../../../jsonapi/sql/rights.ts";
import { captureRows, deleteRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { mayAt } from "../may-at.ts";
import { endMemberships } from "../memberships/begin-and-end.ts";
import { type CellRole, isLeading } from "../memberships/roles.ts";
import { participantsElsewhere } from "../memberships/sole-participant.ts";
import type { TransferFields } from "./fields.ts";

/** How long a transfer can be taken back, as an import can. */
const DAYS = 7;

/** A person of a transfer, with the membership that ended and the one that began. */
interface Moved {
  endedId: string;
  endedRole: CellRole;
  /** Null for a person who was in the other cell already. */
  begunId: string | null;
  begunRole: CellRole | null;
  personId: string;
  /** Both memberships are as the transfer left them. */
  isUnchanged: boolean;
}

interface Transfer {
  fromCell: Place;
  toCell: Place;
  isRecent: boolean;
  isFromClosed: boolean;
  moved: readonly Moved[];
}

interface Place {
  id: string;
  cellType: "cell" | "supervision";
}

/**
 * DELETE /v1/cell-transfers/:id. The former memberships are active again, with their roles and days. Those that began are deleted as
 * entries made by mistake. Cells are locked first, then people, then memberships, as by the transfer.
 */
export async function takeTransferBack(
  context: WriteContext<TransferFields>,
  id: string,
): Promise<void> {
  const { actor, db, resource } = context;
  await lock(context, id);
  const transfer = await transferOf(context, id);
  await deleteRow(context, resource, id);
  if (!transfer) return;
  if (!(await mayTakeBack(context, transfer)))
    throw forbidden("This person may not change the memberships of both cells.");
  if (isOver(transfer))
    throw fail(
      "conflict",
      `A transfer can be taken back within ${DAYS} days, while the people are where it moved them.`,
    );

  beginBatch(db);
  await endBegun(context, transfer);
  await assertNoParticipants(context, transfer);
  const ended = transfer.moved.map(({ endedId }) => endedId).sort();
  await context.confirmation.now(db);
  await db`
    update cell_memberships set status = 'active', left_on = null, left_reason = null, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = any(${ended}::uuid[])`;
  await endPasswordLinks(
    context,
    transfer.moved.flatMap(({ endedRole, personId }) => (isLeading(endedRole) ? personId : [])),
  );
  await captureRows(context, "cell-memberships", "cell-membership.updated", ended, [
    "status",
    "left-on",
    "left-reason",
  ]);
}

async function lock({ actor, db }: WriteContext, id: string): Promise<void> {
  const { accountId } = actor;
  await db`
    select from cells where account_id = ${accountId} and id in (
      select unnest(array[from_cell_id, to_cell_id]) from cell_transfers where account_id = ${accountId} and id = ${id})
    order by id for share`;
  const people = db`
    select person_id from cell_memberships where account_id = ${accountId} and id in (
      select membership_id from cell_transfer_memberships where account_id = ${accountId} and transfer_id = ${id})`;
  await lockPeople(db, accountId, people);
  await db`
    select from cell_memberships where account_id = ${accountId} and person_id in (${people}) and cell_id in (
      select unnest(array[from_cell_id, to_cell_id]) from cell_transfers where account_id = ${accountId} and id = ${id})
    order by id for no key update`;
}

/** The memberships that a transfer wrote have its time, because one transaction wrote all of them. */
async function transferOf({ actor, db }: ReadContext, id: string): Promise<Transfer | undefined> {
  const { accountId } = actor;
  const [transfer] = await db<Omit<Transfer, "moved">[]>`
    select json_build_object('id', from_cell.id, 'cellType', from_cell.cell_type) as "fromCell",
      json_build_object('id', to_cell.id, 'cellType', to_cell.cell_type) as "toCell",
      transfer.created_at > now() - make_interval(days => ${DAYS}) as "isRecent",
      from_cell.closed_at is not null as "isFromClosed"
    from cell_transfers transfer
    join cells from_cell on from_cell.account_id = transfer.account_id and from_cell.id = transfer.from_cell_id
    join cells to_cell on to_cell.account_id = transfer.account_id and to_cell.id = transfer.to_cell_id
    where transfer.account_id = ${accountId} and transfer.id = ${id}`;
  if (!transfer) return undefined;
  const moved = await db<Moved[]>`
    select ended.id as "endedId", ended.cell_role as "endedRole", ended.person_id as "personId",
      begun.id as "begunId", begun.cell_role as "begunRole",
      ended.status = 'left' and ended.modified_at = transfer.created_at and ended.person_id is not null
        and coalesce(begun.status = 'active' and begun.version = 1, true) as "isUnchanged"
    from cell_transfers transfer
    join cell_transfer_memberships part on part.account_id = transfer.account_id and part.transfer_id = transfer.id
    join cell_memberships ended on ended.account_id = part.account_id and ended.id = part.membership_id
    left join cell_memberships begun on begun.account_id = ended.account_id and begun.person_id = ended.person_id
      and begun.cell_id = transfer.to_cell_id and begun.created_at = transfer.created_at
    where transfer.account_id = ${accountId} and transfer.id = ${id}
    order by ended.id`;
  return { ...transfer, moved };
}

/** The rights of the transfer, in the other direction. */
async function mayTakeBack(
  context: ReadContext,
  { fromCell, moved, toCell }: Transfer,
): Promise<boolean> {
  const leads = {
    [fromCell.id]: moved.some(({ endedRole }) => isLeading(endedRole)),
    [toCell.id]: moved.some(({ begunRole }) => begunRole !== null && isLeading(begunRole)),
  };
  for (const { cellType, id } of [fromCell, toCell]) {
    if (!(await mayAt(context, "cell-memberships:write", id))) return false;
    if (!leads[id]) continue;
    const mayAppoint =
      cellType === "supervision"
        ? holds(context.actor, "role-assignments:write")
        : await mayAt(context, "role-assignments:write", id);
    if (!mayAppoint) return false;
  }
  return true;
}

const isOver = ({ isFromClosed, isRecent, moved }: Transfer): boolean =>
  !isRecent || isFromClosed || !moved.every(({ isUnchanged }) => isUnchanged);

/** The event tells receivers that a membership is over. The row goes, since the person was never meant to be in the cell. */
async function endBegun(context: WriteContext, { moved, toCell }: Transfer): Promise<void> {
  const { actor, db } = context;
  const begun = moved.filter(({ begunId }) => begunId !== null);
  const personIds = begun.map(({ personId }) => personId);
  if (personIds.length === 0) return;
  await endMemberships(context, toCell.id, "moved-cell", { personIds });
  await db`
    delete from cell_memberships
    where account_id = ${actor.accountId} and id = any(${begun.map(({ begunId }) => begunId)}::uuid[])`;
}

/** A person can have become a participant of a third cell, or be one of the other cell since before. */
async function assertNoParticipants(
  { actor, db }: WriteContext,
  { fromCell, moved }: Transfer,
): Promise<void> {
  const personIds = moved
    .filter(({ endedRole }) => endedRole === "participant")
    .map(({ personId }) => personId);
  const elsewhere = await participantsElsewhere(db, actor.accountId, {
    cellId: fromCell.id,
    personIds,
  });
  if (elsewhere.size > 0)
    throw fail("participant-elsewhere", "A person is a participant of another cell.");
}

/** `meta.may` asks both questions about a transfer. */
export const asksWhetherMay = async (context: ReadContext, id: string): Promise<boolean> => {
  const transfer = await transferOf(context, id);
  return transfer !== undefined && (await mayTakeBack(context, transfer));
};

export const asksWhetherOver = async (context: ReadContext, id: string): Promise<boolean> => {
  const transfer = await transferOf(context, id);
  return transfer === undefined || isOver(transfer);
};
