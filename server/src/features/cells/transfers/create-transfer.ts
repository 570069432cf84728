import { lockPeople } from "../../../access/locks.ts";
import {
  ApiError,
  fail,
  invalid,
  notAllowedHere,
  type Problem,
  problem,
} from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { Broken } from "../../../base/rules.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { linkableIds } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAt } from "../may-at.ts";
import { beginMemberships, type CellMember, endMemberships } from "../memberships/begin-and-end.ts";
import { daysOf } from "../memberships/dates.ts";
import type { CellRow } from "../memberships/locks.ts";
import { assertMayAppoint, higherRole, isLeading, mayAppoint } from "../memberships/roles.ts";
import { participantElsewhere, participantsElsewhere } from "../memberships/sole-participant.ts";
import type { TransferFields } from "./fields.ts";

/** The number of memberships per transfer. */
const MEMBERSHIPS_MAX = 100;

const membershipsPointer = "/data/relationships/memberships";
const entryPointer = (position: number) => `${membershipsPointer}/data/${position}/id`;

/** POST /v1/cell-transfers. Cells are locked first, then people, then memberships. */
export async function createTransfer(
  context: WriteContext<TransferFields>,
  input: CreateInput<TransferFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { "to-cell": toCellId } = input.toOne;
  const ids = input.toMany.memberships ?? [];
  const fromCellId = await cellOf(context, ids);
  await assertMayAt(context, "cell-memberships:write", fromCellId, membershipsPointer);
  const { fromCell, toCell } = await lockCells(context, { fromCellId, toCellId });
  await lockPeople(
    db,
    actor.accountId,
    db`select person_id from cell_memberships where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])`,
  );
  const moving = await lockMemberships(context, ids);
  await assertMayDismiss(context, fromCell, moving);
  const on = await dayOf(context, input.attributes["transferred-on"], moving);
  const leading = moving.flatMap(({ cellRole, personId }) => (isLeading(cellRole) ? personId : []));
  const mayGive = leading.length > 0 && (await mayAppoint(context, toCell, leading));
  const members = moving.map(
    ({ cellRole, personId }): CellMember => ({
      personId,
      cellRole: isLeading(cellRole) && !mayGive ? "participant" : cellRole,
    }),
  );

  beginBatch(db);
  const personIds = moving.map(({ personId }) => personId);
  await endMemberships(context, fromCellId, "moved-cell", { personIds, on });
  await assertParticipantsHere(context, toCellId, members);
  await beginMemberships(context, toCellId, members, { on, raisesRoles: true });
  return insertRow(context, resource, {
    attributes: { "transferred-on": on },
    toOne: { "to-cell": toCellId, "from-cell": fromCellId },
    toMany: { memberships: ids },
  });
}

/** The cell of the memberships, if the caller can read all of them. */
async function cellOf(context: WriteContext, ids: readonly string[]): Promise<string> {
  const source = { pointer: `${membershipsPointer}/data` };
  if (ids.length === 0) throw fail("invalid-relationship", { rule: "min-items", limit: 1 }, source);
  if (ids.length > MEMBERSHIPS_MAX)
    throw fail("invalid-relationship", { rule: "max-items", limit: MEMBERSHIPS_MAX }, source);
  const memberships = definitionOf(context.catalogue, "cell-memberships");
  const known = await linkableIds(context, memberships, ids);
  const { actor, db } = context;
  const rows = await db<{ id: string; cellId: string }[]>`
    select id, cell_id as "cellId" from cell_memberships
    where account_id = ${actor.accountId} and id = any(${[...known]}::uuid[])`;
  const cells = new Map(rows.map(({ cellId, id }) => [id, cellId]));
  const [first] = ids.flatMap((id) => cells.get(id) ?? []);
  assertEach(ids, (id) => {
    if (!cells.has(id)) return { rule: "not-found" };
    return cells.get(id) === first ? undefined : notAllowedHere("It is of another cell.");
  });
  return first ?? "";
}

/** Rejects the entries for which `reject` returns the reason. */
function assertEach(
  ids: readonly string[],
  reject: (id: string) => Broken | Problem | undefined,
): void {
  const problems = ids.flatMap((id, position): Problem[] => {
    const refused = reject(id);
    if (refused === undefined) return [];
    const pointer = entryPointer(position);
    return "rule" in refused
      ? [problem("invalid-relationship", refused, { pointer })]
      : [{ ...refused, source: { pointer } }];
  });
  if (problems.length > 0) throw new ApiError(problems);
}

