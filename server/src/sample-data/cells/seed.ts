import { lifeOf } from "../life.ts";
import { draw, idOf, type Plan } from "../plan.ts";
import { Die } from "../random.ts";
import type { SeededAccount } from "../seeded-account.ts";
import type { Value } from "../../store/insert-rows.ts";
import { addDays } from "../../base/dates.ts";
import type { CellRole } from "../../features/cells/memberships/roles.ts";
import {
  attendanceColumns,
  meetingColumns,
  reportOf,
  type SampleCell,
  type SampleMember,
} from "./meetings.ts";

/** A supervision has so many cells or supervisions below it. */
const CHILDREN = 10;

/** The day after the last meetings, a Monday. It is fixed, so that a seeded row is the same next year. */
const LAST_MONDAY = "2024-12-30";

/** A visitor who stays becomes a participant after so many weeks. */
const VISITING_WEEKS = 4;

/** The cells, and the supervisions above them level by level, are numbered one after another. */
interface Level {
  first: number;
  count: number;
}

/** A cell and the facts from which its rows follow. */
interface SeededCell extends SampleCell {
  /** 0 is Monday. */
  day: number;
  members: readonly Membership[];
}

interface Membership extends SampleMember {
  leftReason: string | null;
}

/** Cells in levels, their members, and the meetings of the last weeks. */
export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan } = account;
  const levels = levelsOf(plan.shape.cells);
  await account.insert("cells", cellColumns, cellRows(plan, levels));
  await account.insert(
    "cell_ancestors",
    ["cell_id", "ancestor_id", "distance"],
    ancestors(plan, levels),
  );
  const cells = Array.from({ length: plan.shape.cells }, (_, cell) => cellOf(plan, cell));
  await account.insert("cell_memberships", membershipColumns, memberships(plan, levels, cells));
  // A week of all cells fits into memory, and a year does not. Rows of the same time lie together, like in a real account.
  for (let week = 0; week < plan.shape.weeks; week += 1) {
    await addWeek(account, cells, week);
    // Without statistics, PostgreSQL checks each foreign key by a scan that grows with the account. The lock lasts until the
    // transaction ends, so an account that is seeded at the same time goes on without it.
    if (week === 0) await account.tx`analyze (skip_locked) people, cells, cell_meetings`;
  }
}

function levelsOf(cells: number): Level[] {
  const levels: Level[] = [{ first: 0, count: cells }];
  for (let below = cells, first = cells; below > CHILDREN / 2; ) {
    const count = Math.ceil(below / CHILDREN);
    levels.push({ first, count });
    first += count;
    below = count;
  }
  return levels;
}

const cellColumns = [
  "id",
  "parent_id",
  "name",
  "cell_type",
  "level",
  "weekday",
  "starts_at",
  "ends_at",
  "opened_at",
] as const;

function* cellRows(plan: Plan, levels: readonly Level[]): Generator<readonly Value[]> {
  const founded = new Date(plan.foundedMs).toISOString();
  // A parent is inserted before its children.
  for (const [level, { count, first }] of [...levels.entries()].reverse())
    for (let place = 0; place < count; place += 1) {
      const { die, id } = draw(plan, "cells", first + place);
      const meets = level === 0;
      const { day, endsAt, startsAt } = scheduleOf(plan, place);
      yield [
        id,
        parentOf(plan, levels, level, place),
        meets ? `${die.pick(plan.language.streets)} ${place + 1}` : `${level}.${place + 1}`,
        meets ? "cell" : "supervision",
        level,
        meets ? (day + 1) % 7 : null,
        meets ? startsAt : null,
        meets ? endsAt : null,
        founded,
      ];
    }
}

function parentOf(plan: Plan, levels: readonly Level[], level: number, place: number) {
  const above = levels[level + 1];
  return above ? idOf(plan, "cells", above.first + Math.floor(place / CHILDREN)) : null;
}

function* ancestors(plan: Plan, levels: readonly Level[]): Generator<readonly Value[]> {
  for (const [level, { count, first }] of levels.entries())
    for (let place = 0; place < count; place += 1)
      for (let distance = 0; level + distance < levels.length; distance += 1) {
        const above = levels[level + distance]?.first ?? 0;
        const ancestor = above + Math.floor(place / CHILDREN ** distance);
        yield [idOf(plan, "cells", first + place), idOf(plan, "cells", ancestor), distance];
      }
}

function scheduleOf(plan: Plan, cell: number) {
  const { die } = draw(plan, "cell-schedules", cell);
  const startsAt = 60 * (18 + die.below(3));
  return { day: die.below(6), startsAt, endsAt: startsAt + 90 };
}

