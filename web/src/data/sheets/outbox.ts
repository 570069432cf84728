import type { Outcome, ReportAttributes, SheetRow, StoredReport } from "../meetings.ts";
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

export type Delivery =
  | { kind: "sent"; etag: string | undefined }
  /** The entry stays, perhaps changed. */
  | { kind: "kept"; entry: OutboxEntry };

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
    if (isStored(current.attributes, theirs)) return { kind: "sent", etag: theirs.etag };
    const next = { ...current, meetingId: theirs.meetingId, etag: theirs.etag, key: newKey() };
    if (theirs.isSubmitted) return { kind: "kept", entry: { ...next, state: "conflict", theirs } };
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

/** Sends what waits, one at a time, oldest first. The caller holds the lock of the outbox. */
export async function deliverAll(
  owner: string,
  store: OutboxStore,
  service: ReportService,
  newKey: () => string,
): Promise<void> {
  const waiting = (await store.all())
    .filter((entry) => entry.owner === owner && entry.state === "waiting")
    .sort((a, b) => a.queuedAt.localeCompare(b.queuedAt));
  for (const entry of waiting) {
    const delivery = await deliver(entry, service, newKey);
    const present = await store.get(entry.id);
    if (present === undefined) continue;
    if (present.key === entry.key) {
      if (delivery.kind === "sent") await store.remove(entry.id);
      else await store.put(delivery.entry);
    } else if (delivery.kind === "sent" && present.etag === entry.etag) {
      // A correction was queued meanwhile. It is based on the report that has just arrived.
      await store.put({ ...present, etag: delivery.etag });
    }
  }
}
