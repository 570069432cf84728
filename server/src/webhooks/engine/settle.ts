import { operator } from "../../access/operator.ts";
import { random } from "../../base/clock.ts";
import { type Db, inGlobalTransaction, inTransaction, type Tx } from "../../store/db.ts";
import { endpointStep, type EndpointTrigger } from "../endpoints/endpoint-lifecycle.ts";
import { applyStep, lockEndpoint } from "../endpoints/endpoint-rows.ts";
import { type Health, healthAfter, type ProductionAttempt } from "../endpoints/health.ts";
import { healthColumns } from "../endpoints/health-rows.ts";
import type { Claimed } from "./claim.ts";
import { ineligibility, type ReceiverState } from "./eligibility.ts";
import { codeOf } from "./outcome.ts";
import { healthRow, hoursOf, LeaseLostError, rowOf, writeRows } from "./settlement-rows.ts";
import { transition, type Trigger, type Verdict } from "./transition.ts";
import { deliveryTargetOf, recordOf, type ClaimResult } from "./work.ts";

/** `lost` results were not written, because their leases are no longer valid. */
export interface Settled {
  readonly settled: readonly { readonly result: ClaimResult; readonly verdict: Verdict }[];
  readonly lost: readonly ClaimResult[];
}

/**
 * Records results in one transaction: attempts, delivery states, endpoint health, hourly metrics and queue rows. Each
 * result is written only if its lease is still valid, so a late worker cannot overwrite a newer result.
 *
 * Nearly all leases are valid. The first try therefore writes without checking them and rolls back if one was lost. The
 * second try checks first.
 */
export async function settle(db: Db, batch: readonly ClaimResult[]): Promise<Settled> {
  try {
    return await inGlobalTransaction(db, (tx) => recordAll(tx, batch));
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    return inGlobalTransaction(db, (tx) => recordLeased(tx, batch));
  }
}

/** The sweep recorded the attempt as abandoned, or the account was deleted. */
const isLeaseLost = (error: unknown): boolean =>
  error instanceof LeaseLostError ||
  (error instanceof Error && "code" in error && ["23505", "23503"].includes(String(error.code)));

/**
 * Records a result that also changes the endpoint. Its own transaction locks the endpoint first, which keeps the lock
 * order.
 */
export const settleWithEndpoint = (db: Db, result: ClaimResult): Promise<Settled> =>
  inTransaction(db, result.claimed.accountId, (tx) => recordAndStep(tx, result));

