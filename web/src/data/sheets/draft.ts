/** The report of a meeting while a leader fills it in. Nothing here knows the network or the page. */
import type {
  Mark,
  ReportAttributes,
  Sheet,
  SheetRow,
  StoredReport,
  StoredRow,
  Visitor,
} from "../meetings.ts";

/** What the service accepts in one report. */
export const MOST_ENTRIES = 300;
export const MOST_VISITORS = 100;

export type SheetDraft = {
  isHeld: boolean;
  notHeldReason: string;
  marks: Record<string, Mark>;
  notes: Record<string, string>;
  firstTimes: Record<string, boolean>;
  /** New people, who become prospects with the report. */
  visitors: Visitor[];
  /** The visitor in the fields, who was not added yet. */
  typedVisitor?: Visitor | undefined;
  /** Visitors without a name. */
  unnamedVisitors: number;
  children: number | null;
  theme: string;
  summary: string;
};

export const emptyDraft: SheetDraft = {
  isHeld: true,
  notHeldReason: "",
  marks: {},
  notes: {},
  firstTimes: {},
  visitors: [],
  unnamedVisitors: 0,
  children: null,
  theme: "",
  summary: "",
};

const isMark = (status: string): status is Mark =>
  status === "present" || status === "online" || status === "excused";

/** The draft that would send what the service has. */
export function draftOf(report: StoredReport): SheetDraft {
  const draft = structuredClone(emptyDraft);
  draft.isHeld = report.status !== "not-held";
  draft.notHeldReason = report.notHeldReason ?? "";
  let visitorsWithRow = 0;
  for (const row of report.rows) {
    if (row.isVisitor && cameTo(row.status)) visitorsWithRow += 1;
    if (row.personId === null) {
      if (row.fullName !== "") draft.visitors.push({ "full-name": row.fullName, "phone": null });
      continue;
    }
    if (isMark(row.status)) draft.marks[row.personId] = row.status;
    if (row.note) draft.notes[row.personId] = row.note;
    if (row.firstTime) draft.firstTimes[row.personId] = true;
  }
  draft.unnamedVisitors = Math.max(0, (report.visitorsCount ?? 0) - visitorsWithRow);
  draft.children = report.childrenCount;
  draft.theme = report.theme ?? "";
  draft.summary = report.summary ?? "";
  return draft;
}

const cameTo = (status: string | undefined) => status === "present" || status === "online";

/** A tap: came, or not. */
export function toggle(draft: SheetDraft, personId: string): SheetDraft {
  return withMark(draft, personId, cameTo(draft.marks[personId]) ? undefined : "present");
}

export function withMark(draft: SheetDraft, personId: string, mark: Mark | undefined): SheetDraft {
  const { [personId]: _, ...others } = draft.marks;
  return { ...draft, marks: mark === undefined ? others : { ...others, [personId]: mark } };
}

/** Adds the visitor who stands in the fields. */
export function addTypedVisitor({ typedVisitor, ...draft }: SheetDraft): SheetDraft {
  const name = typedVisitor?.["full-name"].trim();
  if (!name) return draft;
  const phone = typedVisitor?.phone?.trim() || null;
  return { ...draft, visitors: [...draft.visitors, { "full-name": name, phone }] };
}

/** Visitors who have become people since the draft was begun are marked there. */
export function withPeople(draft: SheetDraft, rows: readonly SheetRow[]): SheetDraft {
  const marks = { ...draft.marks };
  const visitors = draft.visitors.filter((visitor) => {
    const row = rows.find(
      ({ fullName, hasRow, isMember, personId }) =>
        !isMember && hasRow && !marks[personId] && fullName === visitor["full-name"].trim(),
    );
    if (row) marks[row.personId] = "present";
    return row === undefined;
  });
  return visitors.length === draft.visitors.length ? draft : { ...draft, marks, visitors };
}

