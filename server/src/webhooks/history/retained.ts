import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * History is visible for exactly 30 days, although partitions are dropped by day. Ids contain the time of the event, so
 * this condition also selects the partitions.
 */
export const retained = (table: string): string =>
  `${table}.id >= history_floor(now() - ${webhookLimits.retentionMs} * interval '1 millisecond')`;
