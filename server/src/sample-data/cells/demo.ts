import { newId } from "../../base/ids.ts";
import type { DemoAccount, DemoClock } from "../demo-account.ts";
import { Die, seedOf } from "../random.ts";
import { type DemoCell, cells, multiplication, requests } from "./demo-cells.ts";
import { addDays } from "../../base/dates.ts";
import { meetingDates } from "../../features/cells/meetings/dates.ts";
import { planMeetings } from "../../features/cells/meetings/plan-meetings.ts";
import type { CellRole } from "../../features/cells/memberships/roles.ts";
import { reportOf, type SampleMember, type SampleReport } from "./meetings.ts";
import type { Value } from "../../store/insert-rows.ts";
import { addToTree } from "../../features/cells/tree.ts";

/** Cells meet from this many days ago until yesterday. */
const YEAR_DAYS = 364;
/** Members joined before the first of these meetings, unless the data says otherwise. */
const OPENED_DAYS = 700;
/** A visitor who stays becomes a participant after so many days. */
const VISITING_DAYS = 28;
const MEETING_MINUTES = 90;

interface Membership extends SampleMember {
  leftReason: string | null;
}

/** Three levels of cells that met for a year until today. */
export async function addDemo(account: DemoAccount): Promise<void> {
  const { accountId, tx } = account;
  const clock = await account.clock();
  for (const { name } of cells) account.newId("cells", name);
  await account.insert(
    "cells",
    cells.map((cell) => cellRow(account, cell, clock)),
  );
  for (const { name, parent } of cells) {
    const parentId = parent === undefined ? null : account.idOf("cells", parent);
    await addToTree(tx, accountId, { cellId: account.idOf("cells", name), parentId });
  }
  const tag_id = account.idOf("tags", "Open to guests");
  await account.insert(
    "cell_tags",
    cells.flatMap(({ isPublic, name }) =>
      isPublic ? { cell_id: account.idOf("cells", name), tag_id } : [],
    ),
  );
  const memberships = new Map(cells.map((cell) => [cell, membershipsOf(account, cell, clock)]));
  await account.insert(
    "cell_memberships",
    [...memberships].flatMap(([{ name }, members]) =>
      members.map(({ joinedOn, leftOn, leftReason, personId, role }, index) => ({
        id: account.newId("cell-memberships", `${name} ${index + 1}`),
        cell_id: account.idOf("cells", name),
        person_id: personId,
        cell_role: role,
        status: leftOn === null ? "active" : "left",
        joined_on: joinedOn,
        left_on: leftOn,
        left_reason: leftReason,
      })),
    ),
  );
  await addMeetings(account, memberships, clock);
  await addClosings(account, clock);
  await addRequests(account, clock);
  await addMultiplication(account, clock);
}

const timeOn = (date: string) => `${date}T10:00:00Z`;

function cellRow(account: DemoAccount, cell: DemoCell, clock: DemoClock): Record<string, unknown> {
  const { address, at, closed, level = 0, parent, startsAt } = cell;
  const [neighborhood, street, number] = address ?? [];
  const [latitude, longitude] = at ?? [];
  const opened = timeOn(clock.daysAgo(OPENED_DAYS));
  return {
    id: account.idOf("cells", cell.name),
    created_at: opened,
    opened_at: opened,
    parent_id: parent === undefined ? null : account.idOf("cells", parent),
    name: cell.name,
    cell_type: level > 0 ? "supervision" : "cell",
    level,
    category: cell.category ?? null,
    gender_category: cell.genderCategory ?? "mixed",
    weekday: cell.weekday ?? null,
    starts_at: startsAt ?? null,
    ends_at: startsAt === undefined ? null : startsAt + MEETING_MINUTES,
    frequency: cell.frequency ?? "weekly",
    address: address && {
      street,
      number,
      neighborhood,
      city: "Lisboa",
      country: "PT",
      ...(at && { latitude, longitude }),
    },
    is_public: cell.isPublic ?? false,
    ideal_size: level > 0 ? null : 10,
    closed_at: closed ? timeOn(clock.daysAgo(closed.daysAgo)) : null,
    closing_reason: closed?.reason ?? null,
  };
}

