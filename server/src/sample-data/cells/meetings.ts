import { MINUTE } from "../../base/clock.ts";
import { type Die, idFrom } from "../random.ts";
import type { Value } from "../../store/insert-rows.ts";
import type { CellRole } from "../../features/cells/memberships/roles.ts";

/** Invented meetings for the demo account and for seeded accounts. */

export interface SampleMember {
  personId: string;
  role: CellRole;
  joinedOn: string;
  /** The first day without the membership. */
  leftOn: string | null;
  /** The share of the meetings to which the person comes. */
  faithfulness: number;
}

export interface SampleCell {
  id: string;
  startsAt: number;
  endsAt: number;
  /** The person who reports. */
  reporterId: string | null;
  members: readonly SampleMember[];
}

/** The rows of one reported meeting, without the account. */
export interface SampleReport {
  meeting: Record<(typeof meetingColumns)[number], Value> & { id: string; submitted_at: string };
  attendances: (Record<(typeof attendanceColumns)[number], Value> & { meeting_id: string })[];
}

export const meetingColumns = [
  "id",
  "created_at",
  "modified_at",
  "cell_id",
  "date",
  "starts_at",
  "ends_at",
  "status",
  "not_held_reason",
  "theme",
  "summary",
  "visitors_count",
  "children_count",
  "decisions_count",
  "members_count",
  "submitted_at",
  "submitted_by",
] as const;

export const attendanceColumns = [
  "id",
  "created_at",
  "modified_at",
  "created_by",
  "modified_by",
  "meeting_id",
  "cell_id",
  "person_id",
  "date",
  "status",
  "is_visitor",
  "first_time",
  "note",
] as const;

const themes = [
  "Hope",
  "The good shepherd",
  "Learning to pray",
  "The prodigal son",
  "Psalm 23",
  "Forgiving",
  "Work and rest",
  "The first disciples",
  "Gratitude",
  "Who is my neighbor?",
  "Bread for today",
  "Courage",
] as const;

const summaries = [
  "A long conversation, and time to pray for each other.",
  "We ate together first. Two new questions for next week.",
  "A quiet evening.",
  "We sang more than we talked.",
] as const;

const reasons = [
  "The host was ill",
  "Public holiday",
  "Retreat of the church",
  "Storm warning",
] as const;

/** Reports this long after the end are on time under the default of 24 hours. */
const PROMPT_MINUTES = 90;
const LATE_MINUTES = 3 * 24 * 60;

/**
 * One report, which follows from the die. Its members are those of the day, like in a report over HTTP. Leaders tick the
 * people who came and sometimes those who did not. A person without a row was absent.
 */
export function reportOf(cell: SampleCell, date: string, die: Die): SampleReport {
  const there = cell.members.filter((member) => isMemberOn(member, date));
  const isMember = ({ role }: SampleMember) => role !== "visitor";
  const isFirstTime = (member: SampleMember) => !isMember(member) && member.joinedOn === date;
  // A cell that welcomes a first visitor has met.
  const held = !die.chance(0.05) || there.some(isFirstTime);
  const isLate = die.chance(0.07);

  const midnight = Date.parse(`${date}T00:00:00Z`);
  const ended = midnight + cell.endsAt * MINUTE;
  const submitted = iso(ended + (isLate ? LATE_MINUTES : PROMPT_MINUTES) * MINUTE);
  const written = { created_at: submitted, modified_at: submitted };
  const meetingId = idFrom(die, ended);

  const attendances = (held ? there : []).flatMap((member) => {
    const status = attendanceOf(member, die, isFirstTime(member));
    if (status === undefined) return [];
    return {
      id: idFrom(die, ended),
      ...written,
      created_by: cell.reporterId,
      modified_by: cell.reporterId,
      meeting_id: meetingId,
      cell_id: cell.id,
      person_id: member.personId,
      date,
      status,
      is_visitor: !isMember(member),
      first_time: isFirstTime(member),
      note: null,
    };
  });
  const meeting = {
    id: meetingId,
    ...written,
    created_at: iso(midnight),
    cell_id: cell.id,
    date,
    starts_at: cell.startsAt,
    ends_at: cell.endsAt,
    status: held ? "held" : "not-held",
    not_held_reason: held ? null : die.pick(reasons),
    theme: held ? die.pick(themes) : null,
    summary: held && die.chance(0.4) ? die.pick(summaries) : null,
    visitors_count: held ? attendances.filter((one) => one.is_visitor).length : null,
    children_count: held ? die.below(4) : null,
    decisions_count: held ? Number(die.chance(0.03)) : null,
    members_count: there.filter(isMember).length,
    submitted_at: submitted,
    submitted_by: cell.reporterId,
  };
  return { meeting, attendances };
}

const isMemberOn = ({ joinedOn, leftOn }: SampleMember, date: string) =>
  joinedOn <= date && (leftOn === null || date < leftOn);

function attendanceOf({ faithfulness, role }: SampleMember, die: Die, isFirst: boolean) {
  if (isFirst) return "present";
  if (die.chance(faithfulness)) return die.chance(0.04) ? "online" : "present";
  // Leaders do not note the absence of a visitor.
  if (role === "visitor") return undefined;
  if (die.chance(0.3)) return "excused";
  return die.chance(0.3) ? "absent" : undefined;
}

const iso = (ms: number) => new Date(ms).toISOString();
