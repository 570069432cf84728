import { now } from "../../ui/clock.ts";
import { lastingTable } from "../device.ts";
import { keys } from "../keys.ts";
import { type KeptSheet, sheetTable as sheets } from "../kept-sheets.ts";
import { readNewSheet, readSheet, readSheetsToKeep, type Sheet } from "../meetings.ts";
import { isTransient, queryClient } from "../query-client.ts";
import { isOutdated } from "./kept-days.ts";
import { reportedSheet, type SheetDraft } from "./draft.ts";
import type { OutboxEntry } from "./outbox.ts";

/** A draft, and the version of the sheet that it was begun with. */
export type KeptDraft = { owner: string; draft: SheetDraft; etag: string | undefined };

const drafts = lastingTable<KeptDraft>("drafts");

export const sheetId = (owner: string, cellId: string, date: string) =>
  `${owner}:${cellId}:${date}`;

const keep = ({ owner, sheet }: KeptSheet) =>
  sheets.put(sheetId(owner, sheet.cellId, sheet.date), { owner, sheet }).catch(() => undefined);

async function keptSheet(
  owner: string,
  matches: (sheet: Sheet) => boolean,
): Promise<Sheet | undefined> {
  const kept = await sheets.all().catch(() => []);
  return kept.find((one) => one.owner === owner && matches(one.sheet))?.sheet;
}

type Place = { cellId: string; meetingId: string; date: string | undefined };
type Loaded = { sheet: Sheet; isKept: boolean };

export const sheetKey = ({ cellId, date, meetingId }: Place) =>
  keys.one("cell-meetings", meetingId === "new" ? `${cellId}:${date}` : meetingId, "sheet");

/** A report that has arrived is the sheet at once, on the page and on the device. */
export async function showReported(
  { attributes, cellId, date, owner }: OutboxEntry,
  sent: { meetingId: string; etag: string | undefined },
): Promise<void> {
  const at = new Date(now()).toISOString();
  const reported = (sheet: Sheet) => reportedSheet(sheet, attributes, { ...sent, at });
  for (const meetingId of [sent.meetingId, "new"])
    queryClient.setQueryData<Loaded>(
      sheetKey({ cellId, date, meetingId }),
      (old) => old && { ...old, sheet: reported(old.sheet) },
    );
  const kept = await keptSheet(owner, (one) => one.cellId === cellId && one.date === date);
  if (kept) await keep({ owner, sheet: reported(kept) });
}

/** Reads a sheet, and falls back to the one on the device while the service does not answer. */
export async function loadSheet(owner: string, place: Place, signal: AbortSignal): Promise<Loaded> {
  const { cellId, meetingId, date } = place;
  const isNew = meetingId === "new" && date !== undefined;
  try {
    const sheet = isNew
      ? await readNewSheet(cellId, date, signal)
      : await readSheet(meetingId, signal);
    void keep({ owner, sheet });
    return { sheet, isKept: false };
  } catch (error) {
    if (!isTransient(error)) throw error;
    const sheet = await keptSheet(owner, (one) =>
      isNew ? one.cellId === cellId && one.date === date : one.meetingId === meetingId,
    );
    if (sheet === undefined) throw error;
    return { sheet, isKept: true };
  }
}

/** Keeps the sheets of the person's own groups that wait for a report or come next. Deletes those that are older than the days. */
export async function keepOwnSheets(owner: string, cellIds: string[], days: number): Promise<void> {
  for (const { owner: other, sheet } of await sheets.all().catch(() => []))
    if (isOutdated(sheet, days))
      await sheets.remove(sheetId(other, sheet.cellId, sheet.date)).catch(() => undefined);
  for (const sheet of await readSheetsToKeep(cellIds, days)) await keep({ owner, sheet });
}

export const readDraft = drafts.get;
/** Resolves to false where the device refuses to store. */
export const writeDraft = drafts.put;
export const removeDraft = drafts.remove;

/** How many reports a person has begun and not sent. */
export const countBegun = async (owner: string): Promise<number> =>
  (await drafts.all()).filter((draft) => draft.owner === owner).length;
