import { now } from "../../ui/clock.ts";
import type { Sheet } from "../meetings.ts";

/** While the church has set no `report-edit-days`. */
const USUAL_DAYS = 14;

const DAY_MS = 86_400_000;

/** The device keeps sheets as long as their reports can be corrected. */
export const keptDays = (settings: { "report-edit-days"?: number | null }): number =>
  settings["report-edit-days"] ?? USUAL_DAYS;

/** Whether the device has kept a sheet for longer than the days since it was read. */
export const isOutdated = ({ readAt }: Pick<Sheet, "readAt">, days: number): boolean =>
  now() - Date.parse(readAt) > days * DAY_MS;
