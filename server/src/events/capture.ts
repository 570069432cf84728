import type { Actor } from "../access/actor.ts";
import { isNobody } from "../access/operator.ts";
import { historyId } from "../base/ids.ts";
import { observe } from "../base/observe.ts";
import { onCommit, sendAside, type Tx } from "../store/db.ts";
import { webhookLimits } from "../base/webhook-limits.ts";
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
  /** What `hearers` said, where the write asked it along the way. */
  hearers?: string | null;
  /** What belongs together, such as the records of one import. */
  batchId?: string;
}

/**
 * Who hears of it, as a column of the write that makes it true: when that is, in microseconds, then each endpoint that is
 * active and subscribed, with the version of its destination: `1795309323004000 <id>/1 <id>/4`. Null if the account has no
 * live endpoint: it captures nothing.
 */
export const hearers = (account: string, type: string): string => `(
  select concat_ws(' ', (extract(epoch from now()) * 1000000)::bigint, string_agg(id || '/' || destination_version, ' ')
    filter (where status = 'active' and ${type}::text = any(events)))
  from webhook_endpoints where account_id = ${account} and status <> 'deleted' having count(*) > 0)`;

/** How many events a transaction has told already. */
const toldIn = new WeakMap<Tx, number>();

/**
 * The one door into webhooks. It takes a `Tx`: an event is written in the transaction that makes it true, or not at all.
 *
 * One statement: the event, a delivery for each endpoint that is active and subscribed at this moment, and their places
 * in the queue. All that is in them is known before, so that the database has only to put rows down. Nobody waits for its
 * answer but the end of the transaction.
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
  const heardBy =
    happening.hearers === undefined ? await askWhoHears(tx, actor, type) : happening.hearers;
  if (heardBy === null) return;

  const [moment, ...endpoints] = heardBy.split(" ");
  const microseconds = Number(moment);
  const occurredAt = Math.floor(microseconds / 1_000);
  // All of a transaction happen at one time: their ids, which lists are ordered by, keep the order in which they were told.
  const toldBefore = toldIn.get(tx) ?? 0;
  toldIn.set(tx, toldBefore + 1);
  const { omittedFields, originalBytes, text } = snapshotWithin(
    webhookLimits.snapshotBytesMax,
    happening.snapshot(),
  );
  const deliveries = endpoints.map((one) => [historyId(microseconds), ...one.split("/")]);
  const [only] = deliveries.length === 1 ? deliveries : [];
  const statement = tx.query(
    only ? CAPTURE_FOR_ONE : CAPTURE_FOR_ALL,
    [
      actor.accountId,
      historyId(microseconds + toldBefore),
      type,
      new Date(occurredAt).toISOString(),
      new Date(occurredAt + webhookLimits.retentionMs).toISOString(),
      causeOf(actor),
      happening.batchId ?? null,
      subject.type,
      subject.id,
      isNobody(actor) ? null : actor.personId,
      happening.changedFields ? [...happening.changedFields] : null,
      text,
      originalBytes,
      [...omittedFields],
      happening.merge ? JSON.stringify(happening.merge) : null,
      ...(only ?? [0, 1, 2].map((column) => deliveries.map((delivery) => delivery[column]))),
    ],
    { prepared: true },
  );
  sendAside(tx, statement);
  if (deliveries.length > 0) onCommit(tx, wake);
}

async function askWhoHears(tx: Tx, actor: Actor, type: CapturedType): Promise<string | null> {
  const [row] = await tx.query<{ hearers: string | null }[]>(
    `select ${hearers("$1::uuid", "$2")} as hearers`,
    [actor.accountId, type],
    { prepared: true },
  );
  return row?.hearers ?? null;
}

/** Through which door the change came. */
function causeOf(actor: Actor): "ui" | "api" | "system" {
  if (isNobody(actor)) return "system";
  return actor.integrationId === undefined ? "ui" : "api";
}

const capturing = (hearer: string): string => `
  with event as (
    insert into webhook_events (account_id, id, event_type, occurred_at, cause, batch_id, subject_type, subject_id,
      actor_id, changed_fields, snapshot, snapshot_bytes, omitted_fields, merge)
    values ($1::uuid, $2::uuid, $3, $4::timestamptz, $6, $7::uuid, $8, $9::uuid,
      $10::uuid, $11::text[], $12, $13::integer, $14::text[], $15::text::jsonb)
  ), delivery as (
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, next_attempt_at, expires_at)
    select $1::uuid, id, $4::timestamptz, $4::timestamptz, 'production', endpoint_id, $2::uuid, $3,
      destination_version, $4::timestamptz, $5::timestamptz
    from ${hearer} as hearer (id, endpoint_id, destination_version)
  )
  insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
    expires_at, due_at)
  select $1::uuid, id, endpoint_id, $2::uuid, 'production', $3, destination_version, $5::timestamptz, $4::timestamptz
  from ${hearer} as hearer (id, endpoint_id, destination_version)`;

const CAPTURE_FOR_ALL = capturing("unnest($16::uuid[], $17::uuid[], $18::integer[])");
/** Most churches have one endpoint, and a row that stands in the statement is less work for the database than arrays. */
const CAPTURE_FOR_ONE = capturing("(values ($16::uuid, $17::uuid, $18::integer))");