/** The effect of a result on the endpoint, except on its health. */
export function endpointTriggerOf({ claimed, trigger }: ClaimResult): EndpointTrigger | undefined {
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

async function recordAndStep(tx: Tx, result: ClaimResult): Promise<Settled> {
  const { accountId, endpointId } = result.claimed;
  const endpoint = await lockEndpoint(tx, accountId, endpointId);
  const settled = await recordLeased(tx, [result]);
  if (!endpoint || settled.settled.length === 0) return settled;
  const trigger = endpointTriggerOf(result);
  const step = trigger && endpointStep(endpoint, trigger, result.finishedAt);
  if (step && "endpoint" in step)
    await applyStep(tx, accountId, endpointId, step, operator(accountId));
  return settled;
}

async function recordAll(tx: Tx, batch: readonly ClaimResult[]): Promise<Settled> {
  const settled = await write(tx, batch, await lockHealth(tx, batch));
  return { settled, lost: [] };
}

async function recordLeased(tx: Tx, batch: readonly ClaimResult[]): Promise<Settled> {
  const [endpoints, leased] = await Promise.all([
    lockHealth(tx, batch),
    lockLeased(
      tx,
      batch.map(({ claimed }) => claimed),
    ),
  ]);
  const isLeased = ({ claimed }: ClaimResult) => leased.has(keyOf(claimed));
  const settled = await write(tx, batch.filter(isLeased), endpoints);
  return { settled, lost: batch.filter((result) => !isLeased(result)) };
}

/** Uses the current endpoint, because one that became ineligible gets no retry. */
function verdictOn(result: ClaimResult, endpoints: ReadonlyMap<string, CurrentEndpoint>): Verdict {
  const { claimed, finishedAt } = result;
  const endpoint = endpoints.get(claimed.endpointId);
  const trigger: Trigger =
    result.trigger.kind === "attempted"
      ? {
          ...result.trigger,
          ineligible: endpoint ? ineligibility(deliveryTargetOf(claimed), endpoint) : "deleted",
        }
      : result.trigger;
  const verdict = transition(recordOf(claimed, trigger), trigger, finishedAt, random);
  if (!verdict) throw new Error(`${trigger.kind} cannot happen to ${claimed.status}.`);
  return verdict;
}

// -- Locks ---------------------------------------------------------------------------------------------------------

/** One lease covers many deliveries, and a batch may contain two claims of one delivery. */
const keyOf = ({ deliveryId, lease }: Pick<Claimed, "deliveryId" | "lease">) =>
  `${deliveryId} ${lease}`;

async function lockLeased(tx: Tx, claims: readonly Claimed[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ deliveryId: string; lease: string }[]>(
    LEASED,
    [
      claims.map(({ accountId }) => accountId),
      claims.map(({ deliveryId }) => deliveryId),
      claims.map(({ lease }) => lease),
    ],
    { prepared: true },
  );
  return new Set(rows.map(keyOf));
}

const LEASED = `
  select queue.delivery_id as "deliveryId", queue.lease
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as given (account_id, delivery_id, lease)
  join webhook_queue queue on queue.account_id = given.account_id and queue.delivery_id = given.delivery_id
    and queue.lease = given.lease
  order by queue.account_id, queue.delivery_id for update of queue`;

type CurrentEndpoint = ReceiverState & { readonly health: Health };

async function lockHealth(
  tx: Tx,
  batch: readonly ClaimResult[],
): Promise<ReadonlyMap<string, CurrentEndpoint>> {
  const wanted = new Map(batch.map(({ claimed }) => [claimed.endpointId, claimed.accountId]));
  const keys = [[...wanted.values()], [...wanted.keys()]];
  const [healths, endpoints] = await Promise.all([
    tx.query<(Health & { endpointId: string })[]>(HEALTH, keys, { prepared: true }),
    tx.query<(ReceiverState & { endpointId: string })[]>(ENDPOINTS, keys, { prepared: true }),
  ]);
  const healthOf = new Map(healths.map((health) => [health.endpointId, health]));
  return new Map(
    endpoints.flatMap((endpoint) => {
      const health = healthOf.get(endpoint.endpointId);
      return health ? [[endpoint.endpointId, { ...endpoint, health }]] : [];
    }),
  );
}

/** Rows are locked in a fixed order to avoid deadlocks. */
const HEALTH = `
  select health.endpoint_id as "endpointId", ${healthColumns}
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, endpoint_id)
  join webhook_endpoint_health health on health.account_id = wanted.account_id
    and health.endpoint_id = wanted.endpoint_id
  order by health.account_id, health.endpoint_id for update of health`;

/**
 * Runs after the health rows are locked. A change of the URL also locks them, so this statement sees the endpoint after
 * it.
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
  batch: readonly ClaimResult[],
  endpoints: ReadonlyMap<string, CurrentEndpoint>,
): Promise<Settled["settled"]> {
  if (batch.length === 0) return [];
  const settled = batch.map((result) => ({ result, verdict: verdictOn(result, endpoints) }));
  const production = settled.flatMap(({ result, verdict }) => {
    const { attempt, claimed } = result;
    const counts = attempt && claimed.kind === "production" && attempt.outcome.kind !== "system";
    return counts ? [{ claimed, verdict, attempt }] : [];
  });
  const byEndpoint = Map.groupBy(production, ({ claimed }) => claimed.endpointId);
  const healths = [...byEndpoint].flatMap(([endpointId, ofOne]) => {
    const endpoint = endpoints.get(endpointId);
    const accountId = ofOne[0]?.claimed.accountId;
    if (!endpoint || accountId === undefined) return [];
    const attempts = ofOne.map(
      ({ attempt, claimed }): ProductionAttempt => ({
        startedAt: attempt.startedAt,
        code: codeOf(attempt.outcome) ?? null,
        toEarlierDestination: claimed.destinationVersion !== endpoint.destinationVersion,
      }),
    );
    return [healthRow(accountId, endpointId, healthAfter(endpoint.health, attempts))];
  });
  await writeRows(
    tx,
    settled.map(({ result, verdict }) => rowOf(result, verdict)),
    { healths, hours: hoursOf(production) },
  );
  return settled;
}
