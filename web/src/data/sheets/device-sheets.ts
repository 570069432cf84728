import { now } from "../../ui/clock.ts";
import { deviceTable } from "../device.ts";
import { type KeptSheet, sheetTable as sheets } from "../kept-sheets.ts";
import { readNewSheet, readSheet, readSheetsToKeep, type Sheet } from "../meetings.ts";
import { isTransient } from "../query-client.ts";
import type { SheetDraft } from "./draft.ts";

/** A draft, and the version of the sheet that it was begun with. */
export type KeptDraft = { owner: string; draft: SheetDraft; etag: string | undefined };

const drafts = deviceTable<KeptDraft>("drafts");

const KEPT_MS = 14 * 86_400_000;

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

/** Reads a sheet, and falls back to the one on the device while the service does not answer. */
export async function loadSheet(
  owner: string,
  place: { cellId: string; meetingId: string; date: string | undefined },
  signal: AbortSignal,
): Promise<{ sheet: Sheet; isKept: boolean }> {
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

/** Keeps the sheets of the person's own groups that wait for a report or come next. Deletes those that grew old. */
export async function keepOwnSheets(owner: string, cellIds: string[]): Promise<void> {
  for (const { owner: other, sheet } of await sheets.all().catch(() => []))
    if (now() - Date.parse(sheet.readAt) > KEPT_MS)
      await sheets.remove(sheetId(other, sheet.cellId, sheet.date)).catch(() => undefined);
  for (const sheet of await readSheetsToKeep(cellIds)) await keep({ owner, sheet });
}

export const readDraft = (id: string): Promise<KeptDraft | undefined> =>
  drafts.get(id).catch(() => undefined);

/** Resolves to false where the device refuses to store. */
export const writeDraft = (id: string, draft: KeptDraft): Promise<boolean> =>
  drafts.put(id, draft).then(
    () => true,
    () => false,
  );

export const removeDraft = (id: string): Promise<void> => drafts.remove(id).catch(() => undefined);
