import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * History is there for 30 days to the millisecond, though it is dropped by the day. An id has the time of the event, and
 * of all that the event led to: its partition is known by the same condition.
 */
export const retained = (table: string): string =>
  `${table}.id >= history_floor(now() - ${webhookLimits.retentionMs} * interval '1 millisecond')`;
