import { ApiError, type Problem, problem } from "../../../base/errors.ts";
import type { ImportOptions } from "../../../jsonapi/definition/importer.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { idsNamed } from "../../../jsonapi/sql/named.ts";
import type { MembershipFields } from "../memberships/fields.ts";
import { assertMayAppoint, type CellRole, isLeading } from "../memberships/roles.ts";
import { type CellRow } from "../memberships/locks.ts";
import { dateProblems, type Days, daysOf } from "../memberships/dates.ts";
import { participantElsewhere } from "../memberships/sole-participant.ts";
import type { MembershipStatus } from "../memberships/statuses.ts";

type WantedAttributes = CreateInput<MembershipFields>["attributes"];

/** A membership that a row of an import will create. */
export interface WantedMembership {
  row: number;
  /** Null for a person whom the run will create. */
  personId: string | null;
  /** The name of the cell. */
  cell: string;
  attributes: WantedAttributes;
}

export interface PlannedMembership {
  cellId: string;
  /** The membership exists, so that the row has nothing to do. */
  exists: boolean;
  problems: readonly Problem[];
}

interface Membership {
  cellId: string;
  personId: string;
  cellRole: CellRole;
  status: MembershipStatus;
  joinedOn: string;
}

/** Everything that the rules of a batch compare. */
interface Standing {
  cells: ReadonlyMap<string, readonly CellRow[]>;
  memberships: ReadonlyMap<string, readonly Membership[]>;
  /** Problems of the cells whose leaders the caller may not appoint. */
  appointments: ReadonlyMap<string, readonly Problem[]>;
  /** The people who cannot become participants of a further cell. */
  participants: ReadonlySet<string>;
  onlyOneCell: boolean;
  days: Days;
}

/** The rules of POST /v1/cell-memberships for the rows of a batch, and those between the rows of a file. */
export async function planMemberships(
  context: WriteContext,
  rows: readonly WantedMembership[],
  { earlier }: Pick<ImportOptions, "earlier">,
): Promise<ReadonlyMap<number, PlannedMembership>> {
  const standing = await standingOf(context, rows);
  return new Map(rows.map((one) => [one.row, planOne(standing, one, earlier)]));
}

function planOne(
  { appointments, cells, days, memberships, onlyOneCell, participants }: Standing,
  { attributes, cell: name, personId, row }: WantedMembership,
  earlier: Map<string, number>,
): PlannedMembership {
  const found = cells.get(name) ?? [];
  const [cell] = found;
  const planned = (...problems: Problem[]) => ({ cellId: cell?.id ?? "", exists: false, problems });
  if (!cell) return planned(absent(name));
  if (found.length > 1) return planned(ambiguous(name, found.length));
  const ofPerson = memberships.get(personId ?? "") ?? [];
  const { "cell-role": role, status = "active" } = attributes;
  const joinedOn = attributes["joined-on"] ?? null;
  const exists = ofPerson.some(
    (one) =>
      one.cellId === cell.id &&
      one.status === status &&
      (status === "active" || one.joinedOn === joinedOn),
  );
  if (exists) return { cellId: cell.id, exists: true, problems: [] };
  if (cell.isClosed)
    return planned(problem("cell-closed", `The cell ${name} is closed.`, { pointer: AT_CELL }));

  const problems = [...dateProblems(attributes, status, days)];
  if (isLeading(role)) problems.push(...(appointments.get(cell.id) ?? []));
  if (personId === null || status !== "active") return planned(...problems);

  const joining = `member ${personId} ${cell.id}`;
  const participating = role === "participant" && onlyOneCell && `participant ${personId}`;
  const repeated = earlier.get(joining);
  if (repeated !== undefined) problems.push(repetition(repeated));
  else if (participating && (earlier.has(participating) || participants.has(personId)))
    problems.push(participantElsewhere());
  if (problems.length === 0)
    for (const key of [joining, participating]) if (key) earlier.set(key, row);
  return planned(...problems);
}

const AT_CELL = "/data/attributes/cell";

const absent = (name: string): Problem =>
  problem(
    "invalid-relationship",
    { rule: "not-found", hint: `No cell has the name ${name}.` },
    { pointer: AT_CELL },
  );

const ambiguous = (name: string, count: number): Problem =>
  problem("conflict", `${count} cells have the name ${name}. Rename them.`, { pointer: AT_CELL });

const repetition = (row: number): Problem =>
  problem("already-exists", `Row ${row} is about the same membership.`, { pointer: AT_CELL });

async function standingOf(
  context: WriteContext,
  rows: readonly WantedMembership[],
): Promise<Standing> {
  const { actor, db } = context;
  const { accountId } = actor;
  const cells = await cellsNamed(
    context,
    rows.map(({ cell }) => cell),
  );
  const people = rows.flatMap(({ personId }) => personId ?? []);
  const memberships = await db<Membership[]>`
    select cell_id as "cellId", person_id as "personId", cell_role as "cellRole", status,
      joined_on::text as "joinedOn"
    from cell_memberships where account_id = ${accountId} and person_id = any(${people}::uuid[])`;
  const participants = await db<{ personId: string }[]>`
    select person_id as "personId" from sole_participants
    where account_id = ${accountId} and person_id = any(${people}::uuid[])`;
  const [account] = await db<{ onlyOneCell: boolean }[]>`
    select has_one_participant_cell as "onlyOneCell" from account_facts where account_id = ${accountId}`;
  const led = rows
    .filter(({ attributes }) => isLeading(attributes["cell-role"]))
    .flatMap(({ cell }) => cells.get(cell) ?? []);
  const appointments = new Map<string, readonly Problem[]>();
  for (const cell of new Map(led.map((one) => [one.id, one])).values())
    appointments.set(cell.id, await appointmentProblems(context, cell));
  return {
    cells,
    memberships: Map.groupBy(memberships, ({ personId }) => personId),
    appointments,
    participants: new Set(participants.map(({ personId }) => personId)),
    onlyOneCell: account?.onlyOneCell === true,
    days: await daysOf(context),
  };
}

/** The problems of appointing a leader in the cell. */
export async function appointmentProblems(
  context: WriteContext,
  cell: Pick<CellRow, "id" | "cellType">,
): Promise<readonly Problem[]> {
  try {
    await assertMayAppoint(context, cell);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.problems;
    throw error;
  }
}

/** The cells with each of these names. A closed cell counts only if no open one has the name. */
async function cellsNamed(
  context: WriteContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly CellRow[]>> {
  const { actor, catalogue, db } = context;
  const named = await idsNamed(context, definitionOf(catalogue, "cells"), names);
  const ids = [...named.values()].flatMap((one) => one.ids);
  const rows = await db<CellRow[]>`
    select id, cell_type as "cellType", closed_at is not null as "isClosed" from cells
    where account_id = ${actor.accountId} and id = any(${ids}::uuid[])`;
  const cells = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...named].map(([name, one]) => {
      const all = one.ids.flatMap((id) => cells.get(id) ?? []);
      const open = all.filter(({ isClosed }) => !isClosed);
      return [name, open.length > 0 ? open : all];
    }),
  );
}
