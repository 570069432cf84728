import { operator } from "../../access/operator.ts";
import { HOUR, random } from "../../clock.ts";
import { type Db, inTransaction, type Tx } from "../../store/db.ts";
import { endpointStep, type EndpointTrigger } from "../endpoint-lifecycle.ts";
import { applyStep, lockEndpoint } from "../endpoint-rows.ts";
import { type Health, healthAfter, type ProductionAttempt } from "../health.ts";
import { healthColumns } from "../health-rows.ts";
import { latenciesOf } from "../metrics.ts";
import type { AttemptCode } from "./attempt-codes.ts";
import type { Claimed } from "./claim.ts";
import { ineligibility, type Receiving } from "./eligibility.ts";
import { attemptOutcomes, codeOf } from "./outcome.ts";
import { deliveryStates, transition, type Trigger, type Verdict } from "./transition.ts";
import { addressOf, standingOf, type Worked } from "./work.ts";

/** What was written, and what was not because somebody else holds the delivery by now. */
export interface Settled {
  readonly settled: readonly { readonly worked: Worked; readonly verdict: Verdict }[];
  readonly lost: readonly Worked[];
}

/**
 * Records what became of claims: attempts, the deliveries' states, the receivers' health and hours, and their places in
 * the queue; all in one transaction, and each only while its lease is still the one it was claimed with. That guards
 * failures as well as successes: no result of a worker that was taken for lost overwrites a newer one.
 *
 * Nearly always all of them are held, and to ask first would be one more look at each; so they are written as if they
 * were, and where that was wrong, nothing of it counts: then it is asked first.
 */
export async function settle(db: Db, batch: readonly Worked[]): Promise<Settled> {
  try {
    return await inTransaction(db, (tx) => recordAll(tx, batch));
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    return inTransaction(db, (tx) => recordHeld(tx, batch));
  }
}

/** Some of what was written is not held any more. */
class LeaseLost extends Error {}

/** Whoever ended a lease may have recorded the attempt already, as abandoned; or the church is gone, endpoint and all. */
const isLeaseLost = (error: unknown): boolean =>
  error instanceof LeaseLost ||
  (error instanceof Error && "code" in error && ["23505", "23503"].includes(String(error.code)));

/**
 * The same for a result that changes the endpoint too: in a transaction of its own, which locks the endpoint first, as
 * everybody who changes one does.
 */
export const settleWithEndpoint = (db: Db, worked: Worked): Promise<Settled> =>
  inTransaction(db, (tx) => recordAndStep(tx, worked));

/** What the result of an attempt means for the endpoint itself, beyond its health. */
export function endpointTriggerOf({ claimed, trigger }: Worked): EndpointTrigger | undefined {
  if (trigger.kind !== "attempted") return undefined;
  const { destinationVersion, expiresAt, kind, verificationGeneration } = claimed;
  if (trigger.outcome.kind === "refused") return { kind: "address-refused", destinationVersion };
  if (trigger.outcome.kind !== "delivered" || kind !== "verification") return undefined;
  return {
    kind: "challenge-answered",
    destinationVersion,
    verificationGeneration: verificationGeneration ?? 0,
    expiresAt,
  };
}

async function recordAndStep(tx: Tx, worked: Worked): Promise<Settled> {
  const { accountId, endpointId } = worked.claimed;
  const endpoint = await lockEndpoint(tx, accountId, endpointId);
  const result = await recordHeld(tx, [worked]);
  if (!endpoint || result.settled.length === 0) return result;
  const trigger = endpointTriggerOf(worked);
  const step = trigger && endpointStep(endpoint, trigger, worked.finishedAt);
  if (step && "endpoint" in step)
    await applyStep(tx, accountId, endpointId, step, operator(accountId));
  return result;
}

async function recordAll(tx: Tx, batch: readonly Worked[]): Promise<Settled> {
  const settled = await write(tx, batch, await lockHealth(tx, batch));
  return { settled, lost: [] };
}

async function recordHeld(tx: Tx, batch: readonly Worked[]): Promise<Settled> {
  const [endpoints, held] = await Promise.all([
    lockHealth(tx, batch),
    lockHeld(
      tx,
      batch.map(({ claimed }) => claimed),
    ),
  ]);
  const isHeld = ({ claimed }: Worked) => held.has(keyOf(claimed));
  const settled = await write(tx, batch.filter(isHeld), endpoints);
  return { settled, lost: batch.filter((worked) => !isHeld(worked)) };
}

