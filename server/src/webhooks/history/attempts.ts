import {
  choice,
  integer,
  lines,
  list,
  object,
  optional,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { failureMessageSql, isoTimestamp } from "../endpoints/endpoint-expressions.ts";

/** An attempt to send one delivery. */
export const attempts = list(
  object({
    "id": text({ maxLength: 60 }),
    "state": choice(["started", "completed", "abandoned"]),
    "outcome": optional(
      choice(["success", "retryable-failure", "permanent-failure", "system-failure"]),
    ),
    "attempt-number": integer({ minimum: 1 }),
    "http-status": optional(integer()),
    "error-code": optional(text({ maxLength: 40, examples: ["http-503"] })),
    "error-message": optional(text({ maxLength: 500 })),
    "answer": optional(lines({ maxLength: webhookLimits.answerTextBytesMax })),
    "duration-ms": optional(integer({ minimum: 0 })),
    "started-at": timestamp(),
    "finished-at": optional(timestamp()),
  }),
  { maxItems: webhookLimits.attemptsShownMax },
);

/**
 * SQL for the attempts of a delivery, newest first. History contains finished attempts. The current attempt comes from
 * the queue's lease.
 */
export function attemptsOf(table: string): string {
  const own = `account_id = ${table}.account_id and delivery_id = ${table}.id`;
  return `(select coalesce(jsonb_agg(jsonb_build_object(
      'id', ${table}.id || '.' || sequence, 'state', state, 'outcome', outcome, 'attempt-number', attempt_number,
      'http-status', http_status, 'error-code', error_code,
      'error-message', ${failureMessageSql("error_code")}, 'answer', answer, 'duration-ms', duration_ms,
      'started-at', ${isoTimestamp("started_at")}, 'finished-at', ${isoTimestamp("finished_at")}) order by sequence desc), '[]')
    from (
      select sequence, state, outcome, attempt_number, http_status, error_code, answer, duration_ms, started_at, finished_at
      from webhook_attempts where ${own}
      union all
      select claims, 'started', null, attempts_made + 1, null, null, null, null, leased_at, null
      from webhook_queue where ${own} and lease is not null and due_at > now()
      order by sequence desc limit ${webhookLimits.attemptsShownMax}) latest)`;
}

/** SQL for a column of the last finished attempt of a delivery. */
export const ofLastAttempt = (table: string, column: string): string =>
  `(select ${column} from webhook_attempts where account_id = ${table}.account_id and delivery_id = ${table}.id` +
  ` order by sequence desc limit 1)`;
