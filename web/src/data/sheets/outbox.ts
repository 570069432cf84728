import type { Outcome, ReportAttributes, SheetRow, StoredReport, Visitor } from "../meetings.ts";
import type { ProblemCause } from "../problems.ts";
import { isStored, type SheetDraft } from "./draft.ts";

/**
 * Reports on their way to the service. An entry has a key of its own, which stays the same over retries and restarts, so
 * the service carries the report out once.
 */
export type OutboxEntry = {
  /** `<cell>:<date>`. A meeting has one entry, and a later report of the same meeting replaces it. */
  id: string;
  /** The person who pressed Send. Another person's session never sends it. */
  owner: string;
  cellId: string;
  cellName: string;
  date: string;
  /** Absent for a day without a planned meeting. */
  meetingId: string | undefined;
  /** The version that the sheet was opened with. */
  etag: string | undefined;
  attributes: ReportAttributes;
  /** Earlier tries of this person, whose answers were lost. One of them may be the report that the service has. */
  earlier?: ReportAttributes[];
  /** The draft and the rows, for the screen that compares or corrects. */
  draft: SheetDraft;
  rows: SheetRow[];
  key: string;
  queuedAt: string;
  state: "waiting" | "refused" | "conflict";
  problem?: ProblemCause | undefined;
  /** The other report, while the state is `conflict`. */
  theirs?: StoredReport | undefined;
};

export type ReportService = {
  send: (entry: OutboxEntry) => Promise<Outcome>;
  /** The report that the service has, or undefined while it cannot be read. */
  read: (meetingId: string) => Promise<StoredReport | undefined>;
};

type Sent = { kind: "sent"; meetingId: string; etag: string | undefined };

export type Delivery =
  | Sent
  /** The entry stays, perhaps changed. */
  | { kind: "kept"; entry: OutboxEntry };

/** A later report of the same meeting takes the place of one that has not arrived, as far as this device knows. */
export const replacing = (entry: OutboxEntry, old: OutboxEntry | undefined): OutboxEntry =>
  old === undefined || old.owner !== entry.owner
    ? entry
    : { ...entry, earlier: [...(old.earlier ?? []), old.attributes] };

/** Takes a visitor away again whom an earlier try has added. */
function correcting(entry: OutboxEntry, theirs: StoredReport, earlier: ReportAttributes) {
  const { attendance = [], visitors = [], ...rest } = entry.attributes;
  const namesOf = (list: readonly Visitor[] = []) => list.map((one) => one["full-name"]);
  const kept = namesOf(visitors);
  const removed = new Set(namesOf(earlier.visitors).filter((name) => !kept.includes(name)));
  const rows = theirs.rows.flatMap(({ fullName, isVisitor, personId }) =>
    personId !== null && isVisitor && removed.has(fullName)
      ? [{ "person-id": personId, "status": "absent", "first-time": false, "note": null } as const]
      : [],
  );
  const isNamed = new Set(attendance.map((one) => one["person-id"]));
  const more = rows.filter((row) => !isNamed.has(row["person-id"]));
  return more.length === 0
    ? entry.attributes
    : { ...rest, visitors, attendance: [...attendance, ...more] };
}

/** Sends one entry, and decides what an answer means for it. */
export async function deliver(
  entry: OutboxEntry,
  service: ReportService,
  newKey: () => string,
): Promise<Delivery> {
  let current = entry;
  // Each turn ends with an answer or with a version that was just read. Somebody who writes all the time can win twice.
  for (let turn = 0; turn < 3; turn += 1) {
    const outcome = await service.send(current);
    if (outcome.kind === "sent") return outcome;
    if (outcome.kind === "later") return { kind: "kept", entry: current };
    if (outcome.kind === "refused")
      return {
        kind: "kept",
        entry: { ...current, state: "refused", problem: outcome.problem },
      };
    const theirs = await service.read(outcome.meetingId);
    if (theirs === undefined) return { kind: "kept", entry: current };
    const { etag, meetingId } = theirs;
    if (isStored(current.attributes, theirs)) return { kind: "sent", meetingId, etag };
    const own = current.earlier?.find((one) => isStored(one, theirs));
    const attributes = own ? correcting(current, theirs, own) : current.attributes;
    const next = { ...current, attributes, meetingId, etag, key: newKey() };
    if (theirs.isSubmitted && !own)
      return { kind: "kept", entry: { ...next, state: "conflict", theirs } };
    current = next;
  }
  return { kind: "kept", entry: current };
}

export type OutboxStore = {
  all: () => Promise<OutboxEntry[]>;
  get: (id: string) => Promise<OutboxEntry | undefined>;
  put: (entry: OutboxEntry) => Promise<void>;
  remove: (id: string) => Promise<void>;
};

/**
 * Sends what waits, one at a time, oldest first. The caller holds the lock of the outbox. `onSent` runs before a report that has
 * arrived leaves the outbox.
 */
export async function deliverAll(
  owner: string,
  store: OutboxStore,
  service: ReportService,
  newKey: () => string,
  onSent: (entry: OutboxEntry, sent: Sent) => Promise<void> = async () => undefined,
): Promise<void> {
  const waiting = (await store.all())
    .filter((entry) => entry.owner === owner && entry.state === "waiting")
    .sort((a, b) => a.queuedAt.localeCompare(b.queuedAt));
  for (const entry of waiting) {
    const delivery = await deliver(entry, service, newKey);
    if (delivery.kind === "sent") await onSent(entry, delivery);
    const present = await store.get(entry.id);
    if (present === undefined) continue;
    if (present.key === entry.key) {
      if (delivery.kind === "sent") await store.remove(entry.id);
      else await store.put(delivery.entry);
    } else if (delivery.kind === "sent" && present.etag === entry.etag) {
      // A correction was queued meanwhile. It is based on the report that has just arrived.
      await store.put({ ...present, meetingId: delivery.meetingId, etag: delivery.etag });
    }
  }
}
