import { operator } from "../../access/operator.ts";
import { random } from "../../base/clock.ts";
import { observe } from "../../base/observe.ts";
import { type Db, inGlobalTransaction, inTransaction } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { endpointStep } from "../endpoints/endpoint-lifecycle.ts";
import { applyStep, lockEndpoint } from "../endpoints/endpoint-rows.ts";
import { lockHealthOf } from "../endpoints/health-rows.ts";
import type { DeliveryKind } from "./schedule.ts";
import { placeOf, type SettlementRow, writeRows } from "./settlement-rows.ts";
import { attemptOf } from "./report.ts";
import { transition } from "./transition.ts";

/**
 * Work that is due to the passage of time. Every function can run on any number of nodes at once and returns the number
 * of rows.
 */

const ROWS_AT_ONCE = 1_000;

/** Marks due deliveries as ready. */
export async function makeReady(db: Db): Promise<number> {
  const rows = await db`
    update webhook_queue queue set ready = true
    from (
      select account_id, delivery_id from webhook_queue
      where not ready and due_at <= now() and lease is null
      order by due_at limit ${ROWS_AT_ONCE} for update skip locked
    ) due
    where queue.account_id = due.account_id and queue.delivery_id = due.delivery_id`;
  return rows.count;
}

interface LostRow {
  accountId: string;
  endpointId: string;
  deliveryId: string;
  lease: string;
  kind: DeliveryKind;
  attemptsMade: number;
  systemFailures: number;
  expiresAt: number;
  leasedAt: number;
  sequence: number;
  now: number;
}

/** An attempt whose worker was lost, and the row that was written for it. */
export interface Abandoned {
  readonly lost: Readonly<LostRow>;
  readonly written: SettlementRow;
}

function reportAbandoned(abandoned: readonly Abandoned[]): void {
  for (const { lost, written } of abandoned)
    observe({ kind: "attempt-abandoned", ...attemptOf(lost), status: written.status });
}

/**
 * Ends the leases of lost workers. The receiver may get the message twice. Queue rows without a live delivery are left
 * to the reconciler: their partition may be gone, and the failed insert would block all other rows.
 */
export async function endLeases(db: Db): Promise<readonly Abandoned[]> {
  return inGlobalTransaction(db, async (tx) => {
    const rows = await tx<LostRow[]>`
      select account_id as "accountId", endpoint_id as "endpointId", delivery_id as "deliveryId", lease, kind,
        attempts_made as "attemptsMade", system_failures as "systemFailures", extract(epoch from expires_at)::float8 * 1000 as "expiresAt",
        extract(epoch from leased_at)::float8 * 1000 as "leasedAt", claims as sequence,
        extract(epoch from now())::float8 * 1000 as now
      from webhook_queue queue where not ready and due_at <= now() and lease is not null and exists (
        select from webhook_deliveries delivery
        where delivery.account_id = queue.account_id and delivery.id = queue.delivery_id
          and delivery.status in ('pending', 'retry-scheduled', 'blocked-system'))
      order by due_at limit ${ROWS_AT_ONCE} for update of queue skip locked`;
    const abandoned = rows.map((lost) => ({ lost, written: writtenOf(lost) }));
    if (abandoned.length > 0)
      await writeRows(
        tx,
        abandoned.map(({ written }) => written),
      );
    return abandoned;
  });
}

function writtenOf(row: LostRow): SettlementRow {
  const now = Math.round(row.now);
  const delivery = { ...row, state: "processing" } as const;
  const verdict = transition(delivery, { kind: "lease-ended" }, now, random);
  if (!verdict) throw new Error("A lease can always end.");
  return {
    ...placeOf(row, verdict, now),
    sequence: row.sequence,
    attempt_number: row.attemptsMade + 1,
    state: "abandoned",
    outcome: null,
    http_status: null,
    error_code: null,
    duration_ms: null,
    started_ms: row.leasedAt,
    finished_ms: now,
    answer: null,
  };
}

/** Pauses endpoints that have been failing for seven days. */
export async function pauseFailing(db: Db): Promise<number> {
  const rows = await db<{ accountId: string; id: string }[]>`
    select health.account_id as "accountId", health.endpoint_id as id
    from webhook_endpoint_health health
    join webhook_endpoints endpoint on endpoint.account_id = health.account_id and endpoint.id = health.endpoint_id
    where health.failing_since <= now() - ${webhookLimits.pausedAfterFailingMs} * interval '1 millisecond'
      and endpoint.status = 'active'
    limit ${ROWS_AT_ONCE}`;
  let paused = 0;
  for (const { accountId, id } of rows)
    paused += await inTransaction(db, accountId, async (tx) => {
      const endpoint = await lockEndpoint(tx, accountId, id);
      if (!endpoint) return 0;
      const { health, now } = await lockHealthOf(tx, accountId, id);
      const step = endpointStep(endpoint, { kind: "health-judged", health }, now);
      if (!step || !("endpoint" in step)) return 0;
      await applyStep(tx, accountId, id, step, operator(accountId));
      return 1;
    });
  return paused;
}

/** Runs until no full batch is left. */
export async function sweep(db: Db): Promise<void> {
  const ready = await makeReady(db);
  const lost = await endLeases(db);
  reportAbandoned(lost);
  if (ready === ROWS_AT_ONCE || lost.length === ROWS_AT_ONCE) await sweep(db);
}
