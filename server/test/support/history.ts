import { DAY } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";

/** Inserts history straight into the tables. Times are ISO 8601. */

export interface RecordedEvent {
  at?: string;
  type?: string;
  subject?: { type: string; id: string };
  actorId?: string | null;
  cause?: string;
  batchId?: string | null;
  changedFields?: readonly string[] | null;
  snapshot?: string;
  originalBytes?: number;
  omittedFields?: readonly string[];
  merge?: object | null;
}

/** Returns the id of the event. */
export async function recordEvent(
  db: Db,
  accountId: string,
  event: RecordedEvent = {},
): Promise<string> {
  const { snapshot = '{"type":"people","id":"1"}', subject, type = "person.created" } = event;
  const [row] = await db<{ id: string }[]>`
    insert into webhook_events (account_id, id, event_type, occurred_at, cause, batch_id, subject_type, subject_id,
      actor_id, changed_fields, snapshot, snapshot_bytes, omitted_fields, merge)
    select ${accountId}, history_id(moment), ${type}, moment, ${event.cause ?? "api"}, ${event.batchId ?? null},
      ${subject?.type ?? "people"}, ${subject?.id ?? newId()}, ${event.actorId ?? null},
      ${event.changedFields ? [...event.changedFields] : null}::text[], ${snapshot},
      ${event.originalBytes ?? snapshot.length}, ${[...(event.omittedFields ?? [])]}::text[],
      ${event.merge ? JSON.stringify(event.merge) : null}::text::jsonb
    from date_trunc('milliseconds', coalesce(${event.at ?? null}::timestamptz, now())) as moment
    returning id`;
  return row?.id ?? "";
}

export interface RecordedDelivery {
  endpointId: string;
  /** Without an event, the delivery has a control message. */
  eventId?: string;
  kind?: "production" | "verification" | "test";
  status?: string;
  at?: string;
  suppressionReason?: string;
  attemptCount?: number;
  nextAttemptAt?: string;
  originId?: string;
}

/** Returns the id. The row is in the partition of its event, or of its own time for control messages. */
export async function recordDelivery(
  db: Db,
  accountId: string,
  delivery: RecordedDelivery,
): Promise<string> {
  const { endpointId, eventId, kind = "production", status = "delivered" } = delivery;
  const [row] = await db<{ id: string }[]>`
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, origin_delivery_id, status, suppression_reason, attempt_count, next_attempt_at, expires_at)
    select ${accountId}, history_id(coalesce(event.occurred_at, moment)), moment, moment, ${kind}, ${endpointId},
      coalesce(event.id, ${newId()}), event.event_type, 1, ${delivery.originId ?? null}, ${status},
      ${delivery.suppressionReason ?? null}, ${delivery.attemptCount ?? 0}, ${delivery.nextAttemptAt ?? null},
      coalesce(event.occurred_at + interval '30 days', moment + interval '15 minutes')
    from date_trunc('milliseconds', coalesce(${delivery.at ?? null}::timestamptz, now())) as moment
    left join webhook_events event on event.account_id = ${accountId} and event.id = ${eventId ?? null}
    returning id`;
  return row?.id ?? "";
}

export interface RecordedAttempt {
  sequence: number;
  number?: number;
  state?: string;
  outcome?: string | null;
  httpStatus?: number | null;
  errorCode?: string | null;
  durationMs?: number | null;
  startedAt?: string;
  finishedAt?: string | null;
  answer?: string | null;
}

export async function recordAttempt(
  db: Db,
  accountId: string,
  deliveryId: string,
  attempt: RecordedAttempt,
): Promise<void> {
  const { sequence, startedAt = "2026-01-01T00:00:00.000Z" } = attempt;
  await db`
    insert into webhook_attempts values (${accountId}, ${deliveryId}, ${sequence}, ${attempt.number ?? sequence},
      ${attempt.state ?? "completed"}, ${attempt.outcome ?? null}, ${attempt.httpStatus ?? null},
      ${attempt.errorCode ?? null}, ${attempt.durationMs ?? null}, ${startedAt}, ${attempt.finishedAt ?? null},
      ${attempt.answer ?? null})`;
}

/** Leases a delivery for `seconds` from now. A negative number makes an expired lease. */
export async function recordLease(
  db: Db,
  accountId: string,
  deliveryId: string,
  lease: { seconds?: number; claims?: number; attemptsMade?: number; leasedAt?: string } = {},
): Promise<void> {
  await db`
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, destination_version, status,
      attempts_made, expires_at, ready, due_at, lease, leased_at, claims)
    select account_id, id, endpoint_id, message_id, kind, destination_version, status, ${lease.attemptsMade ?? 0},
      expires_at, false, now() + ${lease.seconds ?? 60} * interval '1 second', ${newId()},
      coalesce(${lease.leasedAt ?? null}::timestamptz, now()), ${lease.claims ?? 1}
    from webhook_deliveries where account_id = ${accountId} and id = ${deliveryId}`;
}

/** Creates the partitions of a past day. */
export async function makeDay(db: Db, at: string): Promise<void> {
  const day = new Date(Math.floor(Date.parse(at) / DAY) * DAY).toISOString();
  const next = new Date(Date.parse(day) + DAY).toISOString();
  for (const table of ["webhook_events", "webhook_deliveries", "webhook_attempts"]) {
    const name = `${table}_${day.slice(0, 10).replaceAll("-", "")}`;
    const [row] = await db<{ from: string; to: string }[]>`
      select history_floor(${day}) as from, history_floor(${next}) as to`;
    await db.query(`create table if not exists ${name} partition of ${table}
      for values from ('${row?.from}') to ('${row?.to}')`);
  }
}