function membershipsOf(account: DemoAccount, cell: DemoCell, clock: DemoClock): Membership[] {
  const { closed, firstVisits = {}, left = [], people } = cell;
  const firstDay = clock.daysAgo(OPENED_DAYS);
  const die = dieFor(cell, 0);
  const membership = (person: string, role: CellRole, rest: Partial<Membership>): Membership => ({
    personId: account.idOf("people", person),
    role,
    joinedOn: firstDay,
    leftOn: closed ? clock.daysAgo(closed.daysAgo) : null,
    leftReason: closed ? "moved-cell" : null,
    faithfulness: role === "visitor" ? 0.4 : 0.6 + die.below(35) / 100,
    ...rest,
  });
  /** The last meeting that was at least so many days ago. */
  const meetingBefore = (daysAgo: number) =>
    datesOf(cell, clock, daysAgo + VISITING_DAYS, daysAgo).at(-1) ?? firstDay;
  const present = Object.entries(people).flatMap(([key, names]) =>
    names.flatMap((person, place) => {
      const role = key as CellRole;
      // Visitors came first when all cells still reported.
      if (role === "visitor")
        return membership(person, role, { joinedOn: meetingBefore(24 + 7 * place) });
      const visited = firstVisits[person];
      if (visited === undefined)
        return membership(person, role, {
          joinedOn: clock.daysAgo(joinedDaysAgo(cell, person)),
        });
      const joinedOn = meetingBefore(visited);
      const stayedOn = addDays(joinedOn, VISITING_DAYS);
      return [
        membership(person, "visitor", { joinedOn, leftOn: stayedOn, leftReason: "other" }),
        membership(person, role, { joinedOn: stayedOn }),
      ];
    }),
  );
  const past = left.map(({ daysAgo, person, reason }) =>
    membership(person, "participant", {
      leftOn: clock.daysAgo(daysAgo),
      leftReason: reason,
    }),
  );
  return [...present, ...past];
}

/** The members of a closed cell joined when it closed. */
function joinedDaysAgo({ name }: DemoCell, person: string): number {
  const closed = cells.find(
    (other) =>
      other.closed?.movedTo === name && Object.values(other.people).flat().includes(person),
  );
  return closed?.closed?.daysAgo ?? OPENED_DAYS;
}

/** The dates on which a cell met, between so many days ago. */
function datesOf(cell: DemoCell, clock: DemoClock, from: number, until: number): string[] {
  if (cell.weekday === undefined) return [];
  const { frequency = "weekly", weekday } = cell;
  const openedOn = clock.daysAgo(OPENED_DAYS);
  const schedule = { weekday, frequency, openedOn, recessFrom: null, recessTo: null };
  return meetingDates(schedule, clock.daysAgo(from), clock.daysAgo(until));
}

const seed = seedOf("demo");
const dieFor = (cell: DemoCell, index: number) => new Die(seed, cell.name, 0, index);

