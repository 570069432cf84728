import { HOUR } from "../../base/clock.ts";
import type { Tx } from "../../store/db.ts";
import type { Health } from "../endpoints/health.ts";
import { latenciesOf } from "../history/metrics.ts";
import type { AttemptCode } from "./attempt-codes.ts";
import type { Claimed } from "./claim.ts";
import { attemptOutcomes, codeOf } from "./outcome.ts";
import { deliveryStates, type Verdict } from "./transition.ts";
import type { ClaimResult } from "./work.ts";

/** The state of a delivery after settlement. `ended` means that it leaves the queue. */
export interface SettlementRow {
  readonly account_id: string;
  readonly delivery_id: string;
  /** The lease of the claim. */
  readonly lease: string;
  readonly status: string;
  readonly ended: boolean;
  readonly suppression_reason: string | null;
  readonly attempts_made: number;
  readonly system_failures: number;
  readonly due_ms: number | null;
  /** Due now, so any worker can claim it. */
  readonly ready: boolean;
  /** Null, like the members below, if there was no attempt. */
  readonly sequence: number | null;
  readonly attempt_number: number | null;
  readonly state: "completed" | "abandoned" | null;
  readonly outcome: string | null;
  readonly http_status: number | null;
  readonly error_code: AttemptCode | null;
  readonly duration_ms: number | null;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
  /** The start of the receiver's answer. */
  readonly answer: string | null;
}

/** The columns of queue and history that follow from a verdict. */
export const placeOf = (
  { accountId, deliveryId, lease }: Pick<Claimed, "accountId" | "deliveryId" | "lease">,
  verdict: Verdict,
  now: number,
) => ({
  account_id: accountId,
  delivery_id: deliveryId,
  lease,
  status: verdict.state,
  ended: deliveryStates[verdict.state].final,
  suppression_reason: verdict.suppressionReason ?? null,
  attempts_made: verdict.attemptsMade,
  system_failures: verdict.systemFailures,
  due_ms: verdict.nextAttemptAt ?? null,
  ready: verdict.nextAttemptAt !== undefined && verdict.nextAttemptAt <= now,
});

export function rowOf(
  { attempt, claimed, finishedAt }: ClaimResult,
  verdict: Verdict,
): SettlementRow {
  return {
    ...placeOf(claimed, verdict, finishedAt),
    sequence: attempt ? claimed.sequence : null,
    attempt_number: attempt ? claimed.attemptsMade + 1 : null,
    state: attempt ? "completed" : null,
    outcome: attempt ? attemptOutcomes[attempt.outcome.kind] : null,
    http_status: attempt?.httpStatus ?? null,
    error_code: (attempt && codeOf(attempt.outcome)) ?? null,
    duration_ms: attempt ? Math.round(attempt.durationMs) : null,
    started_ms: attempt?.startedAt ?? null,
    finished_ms: attempt ? finishedAt : null,
    answer: attempt?.answer ?? null,
  };
}

interface HealthRow {
  account_id: string;
  endpoint_id: string;
  failures: number;
  streak_ms: number | null;
  failing_ms: number | null;
  old_news_ms: number | null;
  attempt_ms: number | null;
  success_ms: number | null;
  failure_ms: number | null;
  failure_code: string | null;
}

export const healthRow = (accountId: string, endpointId: string, health: Health): HealthRow => ({
  account_id: accountId,
  endpoint_id: endpointId,
  failures: health.consecutiveFailures,
  streak_ms: health.streakBeganAt,
  failing_ms: health.failingSince,
  old_news_ms: health.oldNewsUntil,
  attempt_ms: health.lastAttemptAt,
  success_ms: health.lastSuccessAt,
  failure_ms: health.lastFailureAt,
  failure_code: health.lastFailureCode,
});

interface HourRow {
  account_id: string;
  endpoint_id: string;
  hour_ms: number;
  attempts: number;
  retries: number;
  succeeded: number;
  failed: number;
  latency_ms_sum: number;
  latencies: number[];
}

interface Counted {
  readonly claimed: Claimed;
  readonly verdict: Verdict;
  readonly attempt: { readonly startedAt: number; readonly durationMs: number };
}

/** Rows are sorted to avoid deadlocks. */
export function hoursOf(attempts: readonly Counted[]): HourRow[] {
  const hours = Map.groupBy(attempts, ({ attempt, claimed }) =>
    [claimed.accountId, claimed.endpointId, Math.floor(attempt.startedAt / HOUR) * HOUR].join(" "),
  );
  return [...hours]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, counted]): HourRow => {
      const [accountId = "", endpointId = "", hour] = key.split(" ");
      const count = (holds: (one: Counted) => boolean) => counted.filter(holds).length;
      const latencies = counted.map(({ attempt }) => attempt.durationMs);
      return {
        account_id: accountId,
        endpoint_id: endpointId,
        hour_ms: Number(hour),
        attempts: counted.length,
        retries: count(({ claimed }) => claimed.attemptsMade > 0),
        succeeded: count(({ verdict }) => verdict.state === "delivered"),
        failed: count(
          ({ verdict }) => verdict.state === "failed-permanent" || verdict.state === "exhausted",
        ),
        latency_ms_sum: Math.round(latencies.reduce((sum, one) => sum + one, 0)),
        latencies: latenciesOf(latencies),
      };
    });
}

/** At least one lease is no longer valid. */
export class LeaseLostError extends Error {}

