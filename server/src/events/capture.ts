import type { Actor } from "../access/actor.ts";
import { isNobody } from "../access/operator.ts";
import { observe } from "../observe.ts";
import { onCommit, sendAside, type Tx } from "../store/db.ts";
import { webhookLimits } from "../webhook-limits.ts";
import type { CapturedType } from "./event-types.ts";
import { snapshotWithin } from "./snapshot.ts";
import { wake } from "./wake.ts";

/** What happened, told once, by the write that makes it true. */
export interface Happening {
  type: CapturedType;
  subject: { type: string; id: string };
  /** The attributes that differ, on `*.updated` alone; a custom field as `custom-properties.<field>`. */
  changedFields?: readonly string[];
  /** The subject as JSON text, without sensitive members. Not made unless the account captures. */
  snapshot: () => string;
  merge?: { "kept-id": string; "removed-ids": readonly string[] };
  /** What `isHeard` said, where the write asked it along the way: one that says no ends here. */
  heard?: boolean;
  /** What belongs together, such as the records of one import. */
  batchId?: string;
}

/** Whether the account captures at all, as a column of the write itself: an account without a live endpoint does not. */
export const isHeard = (account: string): string =>
  `exists (select from webhook_endpoints where account_id = ${account} and status <> 'deleted')`;

/** How many events a transaction has told already. */
const toldIn = new WeakMap<Tx, number>();

/**
 * The one door into webhooks. It takes a `Tx`: an event is written in the transaction that makes it true, or not at all.
 *
 * One statement: the event, a delivery for each endpoint that is active and subscribed at this moment, and their places
 * in the queue. It costs what one insert costs; three statements would cost three. Nobody waits for its answer but the
 * end of the transaction.
 */
export async function capture(tx: Tx, actor: Actor, happening: Happening): Promise<void> {
  const { subject, type } = happening;
  observe({
    kind: "event-happened",
    accountId: actor.accountId,
    eventType: type,
    subjectType: subject.type,
    subjectId: subject.id,
  });
  if (happening.heard === false) return;

  // All of a transaction happen at one time: their ids, which lists are ordered by, keep the order in which they were told.
  const toldBefore = toldIn.get(tx) ?? 0;
  toldIn.set(tx, toldBefore + 1);
  const { omittedFields, originalBytes, text } = snapshotWithin(
    webhookLimits.snapshotBytesMax,
    happening.snapshot(),
  );
  const statement = tx.unsafe<never[]>(
    CAPTURE,
    [
      actor.accountId,
      type,
      subject.type,
      subject.id,
      isNobody(actor) ? null : actor.personId,
      causeOf(actor),
      happening.batchId ?? null,
      happening.changedFields ? [...happening.changedFields] : null,
      text,
      originalBytes,
      [...omittedFields],
      happening.merge ? JSON.stringify(happening.merge) : null,
      toldBefore,
    ] as never[],
    { prepare: true },
  );
  sendAside(tx, statement, ({ count: deliveries }) => {
    if (deliveries > 0) onCommit(tx, wake);
  });
}

/** Through which door the change came. */
function causeOf(actor: Actor): "ui" | "api" | "system" {
  if (isNobody(actor)) return "system";
  return actor.integrationId === undefined ? "ui" : "api";
}

const CAPTURE = `
  with endpoint as materialized (
    select id, destination_version, status = 'active' and $2 = any(events) as hears
    from webhook_endpoints where account_id = $1::uuid and status <> 'deleted'
  ), event as (
    insert into webhook_events (account_id, id, event_type, occurred_at, cause, batch_id, subject_type, subject_id,
      actor_id, changed_fields, snapshot, snapshot_bytes, omitted_fields, merge)
    select $1::uuid, history_id(now() + $13::integer * interval '1 microsecond'), $2, moment, $6, $7::uuid, $3, $4::uuid,
      $5::uuid, $8::text[], $9, $10::integer, $11::text[], $12::text::jsonb
    from date_trunc('milliseconds', now()) as moment
    where exists (select from endpoint)
    returning id, occurred_at
  ), delivery as (
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, next_attempt_at, expires_at)
    select $1::uuid, history_id(now()), event.occurred_at, event.occurred_at, 'production', endpoint.id,
      event.id, $2, endpoint.destination_version, event.occurred_at,
      event.occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'
    from event cross join endpoint where endpoint.hears
    returning id, endpoint_id, message_id, destination_version, expires_at, next_attempt_at
  )
  insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
    expires_at, due_at)
  select $1::uuid, id, endpoint_id, message_id, 'production', $2, destination_version, expires_at, next_attempt_at
  from delivery`;
