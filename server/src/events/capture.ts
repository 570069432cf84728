import type { Actor } from "../access/actor.ts";
import { authorOf } from "../access/operator.ts";
import { SECOND } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import { observe } from "../base/observe.ts";
import { onCommit, sendWithCommit, type Tx } from "../store/db.ts";
import { webhookLimits } from "../base/webhook-limits.ts";
import { causeOf, noteAuthorship } from "./author.ts";
import type { CapturedType } from "./event-types.ts";
import { snapshotWithin } from "./snapshot.ts";
import { wake } from "./wake.ts";

/** An event, written by the transaction that makes the change. */
export interface NewEvent {
  type: CapturedType;
  subject: { type: string; id: string };
  /** Changed attributes, only for `*.updated`. A custom field is `custom-properties.<field>`. */
  changedFields?: readonly string[];
  /** The subject as JSON text, without sensitive members. */
  snapshot: () => string;
  merge?: { "kept-id": string; "removed-ids": readonly string[] };
  /** The default is the batch of the transaction. */
  batchId?: string;
}

interface Batch {
  id: string;
  cause?: "import";
}

/** The batch of the events that a transaction captures. */
const batches = new WeakMap<Tx, Batch>();

/** All events that this transaction captures from now on share one `batch-id`. */
export function beginBatch(tx: Tx): void {
  if (!batches.has(tx)) continueBatch(tx, { id: newId() });
}

/** The same for a batch that takes several transactions, such as an import. */
export function continueBatch(tx: Tx, batch: Batch): void {
  batches.set(tx, batch);
  noteAuthorship(tx, { batch: batch.id, ...(batch.cause && { cause: batch.cause }) });
}

/** Whether the account captures events. Asking once is cheaper than capturing thousands in vain. */
export async function capturesEvents(tx: Tx, accountId: string): Promise<boolean> {
  const [endpoint] = await tx`
    select from webhook_endpoints where account_id = ${accountId} and status <> 'deleted' limit 1`;
  return endpoint !== undefined;
}

/** The number of events that a transaction has captured. */
const capturedIn = new WeakMap<Tx, number>();

/**
 * The one door into webhooks. It takes a `Tx`: an event is written in the transaction that makes it true, or not at all.
 *
 * One statement writes the event, a delivery for each endpoint that is active and subscribed, and their places in the
 * queue. It is sent after the write has its locks, so an endpoint that became active while the write waited gets the
 * event. The statement is pipelined with COMMIT, so only the commit waits for it.
 */
export async function capture(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  const { subject, type } = event;
  const { accountId } = actor;
  const happened = { accountId, eventType: type, subjectType: subject.type, subjectId: subject.id };
  onCommit(tx, () => observe({ kind: "event-happened", ...happened }));
  // All events of a transaction have the same time. Their ids keep the order of capture.
  const before = capturedIn.get(tx) ?? 0;
  capturedIn.set(tx, before + 1);
  const { omittedFields, originalBytes, text } = snapshotWithin(
    webhookLimits.snapshotBytesMax,
    event.snapshot(),
  );
  const batch = batches.get(tx);
  const captured = tx.query(
    CAPTURE,
    [
      actor.accountId,
      before,
      type,
      webhookLimits.retentionMs / SECOND,
      batch?.cause ?? causeOf(actor),
      event.batchId ?? batch?.id ?? null,
      subject.type,
      subject.id,
      authorOf(actor),
      event.changedFields ?? null,
      text,
      originalBytes,
      omittedFields,
      event.merge ? JSON.stringify(event.merge) : null,
    ],
    { prepared: true },
  );
  sendWithCommit(
    tx,
    captured.then(({ count }) => {
      if (count > 0) onCommit(tx, wake);
    }),
  );
}

/** An account captures only while it has a live endpoint. Ids of history carry the time of the transaction. */
const CAPTURE = `
  with event as (
    insert into webhook_events (account_id, id, event_type, occurred_at, cause, batch_id, subject_type, subject_id,
      actor_id, changed_fields, snapshot, snapshot_bytes, omitted_fields, merge)
    select $1::uuid, history_id(now() + $2::integer * interval '1 microsecond'), $3::text,
      date_trunc('milliseconds', now()), $5, $6::uuid, $7, $8::uuid, $9::uuid, $10::text[], $11, $12::integer,
      $13::text[], $14::text::jsonb
    where exists (select from webhook_endpoints where account_id = $1::uuid and status <> 'deleted')
    returning id, occurred_at
  ), delivery as (
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, next_attempt_at, expires_at)
    select $1::uuid, history_id(now()), event.occurred_at, event.occurred_at, 'production', endpoint.id, event.id,
      $3::text, endpoint.destination_version, event.occurred_at, event.occurred_at + $4 * interval '1 second'
    from event
    join webhook_endpoints endpoint
      on endpoint.account_id = $1::uuid and endpoint.status = 'active' and $3::text = any(endpoint.events)
    returning id, endpoint_id, message_id, destination_version, expires_at, created_at
  )
  insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
    expires_at, due_at)
  select $1::uuid, id, endpoint_id, message_id, 'production', $3::text, destination_version, expires_at, created_at
  from delivery`;