async function addMeetings(
  account: DemoAccount,
  memberships: ReadonlyMap<DemoCell, readonly Membership[]>,
  clock: DemoClock,
): Promise<void> {
  const reports: SampleReport[] = [];
  const unreported = [];
  for (const cell of cells) {
    const members = memberships.get(cell) ?? [];
    const usual = datesOf(cell, clock, YEAR_DAYS, cell.closed?.daysAgo ?? 1);
    const dates = [...new Set(cell.metYesterday ? [...usual, clock.daysAgo(1)] : usual)];
    const startsAt = cell.startsAt ?? 0;
    const sample = {
      id: account.idOf("cells", cell.name),
      startsAt,
      endsAt: startsAt + MEETING_MINUTES,
      reporterId: members.find(({ role }) => role === "leader")?.personId ?? null,
      members,
    };
    const reported = dates.length - (cell.unreported ?? 0);
    const ofCell: SampleReport[] = [];
    for (const [index, date] of dates.entries()) {
      const report = reportOf(sample, date, dieFor(cell, index + 1));
      if (index < reported && Date.parse(report.meeting.submitted_at) < clock.nowMs)
        ofCell.push(report);
      else
        unreported.push({
          id: newId(),
          cell_id: sample.id,
          date,
          starts_at: sample.startsAt,
          ends_at: sample.endsAt,
          is_automatic: usual.includes(date),
        });
    }
    reports.push(
      ...withAbsences(
        ofCell,
        (cell.missing ?? []).map((name) => account.idOf("people", name)),
      ),
    );
  }
  // Each installation has ids of its own.
  const ids = new Map(reports.map(({ meeting }) => [meeting.id, newId()]));
  await account.insert(
    "cell_meetings",
    reports.map(({ meeting }) => ({ ...meeting, id: ids.get(meeting.id), is_automatic: true })),
  );
  await account.insert("cell_meetings", unreported);
  await account.insert(
    "cell_attendances",
    reports.flatMap(({ attendances }) =>
      attendances.map((row) => ({ ...row, id: newId(), meeting_id: ids.get(row.meeting_id) })),
    ),
  );
  const cellIds = cells.map(({ name }) => account.idOf("cells", name));
  await planMeetings(account.tx, account.accountId, cellIds);
}

/** The reports, without some people in the last three meetings that took place. A member without a row was absent. */
function withAbsences(reports: readonly SampleReport[], missing: readonly Value[]) {
  const last = new Set(reports.filter(({ meeting }) => meeting.status === "held").slice(-3));
  return reports.map((report) =>
    last.has(report)
      ? {
          ...report,
          attendances: report.attendances.filter(({ person_id }) => !missing.includes(person_id)),
        }
      : report,
  );
}

async function addClosings(account: DemoAccount, clock: DemoClock): Promise<void> {
  await account.insert(
    "cell_closings",
    cells.flatMap(({ closed, name }) =>
      closed
        ? {
            id: newId(),
            created_at: timeOn(clock.daysAgo(closed.daysAgo)),
            cell_id: account.idOf("cells", name),
            moved_to_id: account.idOf("cells", closed.movedTo),
            closing_reason: closed.reason,
          }
        : [],
    ),
  );
}

async function addRequests(account: DemoAccount, clock: DemoClock): Promise<void> {
  const leaderOf = (name: string) =>
    account.idOf("people", cells.find((cell) => cell.name === name)?.people.leader?.[0] ?? "");
  await account.insert(
    "cell_join_requests",
    requests.map(({ cell, contact, daysAgo, declineReason, message, person, source, status }) => {
      const asked = timeOn(clock.daysAgo(daysAgo));
      const isDecided = status !== "pending";
      return {
        id: newId(),
        created_at: asked,
        cell_id: account.idOf("cells", cell),
        person_id: person === undefined ? null : account.idOf("people", person),
        contact: contact ?? null,
        message,
        source,
        is_confirmed: source === "public" && contact?.["email"] !== undefined,
        status,
        decline_reason: declineReason ?? null,
        decided_at: isDecided ? timeOn(clock.daysAgo(daysAgo - 1)) : null,
        decided_by: isDecided ? leaderOf(cell) : null,
      };
    }),
  );
}

async function addMultiplication(account: DemoAccount, clock: DemoClock): Promise<void> {
  const { cell, leaders, members, newCell, note } = multiplication;
  const multiplication_id = newId();
  await account.insert("cell_multiplications", [
    {
      id: multiplication_id,
      created_at: timeOn(clock.daysAgo(4)),
      parent_cell_id: account.idOf("cells", cell),
      new_cell: newCell,
      note,
    },
  ]);
  const named = (people: readonly string[]) =>
    people.map((person) => ({ multiplication_id, person_id: account.idOf("people", person) }));
  await account.insert("cell_multiplication_leaders", named(leaders));
  await account.insert("cell_multiplication_members", named(members));
}