/** Judged by the endpoint as it is now: what it does not take any more has no next time. */
function verdictOn(worked: Worked, endpoints: ReadonlyMap<string, EndpointNow>): Verdict {
  const { claimed, finishedAt } = worked;
  const endpoint = endpoints.get(claimed.endpointId);
  const trigger: Trigger =
    worked.trigger.kind === "attempted"
      ? {
          ...worked.trigger,
          ineligible: endpoint ? ineligibility(addressOf(claimed), endpoint) : "deleted",
        }
      : worked.trigger;
  const verdict = transition(standingOf(claimed, trigger), trigger, finishedAt, random);
  if (!verdict) throw new Error(`${trigger.kind} cannot happen to ${claimed.status}.`);
  return verdict;
}

// -- Locks ---------------------------------------------------------------------------------------------------------

/** A lease holds many deliveries, and a batch may have two claims of one delivery, of which one is long over. */
const keyOf = ({ deliveryId, lease }: Pick<Claimed, "deliveryId" | "lease">) =>
  `${deliveryId} ${lease}`;

async function lockHeld(tx: Tx, claims: readonly Claimed[]): Promise<ReadonlySet<string>> {
  const rows = await tx.unsafe<{ deliveryId: string; lease: string }[]>(
    HELD,
    [
      claims.map(({ accountId }) => accountId),
      claims.map(({ deliveryId }) => deliveryId),
      claims.map(({ lease }) => lease),
    ] as never[],
    { prepare: true },
  );
  return new Set(rows.map(keyOf));
}

const HELD = `
  select queue.delivery_id as "deliveryId", queue.lease
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as given (account_id, delivery_id, lease)
  join webhook_queue queue on queue.account_id = given.account_id and queue.delivery_id = given.delivery_id
    and queue.lease = given.lease
  order by queue.account_id, queue.delivery_id for update of queue`;

type EndpointNow = Receiving & { readonly health: Health };

async function lockHealth(
  tx: Tx,
  batch: readonly Worked[],
): Promise<ReadonlyMap<string, EndpointNow>> {
  const wanted = new Map(batch.map(({ claimed }) => [claimed.endpointId, claimed.accountId]));
  const keys = [[...wanted.values()], [...wanted.keys()]] as never[];
  const [healths, endpoints] = await Promise.all([
    tx.unsafe<(Health & { endpointId: string })[]>(HEALTH, keys, { prepare: true }),
    tx.unsafe<(Receiving & { endpointId: string })[]>(ENDPOINTS, keys, { prepare: true }),
  ]);
  const healthOf = new Map(healths.map((health) => [health.endpointId, health]));
  return new Map(
    endpoints.flatMap((endpoint) => {
      const health = healthOf.get(endpoint.endpointId);
      return health ? [[endpoint.endpointId, { ...endpoint, health }]] : [];
    }),
  );
}

/** In one order, so that two workers never wait for each other. */
const HEALTH = `
  select health.endpoint_id as "endpointId", ${healthColumns}
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, endpoint_id)
  join webhook_endpoint_health health on health.account_id = wanted.account_id
    and health.endpoint_id = wanted.endpoint_id
  order by health.account_id, health.endpoint_id for update of health`;

/**
 * A statement after that one: whoever sets an endpoint's URL resets its health, and where the lock waited for them, what its
 * own statement reads of the endpoint is from before.
 */
const ENDPOINTS = `
  select endpoint.id as "endpointId", endpoint.status, endpoint.pause_reason as "pauseReason",
    endpoint.destination_version as "destinationVersion",
    endpoint.verified_destination_version as "verifiedDestinationVersion",
    endpoint.verification_generation as "verificationGeneration", endpoint.events
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, endpoint_id)
  join webhook_endpoints endpoint on endpoint.account_id = wanted.account_id and endpoint.id = wanted.endpoint_id`;

// -- Writing -------------------------------------------------------------------------------------------------------

