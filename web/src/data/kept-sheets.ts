import { queryOptions } from "@tanstack/react-query";
import { deviceTable } from "./device.ts";
import type { Sheet } from "./meetings.ts";

/** A sheet that the device keeps for the person who read it. */
export type KeptSheet = { owner: string; sheet: Sheet };

export const sheetTable = deviceTable<KeptSheet>("sheets");

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