/** "All came" fills members without a mark. It never changes a mark. */
export function markAll(draft: SheetDraft, rows: readonly SheetRow[]): SheetDraft {
  const marks = { ...draft.marks };
  for (const { personId, isMember } of rows) if (isMember) marks[personId] ??= "present";
  return { ...draft, marks };
}

export type Counts = {
  members: number;
  came: number;
  excused: number;
  missing: number;
  visitors: number;
};

export function countsOf(draft: SheetDraft, rows: readonly SheetRow[]): Counts {
  const members = rows.filter(({ isMember }) => isMember);
  const came = members.filter(({ personId }) => cameTo(draft.marks[personId])).length;
  const excused = members.filter(({ personId }) => draft.marks[personId] === "excused").length;
  return {
    members: members.length,
    came,
    excused,
    missing: members.length - came - excused,
    visitors: visitorsCount(draft, rows),
  };
}

function visitorsCount(draft: SheetDraft, rows: readonly SheetRow[]): number {
  const known = rows.filter(({ personId, isMember }) => !isMember && cameTo(draft.marks[personId]));
  return known.length + draft.visitors.length + draft.unnamedVisitors;
}

const orNull = (text: string) => text.trim() || null;

/**
 * The attributes of the report. Every member has a row, so a correction can take a mark away. In a larger group than a report
 * can name, members who were missing have none, which the service counts the same way.
 */
export function attributesOf(draft: SheetDraft, rows: readonly SheetRow[]): ReportAttributes {
  if (!draft.isHeld) return { status: "not-held", "not-held-reason": orNull(draft.notHeldReason) };
  const namesAll = rows.length <= MOST_ENTRIES;
  return {
    status: "held",
    "not-held-reason": null,
    theme: orNull(draft.theme),
    summary: orNull(draft.summary),
    "children-count": draft.children,
    "visitors-count": visitorsCount(draft, rows),
    attendance: rows.flatMap(({ personId, isMember, hasRow }) => {
      const mark = draft.marks[personId];
      if (mark === undefined && !hasRow && !(isMember && namesAll)) return [];
      return [
        {
          "person-id": personId,
          status: mark ?? "absent",
          "first-time": draft.firstTimes[personId] ?? false,
          note: orNull(draft.notes[personId] ?? ""),
        },
      ];
    }),
    visitors: draft.visitors,
  };
}

/** The sheet after the service has taken a report. Reading it again adds what only the service knows, such as ids of visitors. */
export function reportedSheet(
  sheet: Sheet,
  attributes: ReportAttributes,
  { meetingId, etag, at }: { meetingId: string; etag: string | undefined; at: string },
): Sheet {
  const isHeld = attributes.status === "held";
  const rows = isHeld ? storedRows(sheet, attributes) : [];
  const ids = new Set(rows.map(({ personId }) => personId));
  const visitorsCount = isHeld ? (attributes["visitors-count"] ?? 0) : null;
  return {
    ...sheet,
    meetingId,
    reportStatus: "submitted",
    submittedAt: sheet.submittedAt ?? at,
    report: {
      meetingId,
      etag,
      status: attributes.status,
      isSubmitted: true,
      notHeldReason: attributes["not-held-reason"],
      visitorsCount,
      childrenCount: attributes["children-count"] ?? null,
      theme: attributes.theme ?? null,
      summary: attributes.summary ?? null,
      rows,
    },
    rows: sheet.rows.map((row) => ({ ...row, hasRow: ids.has(row.personId) })),
  };
}

/** The rows that the service had, those of the report, and the new visitors. */
function storedRows(sheet: Sheet, { attendance, visitors }: ReportAttributes): StoredRow[] {
  const rows = new Map(sheet.report?.rows.map((row) => [row.personId ?? row.fullName, row]));
  const people = new Map(sheet.rows.map((row) => [row.personId, row]));
  for (const { "person-id": personId, "first-time": firstTime, note, status } of attendance ?? []) {
    const person = people.get(personId);
    const isVisitor = person?.isMember === false;
    const fullName = person?.fullName ?? "";
    rows.set(personId, { personId, fullName, status, isVisitor, firstTime, note });
  }
  for (const { "full-name": fullName } of visitors ?? [])
    rows.set(fullName, {
      personId: null,
      fullName,
      status: "present",
      isVisitor: true,
      firstTime: true,
      note: null,
    });
  return [...rows.values()];
}