/** Keeps both cells from being closed. They are locked in the order of their ids, as by closings. */
async function lockCells(
  { actor, db, resource }: WriteContext<TransferFields>,
  { fromCellId, toCellId }: { fromCellId: string; toCellId: string },
): Promise<{ fromCell: CellRow; toCell: CellRow }> {
  const rows = await db<CellRow[]>`
    select id, cell_type as "cellType", closed_at is not null as "isClosed" from cells
    where account_id = ${actor.accountId} and id = any(${[fromCellId, toCellId]}::uuid[])
    order by id for share`;
  const [fromCell, toCell] = [fromCellId, toCellId].map((id) => rows.find((one) => one.id === id));
  if (!toCell || !fromCell) throw absentTarget(resource, toCell ? "memberships" : "to-cell");
  const pointer = "/data/relationships/to-cell/data";
  if (fromCellId === toCellId)
    throw fail("invalid-relationship", notAllowedHere("The people are in it already."), {
      pointer,
    });
  if (toCell.isClosed) throw fail("cell-closed", "The cell is closed.", { pointer });
  return { fromCell, toCell };
}

interface Moving extends CellMember {
  id: string;
  joinedOn: string;
}

/** Another request can have ended a membership in the meantime. */
async function lockMemberships(
  { actor, db }: WriteContext,
  ids: readonly string[],
): Promise<readonly Moving[]> {
  const rows = await db<(Moving & { isActive: boolean })[]>`
    select id, person_id as "personId", cell_role as "cellRole", joined_on::text as "joinedOn",
      status = 'active' as "isActive"
    from cell_memberships where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
    order by id for no key update`;
  const active = new Map(rows.filter(({ isActive }) => isActive).map((row) => [row.id, row]));
  assertEach(ids, (id) =>
    active.has(id) ? undefined : notAllowedHere("The membership has ended."),
  );
  return ids.flatMap((id) => active.get(id) ?? []);
}

/** The end of a leading role needs the right to appoint leaders of that cell. */
async function assertMayDismiss(
  context: WriteContext,
  cell: CellRow,
  moving: readonly Moving[],
): Promise<void> {
  const position = moving.findIndex(({ cellRole }) => isLeading(cellRole));
  if (position >= 0) await assertMayAppoint(context, cell, { pointer: entryPointer(position) });
}

async function dayOf(
  context: WriteContext,
  given: string | undefined,
  moving: readonly Moving[],
): Promise<string> {
  const { today, tomorrow } = await daysOf(context);
  const on = given ?? today;
  const refused = (broken: Broken) => invalid("/data/attributes/transferred-on", broken);
  if (on > tomorrow) throw refused({ rule: "in-the-future", limit: tomorrow });
  const earliest =
    moving
      .map(({ joinedOn }) => joinedOn)
      .sort()
      .at(-1) ?? on;
  if (on < earliest) throw refused({ rule: "too-early", limit: earliest });
  return on;
}

/** The former memberships have ended, so only a third cell counts. People in `cellId` keep a higher role that they have. */
async function assertParticipantsHere(
  context: WriteContext,
  cellId: string,
  members: readonly CellMember[],
): Promise<void> {
  const { actor, db } = context;
  const present = await db<CellMember[]>`
    select person_id as "personId", cell_role as "cellRole" from cell_memberships
    where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'active'
      and person_id = any(${members.map(({ personId }) => personId)}::uuid[])`;
  const roles = new Map(present.map(({ cellRole, personId }) => [personId, cellRole]));
  const personIds = members
    .filter(({ cellRole, personId }) => {
      const known = roles.get(personId);
      return (known ? higherRole(cellRole, known) : cellRole) === "participant";
    })
    .map(({ personId }) => personId);
  const elsewhere = await participantsElsewhere(db, actor.accountId, { cellId, personIds });
  assertEach(
    members.map(({ personId }) => personId),
    (personId) => (elsewhere.has(personId) ? participantElsewhere() : undefined),
  );
}