/**
 * Throws if a lease is no longer valid, so that the transaction rolls back. Rows are locked in the order of their ids,
 * like deletions, to avoid deadlocks.
 */
export async function writeRows(
  tx: Tx,
  unordered: readonly SettlementRow[],
  more: { healths?: readonly HealthRow[]; hours?: readonly HourRow[] } = {},
): Promise<void> {
  const { healths = [], hours = [] } = more;
  const rows = unordered.toSorted((one, other) => (one.delivery_id < other.delivery_id ? -1 : 1));
  const [written] = await tx.query<{ held: number }[]>(
    WRITE,
    [
      JSON.stringify(hours),
      JSON.stringify(healths),
      rows[0]?.delivery_id,
      rows.at(-1)?.delivery_id,
      ...names.map((name) =>
        literalOf(name === "answer" ? rows.map(quotedAnswer) : rows.map((row) => row[name])),
      ),
    ],
    { prepared: true },
  );
  if (written?.held !== rows.length) throw new LeaseLostError();
}

const columns = {
  account_id: "uuid",
  delivery_id: "uuid",
  lease: "uuid",
  status: "text",
  ended: "boolean",
  suppression_reason: "text",
  attempts_made: "integer",
  system_failures: "integer",
  due_ms: "float8",
  ready: "boolean",
  sequence: "integer",
  attempt_number: "integer",
  state: "text",
  outcome: "text",
  http_status: "integer",
  error_code: "text",
  duration_ms: "integer",
  started_ms: "float8",
  finished_ms: "float8",
  answer: "text",
} as const satisfies Record<keyof SettlementRow, string>;

const names = Object.keys(columns) as (keyof SettlementRow)[];

const unnested = Object.values(columns)
  .map((type, index) => `$${index + 5}::text::${type}[]`)
  .join(", ");

/** The only value that a receiver writes. */
const quotedAnswer = ({ answer }: SettlementRow): string | null =>
  answer === null ? null : `"${answer.replace(/["\\]/g, "\\$&")}"`;

/** Ids, numbers and identifiers need no quoting. */
const literalOf = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? "null").join(",")}}`;

const at = (column: string) => `to_timestamp(given.${column} / 1000)`;

/** Arrays cost half as much to parse as JSON. The bounds on `id` let the planner skip partitions. */
const WRITE = `
  with given as materialized (
    select * from unnest(${unnested}) as given (${names.join(", ")})
  ), attempted as (
    insert into webhook_attempts (account_id, delivery_id, sequence, attempt_number, state, outcome, http_status,
      error_code, duration_ms, started_at, finished_at, answer)
    select account_id, delivery_id, sequence, attempt_number, state, outcome, http_status, error_code, duration_ms,
      ${at("started_ms")}, ${at("finished_ms")}, answer
    from given where sequence is not null
  ), moved as (
    update webhook_deliveries delivery
    set status = given.status, suppression_reason = given.suppression_reason, attempt_count = given.attempts_made,
      next_attempt_at = ${at("due_ms")}, updated_at = now()
    from given where delivery.account_id = given.account_id and delivery.id = given.delivery_id
      and delivery.id between $3::uuid and $4::uuid
      and delivery.status in ('pending', 'retry-scheduled', 'blocked-system')
  ), ended as (
    delete from webhook_queue queue using given
    where queue.account_id = given.account_id and queue.delivery_id = given.delivery_id
      and queue.lease = given.lease and given.ended
    returning 1
  ), waiting as (
    update webhook_queue queue
    set status = given.status, attempts_made = given.attempts_made, system_failures = given.system_failures,
      ready = given.ready, due_at = ${at("due_ms")}, lease = null, leased_at = null
    from given
    where queue.account_id = given.account_id and queue.delivery_id = given.delivery_id
      and queue.lease = given.lease and not given.ended
    returning 1
  ), rolled_up as (
    insert into webhook_hours as known (account_id, endpoint_id, hour, attempts, retries, succeeded, failed,
      latency_ms_sum, latencies)
    select account_id, endpoint_id, ${at("hour_ms")}, attempts, retries, succeeded, failed, latency_ms_sum, latencies
    from json_to_recordset($1::text::json) as given (
      account_id uuid, endpoint_id uuid, hour_ms float8, attempts integer, retries integer, succeeded integer,
      failed integer, latency_ms_sum bigint, latencies integer[])
    on conflict (account_id, endpoint_id, hour) do update
    set attempts = known.attempts + excluded.attempts, retries = known.retries + excluded.retries,
      succeeded = known.succeeded + excluded.succeeded, failed = known.failed + excluded.failed,
      latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum,
      latencies = add_counts(known.latencies, excluded.latencies)
  ), judged as (
    update webhook_endpoint_health health
    set consecutive_failures = given.failures, streak_began_at = ${at("streak_ms")},
      failing_since = ${at("failing_ms")}, old_news_until = ${at("old_news_ms")},
      last_attempt_at = ${at("attempt_ms")}, last_success_at = ${at("success_ms")},
      last_failure_at = ${at("failure_ms")}, last_failure_code = given.failure_code
    from json_to_recordset($2::text::json) as given (
      account_id uuid, endpoint_id uuid, failures integer, streak_ms float8, failing_ms float8, old_news_ms float8,
      attempt_ms float8, success_ms float8, failure_ms float8, failure_code text)
    where health.account_id = given.account_id and health.endpoint_id = given.endpoint_id
  )
  select ((select count(*) from ended) + (select count(*) from waiting))::integer as held`;