/** Whether the service already has exactly this report, for example because its answer was lost. */
export function isStored(attributes: ReportAttributes, report: StoredReport): boolean {
  if (report.status !== attributes.status) return false;
  if (attributes.status === "not-held")
    return attributes["not-held-reason"] === report.notHeldReason;
  const rows = new Map(report.rows.map((row) => [row.personId, row]));
  const names = new Set(
    report.rows.filter(({ isVisitor }) => isVisitor).map(({ fullName }) => fullName),
  );
  return (
    (attributes.theme ?? null) === report.theme &&
    (attributes.summary ?? null) === report.summary &&
    (attributes["children-count"] ?? null) === report.childrenCount &&
    (attributes["visitors-count"] ?? 0) === (report.visitorsCount ?? 0) &&
    (attributes.visitors ?? []).every((visitor) => names.has(visitor["full-name"])) &&
    (attributes.attendance ?? []).every((entry) => {
      const row = rows.get(entry["person-id"]);
      return row === undefined
        ? entry.status === "absent"
        : row.status === entry.status &&
            row.note === entry.note &&
            row.firstTime === entry["first-time"];
    })
  );
}

/**
 * Two reports of one meeting: mine where I have marked or written something, and theirs everywhere else. A meeting that one of
 * them saw took place.
 */
export function mergeReports(mine: SheetDraft, report: StoredReport): SheetDraft {
  const theirs = draftOf(report);
  const known = new Set(report.rows.map(({ fullName }) => fullName));
  return {
    isHeld: mine.isHeld || theirs.isHeld,
    notHeldReason: mine.notHeldReason || theirs.notHeldReason,
    marks: { ...theirs.marks, ...mine.marks },
    notes: { ...theirs.notes, ...mine.notes },
    firstTimes: { ...theirs.firstTimes, ...mine.firstTimes },
    visitors: mine.visitors.filter((visitor) => !known.has(visitor["full-name"])),
    unnamedVisitors: Math.max(mine.unnamedVisitors, theirs.unnamedVisitors),
    children: mine.children ?? theirs.children,
    theme: mine.theme || theirs.theme,
    summary: mine.summary || theirs.summary,
  };
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const contradict = (one: unknown, other: unknown) =>
  !isEmpty(one) && !isEmpty(other) && one !== other;

const HELD_FIELDS = ["theme", "summary", "children", "unnamedVisitors"] as const;
const NOT_HELD_FIELDS = ["notHeldReason"] as const;
export type DraftField = "isHeld" | (typeof HELD_FIELDS | typeof NOT_HELD_FIELDS)[number];

/** Where two reports contradict each other: fields, the marks of people, and notes about them. */
export function contradictionsOf(
  mine: SheetDraft,
  theirs: SheetDraft,
  rows: readonly SheetRow[],
): { fields: readonly DraftField[]; marks: readonly SheetRow[]; notes: readonly SheetRow[] } {
  // A report without a meeting says nothing about people.
  if (mine.isHeld !== theirs.isHeld) return { fields: ["isHeld"], marks: [], notes: [] };
  const fields = (mine.isHeld ? HELD_FIELDS : NOT_HELD_FIELDS).filter((field) =>
    contradict(mine[field], theirs[field]),
  );
  if (!mine.isHeld) return { fields, marks: [], notes: [] };
  return {
    fields,
    marks: rows.filter(({ personId }) => mine.marks[personId] !== theirs.marks[personId]),
    notes: rows.filter(({ personId }) => contradict(mine.notes[personId], theirs.notes[personId])),
  };
}