/** The people of an account are divided among its cells in the order of their numbers. */
function cellOf(plan: Plan, cell: number): SeededCell {
  const { cells, people } = plan.shape;
  const schedule = scheduleOf(plan, cell);
  const firstOf = (place: number) => Math.ceil((place * people) / cells);
  const members: Membership[] = [];
  const open: CellRole[] = ["leader", "co-leader", "trainee", "host"];
  for (let person = firstOf(cell); person < firstOf(cell + 1); person += 1) {
    const [task = "participant"] = open;
    const joined = membershipsOf(plan, person, { day: schedule.day, task });
    if (joined.some(({ role }) => role === task)) open.shift();
    members.push(...joined);
  }
  const reporterId = members.find(({ role }) => role === "leader")?.personId ?? null;
  return { id: idOf(plan, "cells", cell), ...schedule, reporterId, members };
}

/** The memberships of a generated person, by age and standing in the church. Grown members take the open task. */
function membershipsOf(
  plan: Plan,
  person: number,
  { day, task }: { day: number; task: CellRole },
): Membership[] {
  const { die } = draw(plan, "cell-members", person);
  const { age, status } = lifeOf(plan, person);
  const { weeks } = plan.shape;
  const founded = new Date(plan.foundedMs).toISOString().slice(0, 10);
  const dateOf = (week: number) => meetingDate(plan, week, day);
  const resource = (role: CellRole, joinedOn: string, rest: Partial<Membership> = {}) => ({
    personId: idOf(plan, "people", person),
    role,
    joinedOn,
    leftOn: null,
    leftReason: null,
    faithfulness: role === "visitor" ? 0.3 : 0.55 + die.below(40) / 100,
    ...rest,
  });
  if (age < 14) return [];
  const week = die.below(weeks - VISITING_WEEKS);
  switch (status) {
    case "member": {
      const role = age < 18 ? "participant" : task;
      if (role === "leader") return [resource(role, founded)];
      if (!die.chance(0.85)) return [];
      return [resource(role, die.chance(0.1) ? dateOf(week) : founded)];
    }
    case "attender": {
      if (!die.chance(0.7)) return [];
      if (die.chance(0.6)) return [resource("participant", founded)];
      const [visited, stayed] = [dateOf(week), dateOf(week + VISITING_WEEKS)];
      return [
        resource("visitor", visited, { leftOn: stayed, leftReason: "other" }),
        resource("participant", stayed),
      ];
    }
    case "visitor":
      return die.chance(0.5) ? [resource("visitor", dateOf(week))] : [];
    case "former-member":
      return die.chance(0.6)
        ? [resource("participant", founded, { leftOn: dateOf(week), leftReason: "left-church" })]
        : [];
    case "prospect":
    case "deceased":
      return [];
  }
}

const membershipColumns = [
  "id",
  "cell_id",
  "person_id",
  "cell_role",
  "status",
  "joined_on",
  "left_on",
  "left_reason",
] as const;

function* memberships(
  plan: Plan,
  levels: readonly Level[],
  cells: readonly SeededCell[],
): Generator<readonly Value[]> {
  let index = 0;
  const row = (cellId: string, member: Membership): readonly Value[] => [
    idOf(plan, "cell-memberships", index++),
    cellId,
    member.personId,
    member.role,
    member.leftOn === null ? "active" : "left",
    member.joinedOn,
    member.leftOn,
    member.leftReason,
  ];
  for (const { id, members } of cells) for (const one of members) yield row(id, one);
  // A leader of one of the cells below supervises them: another one on each level.
  for (const [level, { count, first }] of levels.entries())
    for (let place = 0; level > 0 && place < count; place += 1) {
      const below =
        cells[place * CHILDREN ** level + level - 1] ?? cells[place * CHILDREN ** level];
      const leader = below?.members.find(({ role }) => role === "leader");
      if (leader) yield row(idOf(plan, "cells", first + place), leader);
    }
}

/** The date of a meeting, counted in weeks from the first of the meetings. */
const meetingDate = ({ shape }: Plan, week: number, day: number) =>
  addDays(LAST_MONDAY, 7 * (week - shape.weeks) + day);

async function addWeek(account: SeededAccount, cells: readonly SeededCell[], week: number) {
  const { plan } = account;
  const reports = cells.map((cell, index) =>
    reportOf(
      cell,
      meetingDate(plan, week, cell.day),
      new Die(plan.seed, "cell-meetings", plan.index, week * cells.length + index),
    ),
  );
  await account.insert(
    "cell_meetings",
    meetingColumns,
    reports.map(({ meeting }) => meetingColumns.map((name) => meeting[name])),
  );
  await account.insert(
    "cell_attendances",
    attendanceColumns,
    Iterator.from(reports).flatMap(({ attendances }) =>
      attendances.map((row) => attendanceColumns.map((name) => row[name])),
    ),
  );
}
