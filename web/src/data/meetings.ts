import { type Resource, Unreachable, VestryError } from "@vestry/sdk";
import { api } from "./client.ts";
import type { ProblemCause } from "./problems.ts";
import { now } from "../ui/clock.ts";
import { addDays, today } from "../ui/format.ts";

/** A person without a mark was missing. */
export type Mark = "present" | "online" | "excused";

export type SheetRow = {
  personId: string;
  fullName: string;
  preferredName: string | null;
  photo: string | null;
  /** The first telephone number, as it is dialed. */
  phone: string | null;
  isWhatsapp: boolean;
  /** Members count as missing without a mark. Visitors do not. */
  isMember: boolean;
  /** The service has a row, so a mark that is taken away must be sent as `absent`. */
  hasRow: boolean;
};

export type Visitor = { "full-name": string; phone: string | null };

/** A report as the service has it. */
export type StoredReport = {
  meetingId: string;
  etag: string | undefined;
  status: string;
  isSubmitted: boolean;
  notHeldReason: string | null;
  visitorsCount: number | null;
  childrenCount: number | null;
  theme: string | null;
  summary: string | null;
  rows: StoredRow[];
};

export type StoredRow = {
  /** Null for a visitor who was just reported, and for a person whom the caller cannot see. The latter has no name either. */
  personId: string | null;
  fullName: string;
  status: string;
  isVisitor: boolean;
  firstTime: boolean;
  /** Absent in reports that an older version kept. */
  isActive?: boolean;
  note: string | null;
};

export type ReportAttributes = {
  status: "held" | "not-held";
  "not-held-reason": string | null;
  theme?: string | null;
  summary?: string | null;
  "children-count"?: number | null;
  "visitors-count"?: number;
  attendance?: {
    "person-id": string;
    status: Mark | "absent";
    "first-time": boolean;
    note: string | null;
  }[];
  visitors?: Visitor[];
};

export type Outcome =
  | { kind: "sent"; meetingId: string; etag: string | undefined }
  /** No connection, no session, too many requests, or a fault of the service. */
  | { kind: "later" }
  /** The version has moved on. */
  | { kind: "stale"; meetingId: string }
  /** That day has a meeting already. */
  | { kind: "exists"; meetingId: string }
  | { kind: "refused"; problem: ProblemCause };

/** All that the sheet of a meeting shows. It can be stored on the device. */
export type Sheet = {
  meetingId: string | undefined;
  cellId: string;
  cellName: string;
  date: string;
  reportStatus: string | null;
  submittedAt: string | null;
  /** True, or the code of the error that a report would return. */
  mayReport: boolean | string;
  report: StoredReport | undefined;
  rows: SheetRow[];
  /** When the device read it. */
  readAt: string;
};

const PERSON_FIELDS = ["full-name", "preferred-name", "photo-url", "phones"] as const;

/** Members of the group, then the people of the report who are no longer in it, by name. */
async function readRows(
  cellId: string,
  report: StoredReport | undefined,
  signal: AbortSignal,
): Promise<SheetRow[]> {
  const reported = new Map(report?.rows.map((row) => [row.personId, row]));
  const rows: SheetRow[] = [];
  const roster = api.cellMemberships.list(
    {
      filter: { cell: [cellId], status: ["active"] },
      include: ["person"],
      fields: { "cell-memberships": ["cell-role"], people: PERSON_FIELDS },
      page: { size: 100 },
    },
    { signal },
  );
  for await (const { "cell-role": role, person } of roster) {
    if (person === null) continue;
    const phone = person.phones?.find((one) => one["is-primary"]) ?? person.phones?.[0];
    rows.push({
      personId: person.id,
      fullName: person["full-name"],
      preferredName: person["preferred-name"] ?? null,
      photo: person["photo-url"] ?? null,
      phone: phone?.number ?? null,
      isWhatsapp: phone?.["is-whatsapp"] ?? false,
      isMember: role !== "visitor",
      hasRow: reported.delete(person.id),
    });
  }
  // A former member who is not active can be an anonymized person, whom no report can name. The row stays as it was reported.
  for (const { personId, fullName, isActive = true } of reported.values())
    if (personId !== null && isActive)
      rows.push({
        personId,
        fullName,
        preferredName: null,
        photo: null,
        phone: null,
        isWhatsapp: false,
        isMember: false,
        hasRow: true,
      });
  return rows.sort(
    (a, b) =>
      Number(b.isMember) - Number(a.isMember) ||
      (a.preferredName ?? a.fullName).localeCompare(b.preferredName ?? b.fullName),
  );
}

async function readMeeting(meetingId: string, signal?: AbortSignal) {
  const options = signal ? { signal } : {};
  const meeting = await api.cellMeetings.get(
    meetingId,
    { include: ["cell"], fields: { cells: ["name"] }, meta: { may: true } },
    options,
  );
  const rows: StoredReport["rows"] = [];
  if (meeting["submitted-at"] !== null)
    for await (const row of api.cellAttendances.list(
      {
        filter: { meeting: [meetingId] },
        include: ["person"],
        fields: {
          "cell-attendances": ["status", "is-visitor", "first-time", "note"],
          people: ["full-name", "is-active"],
        },
        page: { size: 100 },
      },
      options,
    ))
      rows.push({
        personId: row.person?.id ?? null,
        fullName: row.person?.["full-name"] ?? "",
        status: row.status,
        isVisitor: row["is-visitor"],
        firstTime: row["first-time"],
        isActive: row.person?.["is-active"] ?? false,
        note: row.note,
      });
  return { meeting, report: reportOf(meeting, rows) };
}

