import { lockPeople } from "../../../access/locks.ts";
import { ApiError, fail, type Problem, problem, refuse } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { Tx } from "../../../store/db.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import type { MembershipValues } from "./fields.ts";
import type { MembershipStatus } from "./statuses.ts";

export interface CellRow {
  id: string;
  cellType: "cell" | "supervision";
  isClosed: boolean;
}

/** Reads a cell and keeps it from being closed until the transaction ends. */
export async function holdCell(
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
export async function holdOpenCell(
  { actor, db, of }: WriteContext,
  cellId: string,
  relationship: string,
): Promise<CellRow> {
  const pointer = `/data/relationships/${relationship}/data`;
  const cell = await holdCell(db, actor.accountId, cellId);
  if (!cell) throw absentTarget(of, relationship);
  if (cell.isClosed) throw fail("cell-closed", "The cell is closed.", { pointer });
  return cell;
}

/**
 * Locks people, so that parallel requests cannot make one of them a participant of two cells. Returns those who are
 * participants of a cell other than `cellId`, if the account allows only one.
 */
export async function participantsElsewhere(
  tx: Tx,
  accountId: string,
  { cellId, personIds }: { cellId: string; personIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const ids = [...personIds];
  await lockPeople(tx, accountId, ids);
  const rows = await tx<{ personId: string }[]>`
    select distinct person_id as "personId" from sole_participants
    where account_id = ${accountId} and person_id = any(${ids}::uuid[]) and cell_id <> ${cellId}`;
  return new Set(rows.map(({ personId }) => personId));
}

/** Rejects a person who is a participant of another cell. */
export async function assertNoParticipantElsewhere(
  { actor, db }: WriteContext,
  membership: { cellId: string; personId: string },
): Promise<void> {
  const { cellId, personId } = membership;
  const elsewhere = await participantsElsewhere(db, actor.accountId, {
    cellId,
    personIds: [personId],
  });
  if (elsewhere.size > 0) throw new ApiError([participantElsewhere()]);
}

export const participantElsewhere = (): Problem =>
  problem("participant-elsewhere", "The person is a participant of another cell.", {
    pointer: "/data/attributes/cell-role",
  });

export interface Days {
  today: string;
  tomorrow: string;
}

export async function daysOf({ actor, db }: Pick<WriteContext, "actor" | "db">): Promise<Days> {
  const [row] = await db<Days[]>`
    select today::text, (today + 1)::text as tomorrow from today_in(${actor.accountId}) as today`;
  return row ?? { today: "", tomorrow: "" };
}

/**
 * Rejects impossible dates. Dates may be one day ahead of the account's, because members live in several time zones.
 */
export function dateProblems(
  attributes: MembershipValues,
  status: MembershipStatus,
  { tomorrow }: Days,
): Problem[] {
  const problems: Problem[] = [];
  const report = (name: string, detail: string) =>
    refuse(problems, "invalid-attribute", detail, `/data/attributes/${name}`);
  for (const name of ["joined-on", "left-on"] as const)
    if ((attributes[name] ?? "") > tomorrow) report(name, "Must not be later than tomorrow.");
  for (const name of ["left-on", "left-reason"] as const) {
    const value = attributes[name];
    if (status === "active" && value) report(name, "An active membership has none.");
    if (status === "left" && value === null) report(name, "A membership that has ended needs one.");
  }
  return problems;
}

/** Adds the day and the reason of an end that the document omits, and rejects impossible dates. */
export async function completeDates(
  context: WriteContext,
  attributes: MembershipValues,
  { ends, status }: { status: MembershipStatus; ends: boolean },
): Promise<{ attributes: MembershipValues; today: string }> {
  const days = await daysOf(context);
  const { today } = days;
  const problems = dateProblems(attributes, status, days);
  if (problems.length > 0) throw new ApiError(problems);
  if (!ends) return { attributes, today };
  const { "left-on": leftOn = today, "left-reason": reason = "other" } = attributes;
  return { attributes: { ...attributes, "left-on": leftOn, "left-reason": reason }, today };
}
