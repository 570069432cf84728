import { queryOptions } from "@tanstack/react-query";
import { now } from "../ui/clock.ts";
import { deviceTable } from "./device.ts";
import { ofDevice } from "./kept.ts";
import type { Sheet } from "./meetings.ts";

/** A sheet that the device keeps for the person who read it. */
export type KeptSheet = { owner: string; sheet: Sheet };

export const sheetTable = deviceTable<KeptSheet>("sheets");

const KEPT_AT = "sheets-kept";

/** When the sheets of a person's own groups were kept last. Zero without them. */
export function sheetsKeptAt(owner: string): number {
  const last = ofDevice.get<{ owner: string; at: number }>(KEPT_AT);
  return last?.owner === owner ? last.at : 0;
}

export const noteSheetsKept = (owner: string): boolean =>
  ofDevice.set(KEPT_AT, { owner, at: now() });

/** Deletes the sheets of everyone. They have the names and telephone numbers of groups. */
export async function forgetSheets(): Promise<void> {
  ofDevice.delete(KEPT_AT);
  // Without storage nothing was kept.
  await sheetTable.clear().catch(() => undefined);
}

/** The meetings on the device that wait for a report, for a start without a connection. */
export const keptWaitingOptions = (owner: string) =>
  queryOptions({
    queryKey: ["device", "sheets", owner],
    queryFn: async () => {
      const kept = await sheetTable.all().catch(() => []);
      return kept
        .filter((one) => one.owner === owner)
        .flatMap(({ sheet: { cellId, cellName, date, meetingId, reportStatus } }) =>
          meetingId !== undefined && (reportStatus === "due" || reportStatus === "overdue")
            ? [{ meetingId, date, cell: { id: cellId, name: cellName } }]
            : [],
        )
        .sort((a, b) => a.date.localeCompare(b.date));
    },
    networkMode: "always",
  });