type Meeting = Resource<"cell-meetings", { include: "cell"[]; fields: { cells: "name"[] } }>;

const reportOf = (meeting: Meeting, rows: StoredReport["rows"]): StoredReport => ({
  meetingId: meeting.id,
  etag: meeting.$etag,
  status: meeting.status,
  isSubmitted: meeting["submitted-at"] !== null,
  notHeldReason: meeting["not-held-reason"],
  visitorsCount: meeting["visitors-count"],
  childrenCount: meeting["children-count"],
  theme: meeting.theme,
  summary: meeting.summary,
  rows,
});

const sheetOf = (meeting: Meeting, report: StoredReport, rows: SheetRow[]): Sheet => ({
  meetingId: meeting.id,
  cellId: meeting.cell.id,
  cellName: meeting.cell.name,
  date: meeting.date,
  reportStatus: meeting["report-status"],
  submittedAt: meeting["submitted-at"],
  mayReport: meeting.$meta?.may?.actions?.report ?? true,
  report,
  rows,
  readAt: new Date(now()).toISOString(),
});

/** The sheet of a meeting: the meeting, its rows once it was reported, and the people of the group. */
export async function readSheet(meetingId: string, signal: AbortSignal): Promise<Sheet> {
  const { meeting, report } = await readMeeting(meetingId, signal);
  return sheetOf(meeting, report, await readRows(meeting.cell.id, report, signal));
}

/** The sheet of a day, which usually has no planned meeting. */
export async function readNewSheet(
  cellId: string,
  date: string,
  signal: AbortSignal,
): Promise<Sheet> {
  const { items } = await api.cellMeetings.page(
    {
      filter: { cell: [cellId], from: date, to: date },
      fields: { "cell-meetings": ["date"] },
      page: { size: 1 },
    },
    { signal },
  );
  const [existing] = items;
  if (existing) return await readSheet(existing.id, signal);
  const cell = await api.cells.get(cellId, { fields: { cells: ["name"] } }, { signal });
  return {
    meetingId: undefined,
    cellId,
    cellName: cell.name,
    date,
    reportStatus: null,
    submittedAt: null,
    mayReport: true,
    report: undefined,
    rows: await readRows(cellId, undefined, signal),
    readAt: new Date(now()).toISOString(),
  };
}

/**
 * The sheets that a leader may need without a connection: what waits for a report, and the next meetings. It takes one
 * request for the meetings and one for each group.
 */
export async function readSheetsToKeep(cellIds: string[], days: number): Promise<Sheet[]> {
  if (cellIds.length === 0) return [];
  const day = today();
  const { items } = await api.cellMeetings.page({
    filter: {
      "cell": cellIds,
      "report-status": ["due", "overdue", "not-due"],
      "from": addDays(day, -days),
      "to": addDays(day, 7),
    },
    include: ["cell"],
    fields: { cells: ["name"] },
    page: { size: 20 },
  });
  const { signal } = new AbortController();
  const rows = new Map<string, SheetRow[]>();
  for (const id of new Set(items.map(({ cell }) => cell.id)))
    rows.set(id, await readRows(id, undefined, signal));
  return items.map((meeting) =>
    sheetOf(meeting, reportOf(meeting, []), rows.get(meeting.cell.id) ?? []),
  );
}

/** The report that the service has, or undefined while it cannot be read. */
export async function readReport(meetingId: string): Promise<StoredReport | undefined> {
  try {
    return (await readMeeting(meetingId)).report;
  } catch (error) {
    if (error instanceof VestryError) return undefined;
    throw error;
  }
}

/** Reports a planned meeting under the version that was read, or a day that has no meeting. */
export async function sendReport(report: {
  cellId: string;
  date: string;
  meetingId: string | undefined;
  etag: string | undefined;
  attributes: ReportAttributes;
  key: string;
}): Promise<Outcome> {
  const { meetingId, cellId, date, etag, attributes, key } = report;
  try {
    const meeting =
      meetingId === undefined
        ? await api.cellMeetings.create(
            { ...attributes, date, cell: cellId },
            { idempotencyKey: key },
          )
        : await api.cellMeetings.update(meetingId, attributes, { etag, idempotencyKey: key });
    return { kind: "sent", meetingId: meeting.id, etag: meeting.$etag };
  } catch (error) {
    if (!(error instanceof VestryError)) throw error;
    return outcomeOf(error, meetingId);
  }
}

function outcomeOf(error: VestryError, meetingId: string | undefined): Outcome {
  const { status, code, detail, meta } = error;
  if (
    error instanceof Unreachable ||
    status === 401 ||
    status === 408 ||
    status === 429 ||
    status >= 500 ||
    code === "conflict" ||
    code === "other-person"
  )
    return { kind: "later" };
  if (code === "stale-version" && meetingId !== undefined) return { kind: "stale", meetingId };
  if (code === "already-exists" && typeof meta.id === "string")
    return { kind: "exists", meetingId: meta.id };
  return { kind: "refused", problem: { code, detail, meta } };
}