async function write(
  tx: Tx,
  batch: readonly Worked[],
  endpoints: ReadonlyMap<string, EndpointNow>,
): Promise<Settled["settled"]> {
  if (batch.length === 0) return [];
  const settled = batch.map((worked) => ({ worked, verdict: verdictOn(worked, endpoints) }));
  const production = settled.flatMap(({ worked, verdict }) => {
    const { attempt, claimed } = worked;
    const counts = attempt && claimed.kind === "production" && attempt.outcome.kind !== "system";
    return counts ? [{ claimed, verdict, attempt }] : [];
  });
  const healths: HealthRow[] = [];
  for (const [endpointId, ofOne] of Map.groupBy(production, (one) => one.claimed.endpointId)) {
    const endpoint = endpoints.get(endpointId);
    const accountId = ofOne[0]?.claimed.accountId;
    if (!endpoint || accountId === undefined) continue;
    const attempts = ofOne.map(
      ({ attempt, claimed }): ProductionAttempt => ({
        startedAt: attempt.startedAt,
        code: codeOf(attempt.outcome) ?? null,
        elsewhere: claimed.destinationVersion !== endpoint.destinationVersion,
      }),
    );
    healths.push(healthRow(accountId, endpointId, healthAfter(endpoint.health, attempts)));
  }
  await writeRows(
    tx,
    settled.map(({ worked, verdict }) => rowOf(worked, verdict)),
    { healths, hours: hoursOf(production) },
  );
  return settled;
}

/** One delivery as it is after. `ended`: it leaves the queue. */
export interface SettlementRow {
  readonly account_id: string;
  readonly delivery_id: string;
  /** The one it is held with. */
  readonly lease: string;
  readonly status: string;
  readonly ended: boolean;
  readonly suppression_reason: string | null;
  readonly attempts_made: number;
  readonly system_failures: number;
  readonly due_ms: number | null;
  /** Due already: another worker may have it at once. */
  readonly ready: boolean;
  /** Absent: nothing was attempted. */
  readonly sequence: number | null;
  readonly attempt_number: number | null;
  readonly state: "completed" | "abandoned" | null;
  readonly outcome: string | null;
  readonly http_status: number | null;
  readonly error_code: AttemptCode | null;
  readonly duration_ms: number | null;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
}

/** Where it stands, in the queue and in history. */
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

function rowOf({ attempt, claimed, finishedAt }: Worked, verdict: Verdict): SettlementRow {
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

const healthRow = (accountId: string, endpointId: string, health: Health): HealthRow => ({
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

/** In one order, so that two workers never wait for each other. */
function hoursOf(attempts: readonly Counted[]): HourRow[] {
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

/**
 * Throws, for the transaction to end with nothing written, where one of them is not held with its lease any more. In the
 * order of their ids, in which whoever forgets deliveries takes them as well.
 */
export async function writeRows(
  tx: Tx,
  unordered: readonly SettlementRow[],
  more: { healths?: readonly HealthRow[]; hours?: readonly HourRow[] } = {},
): Promise<void> {
  const { healths = [], hours = [] } = more;
  const rows = unordered.toSorted((one, other) => (one.delivery_id < other.delivery_id ? -1 : 1));
  const [written] = await tx.unsafe<{ held: number }[]>(
    WRITE,
    [
      JSON.stringify(hours),
      JSON.stringify(healths),
      rows[0]?.delivery_id,
      rows.at(-1)?.delivery_id,
      ...names.map((name) => literalOf(rows.map((row) => row[name]))),
    ] as never[],
    { prepare: true },
  );
  if (written?.held !== rows.length) throw new LeaseLost();
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
} as const satisfies Record<keyof SettlementRow, string>;

const names = Object.keys(columns) as (keyof SettlementRow)[];

const unnested = Object.values(columns)
  .map((type, index) => `$${index + 5}::text::${type}[]`)
  .join(", ");

/** Ids, numbers and words of our own: none of them needs quoting. */
const literalOf = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? "null").join(",")}}`;

const at = (column: string) => `to_timestamp(given.${column} / 1000)`;

/**
 * Columns by themselves, since reading them costs half of what reading JSON does. The bounds are for the planner: without
 * them it would open every partition there is.
 */
const WRITE = `
  with given as materialized (
    select * from unnest(${unnested}) as given (${names.join(", ")})
  ), attempted as (
    insert into webhook_attempts (account_id, delivery_id, sequence, attempt_number, state, outcome, http_status,
      error_code, duration_ms, started_at, finished_at)
    select account_id, delivery_id, sequence, attempt_number, state, outcome, http_status, error_code, duration_ms,
      ${at("started_ms")}, ${at("finished_ms")}
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
