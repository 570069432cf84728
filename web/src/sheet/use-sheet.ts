import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Sheet } from "../data/meetings.ts";
import { shouldRetry } from "../data/query-client.ts";
import { randomKey } from "../data/random-key.ts";
import {
  loadSheet,
  readDraft,
  removeDraft,
  sheetId,
  sheetKey,
  writeDraft,
} from "../data/sheets/device-sheets.ts";
import {
  attributesOf,
  draftOf,
  emptyDraft,
  type SheetDraft,
  withPeople,
} from "../data/sheets/draft.ts";
import type { OutboxEntry } from "../data/sheets/outbox.ts";
import { discardReport, keepReport, sendKept, useOutbox } from "../data/sheets/sender.ts";
import { now } from "../ui/clock.ts";

/** Where a report is on its way from the fingers to the service. */
export type SheetMode = "edit" | "waiting" | "refused" | "conflict" | "reported" | "closed";

type Editing = { draft: SheetDraft; etag: string | undefined };

/** The sheet of one meeting: what the service has, what the fingers did, and what is on its way. */
export function useSheet(
  owner: string,
  place: { cellId: string; meetingId: string; date: string | undefined },
) {
  const { cellId } = place;
  const query = useQuery({
    queryKey: sheetKey(place),
    queryFn: ({ signal }) => loadSheet(owner, place, signal),
    networkMode: "always",
    // Without a connection, the sheet on the device is there at once.
    retry: (count, error) => error.status !== 0 && shouldRetry(count, error),
  });
  const outbox = useOutbox();
  const known = query.data?.sheet;
  const entry = outbox.entries.find((one) =>
    known === undefined
      ? one.owner === owner && one.cellId === cellId && isOf(one, place)
      : one.id === sheetId(owner, known.cellId, known.date),
  );
  // A report that did not arrive stays in view, even if the service no longer shows its meeting to the person.
  const sheet = known ?? (query.isError && entry ? sheetOf(entry) : undefined);
  const id = sheet && sheetId(owner, sheet.cellId, sheet.date);

  const [editing, setEditing] = useState<Editing>();
  const [isStored, setStored] = useState(true);
  const latest = useRef<Editing>(undefined);

  // A draft that was begun before the page was closed goes on.
  useEffect(() => {
    if (id === undefined) return;
    let isGone = false;
    void readDraft(id).then((kept) => {
      if (!isGone && kept?.owner === owner && latest.current === undefined) {
        latest.current = kept;
        setEditing(kept);
      }
    });
    return () => {
      isGone = true;
    };
  }, [id, owner]);

  const begin = useCallback((from: SheetDraft, etag: string | undefined) => {
    latest.current = { draft: from, etag };
    setEditing(latest.current);
  }, []);

  /** Applies a change and keeps it on the device at once. */
  const change = useCallback(
    (apply: (draft: SheetDraft) => SheetDraft) => {
      if (sheet === undefined || id === undefined) return;
      const { draft, etag } = latest.current ?? startOf(sheet);
      const next = { draft: apply(withPeople(draft, sheet.rows)), etag };
      latest.current = next;
      setEditing(next);
      void writeDraft(id, { owner, ...next }).then(setStored);
    },
    [sheet, id, owner],
  );

  const cancel = useCallback(() => {
    latest.current = undefined;
    setEditing(undefined);
    if (id !== undefined) void removeDraft(id);
  }, [id]);

  async function queue(
    { draft: begun, etag }: Editing,
    changes: Partial<OutboxEntry> = {},
  ): Promise<void> {
    if (sheet === undefined || id === undefined) return;
    const draft = withPeople(begun, sheet.rows);
    // A report can wait longer than its session. The numbers of people need not.
    const rows = sheet.rows.map((row) => ({ ...row, phone: null, isWhatsapp: false }));
    await keepReport({
      id,
      owner,
      cellId: sheet.cellId,
      cellName: sheet.cellName,
      date: sheet.date,
      meetingId: sheet.meetingId,
      etag,
      attributes: attributesOf(draft, rows),
      draft,
      rows,
      key: randomKey(),
      queuedAt: new Date(now()).toISOString(),
      state: "waiting",
      ...changes,
    });
    // The draft goes only after the report is kept, so that a page that ends between them loses nothing.
    cancel();
    await sendKept(owner);
  }

  const mode: SheetMode = editing
    ? "edit"
    : entry
      ? entry.state
      : sheet?.report?.isSubmitted
        ? "reported"
        : sheet?.mayReport === CLOSED
          ? "closed"
          : "edit";

  return {
    query,
    sheet,
    isKept: query.data?.isKept ?? false,
    /** The service no longer has the meeting, or no longer shows it to the person. */
    isLost: query.error !== null && NOT_SHOWN.has(query.error.status),
    mode,
    draft: shownDraft(sheet, editing ?? entry),
    entry,
    /** The time for reports is over, so the supervisor has to help. */
    isClosed: mode !== "edit" && (sheet?.mayReport === CLOSED || entry?.problem?.code === CLOSED),
    /** A report was sent before, so the person can leave it as it is. */
    isCorrection: mode === "edit" && (sheet?.report?.isSubmitted || entry !== undefined),
    isSending: outbox.isSending,
    /** False while what was entered lives only in this page. */
    isStored:
      (editing === undefined && entry?.state !== "waiting") || (isStored && !outbox.isVolatile),
    change,
    cancel,
    send: () => (sheet ? queue(latest.current ?? startOf(sheet)) : Promise.resolve()),
    /** Sends what two reports were merged into, under the version of the other one. */
    sendMerged: (draft: SheetDraft) => {
      const { meetingId, theirs } = entry ?? {};
      void queue({ draft, etag: theirs?.etag }, { meetingId });
    },
    /** Opens the report for a correction: the one on its way, or the one that arrived. */
    correct: () => {
      if (entry) begin(entry.draft, entry.etag);
      else if (sheet) begin(startOf(sheet).draft, startOf(sheet).etag);
    },
    /** Deletes the report from the device. Returns how to take that back. */
    discard: () => {
      if (entry) void discardReport(entry.id);
      return () => void (entry && keepReport(entry));
    },
  };
}

export type SheetState = ReturnType<typeof useSheet>;

const CLOSED = "report-closed";
const NOT_SHOWN: ReadonlySet<number> = new Set([403, 404]);

const isOf = (
  entry: OutboxEntry,
  { meetingId, date }: { meetingId: string; date: string | undefined },
): boolean => (meetingId === "new" ? entry.date === date : entry.meetingId === meetingId);

const sheetOf = (entry: OutboxEntry): Sheet => ({
  meetingId: entry.meetingId,
  cellId: entry.cellId,
  cellName: entry.cellName,
  date: entry.date,
  reportStatus: null,
  submittedAt: null,
  mayReport: false,
  report: undefined,
  rows: entry.rows,
  readAt: entry.queuedAt,
});

const startOf = (sheet: Sheet): Editing => ({
  draft: sheet.report?.isSubmitted ? draftOf(sheet.report) : emptyDraft,
  etag: sheet.report?.etag,
});

function shownDraft(
  sheet: Sheet | undefined,
  begun: { draft: SheetDraft } | undefined,
): SheetDraft | undefined {
  if (begun === undefined) return sheet && startOf(sheet).draft;
  return sheet ? withPeople(begun.draft, sheet.rows) : begun.draft;
}
