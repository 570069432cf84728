import { NIL_ID } from "../../base/ids.ts";
import type { Db } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { ReceiverState } from "./eligibility.ts";
import type { CapturedEvent, Control } from "./message.ts";
import type { DeliveryKind } from "./schedule.ts";
import type { Usage, Lane } from "./slots.ts";
import type { DeliveryState } from "./transition.ts";

/** A delivery leased by this process, with everything needed to send it. */
export interface Claimed extends QueueRow {
  /** The fencing token. Every write about this claim requires that the queue row still has it. */
  readonly lease: string;
  readonly endpoint: ClaimedEndpoint;
  readonly message: CapturedEvent | Control;
  /** The database's time of the claim. */
  readonly claimedAt: number;
  readonly receivedAt: number;
  /** When the endpoint was read, by the monotonic clock. */
  readonly readAt: number;
}

export interface QueueRow {
  readonly accountId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** The id of the event or the control message. */
  readonly messageId: string;
  readonly kind: DeliveryKind;
  readonly eventType: string | null;
  readonly destinationVersion: number;
  readonly verificationGeneration: number | null;
  /** The state before the claim. */
  readonly status: DeliveryState;
  readonly attemptsMade: number;
  readonly systemFailures: number;
  readonly expiresAt: number;
  readonly dueAt: number;
  /** The number of this claim of the delivery, starting at 1. */
  readonly sequence: number;
}

export interface ClaimedEndpoint extends ReceiverState {
  readonly url: string;
  readonly secretGeneration: number;
  /** The encrypted secret, or null if there is none. */
  readonly secret: Uint8Array | null;
  /** The previous secret while a rotation overlaps. */
  readonly previousSecret: Uint8Array | null;
}

export interface ClaimOptions {
  /** The lease of all deliveries that this claim takes. */
  readonly lease: string;
  readonly limit: number;
  readonly usage: Usage;
  /** The last lane of the previous claim. The walk continues after it. */
  readonly after: Lane | undefined;
}

export interface Claims {
  readonly claimed: readonly Claimed[];
  /** At least one lane has more due deliveries than the claim took. */
  readonly leftWork: boolean;
  /** The last lane of the walk, or undefined if the walk reached the end. */
  readonly stoppedAt: Lane | undefined;
}

/** The number of lanes that one claim visits. The length of a lane's backlog does not affect the cost. */
const LANES = 100;

/**
 * Claims due work fairly. It walks from lane to lane in index order and takes the oldest deliveries of each, up to the
 * lane's share. A lane that has used up its share cannot hide the work of others.
 */
export async function claim(db: Db, { after, lease, limit, usage }: ClaimOptions): Promise<Claims> {
  const sentAt = performance.now();
  const rows = await db.query<ClaimRow[]>(
    CLAIM,
    [
      lease,
      webhookLimits.leaseMs,
      limit,
      after?.accountId ?? NIL_ID,
      after?.endpointId ?? NIL_ID,
      usage.endpointShare,
      JSON.stringify(Object.fromEntries(usage.endpoints)),
      usage.accountShare,
      JSON.stringify(Object.fromEntries(usage.accounts)),
    ],
    { prepared: true },
  );
  const [last] = rows;
  const stoppedAt =
    last && last.lanes === LANES
      ? { accountId: last.lastAccount, endpointId: last.lastEndpoint }
      : undefined;
  const taken = rows.filter((row) => row.deliveryId !== null);
  const readAt = performance.now();
  const [messages, endpoints] = await Promise.all([
    readMessages(db, taken),
    readEndpoints(db, taken),
  ]);
  // The lease began after `sentAt`. Measured from there, it can only seem to end too early.
  const claimed = taken.flatMap((row): Claimed[] => {
    const message = messages.get(row.messageId);
    const endpoint = endpoints.get(row.endpointId);
    // Deleted between the statements, together with its queue row.
    return message && endpoint
      ? [claimedOf(row, { message, endpoint, lease, receivedAt: sentAt, readAt })]
      : [];
  });
  return { claimed, leftWork: last?.leftWork ?? false, stoppedAt };
}

/**
 * Releases the rows of a claim whose result was lost or could not be read. Without this, they would wait for the lease
 * to end, and history would show phantom attempts.
 *
 * The bounds on `due_at` let the planner use the index. Locked rows are skipped, because the transaction that holds
 * them takes care of them.
 */
export async function releaseClaim(db: Db, lease: string): Promise<void> {
  await db`
    update webhook_queue queue set ready = true, lease = null, leased_at = null, due_at = now()
    from (
      select account_id, delivery_id from webhook_queue
      where not ready and lease = ${lease}
        and due_at > now() and due_at <= now() + ${webhookLimits.leaseMs} * interval '1 millisecond'
      for update skip locked
    ) held
    where queue.account_id = held.account_id and queue.delivery_id = held.delivery_id`;
}

interface ClaimRow extends QueueRow {
  lanes: number;
  leftWork: boolean;
  lastAccount: string;
  lastEndpoint: string;
  claimedAt: number;
}

const claimedOf = (
  row: ClaimRow,
  more: Pick<Claimed, "message" | "endpoint" | "lease" | "receivedAt" | "readAt">,
): Claimed => ({
  accountId: row.accountId,
  deliveryId: row.deliveryId,
  endpointId: row.endpointId,
  messageId: row.messageId,
  kind: row.kind,
  eventType: row.eventType,
  destinationVersion: row.destinationVersion,
  verificationGeneration: row.verificationGeneration,
  status: row.status,
  attemptsMade: row.attemptsMade,
  systemFailures: row.systemFailures,
  expiresAt: row.expiresAt,
  dueAt: row.dueAt,
  sequence: row.sequence,
  claimedAt: row.claimedAt,
  ...more,
});

const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

/**
 * The commit does not wait for the disk. A claim that a power failure loses is due again. Its result finds no lease,
 * and the receiver may get the message twice.
 */
const CLAIM = `
  with recursive lane as (
    (select account_id, endpoint_id from webhook_queue
     where ready and (account_id, endpoint_id) > ($4::uuid, $5::uuid)
     order by account_id, endpoint_id limit 1)
    union all
    select next.account_id, next.endpoint_id from lane cross join lateral (
      select account_id, endpoint_id from webhook_queue queue
      where queue.ready and (queue.account_id, queue.endpoint_id) > (lane.account_id, lane.endpoint_id)
      order by queue.account_id, queue.endpoint_id limit 1
    ) next
  ), known as materialized (
    select $7::text::jsonb as endpoints, $9::text::jsonb as accounts, set_config('synchronous_commit', 'off', true)
  ), lanes as materialized (
    select lane.account_id, lane.endpoint_id,
      $6::integer - coalesce((known.endpoints ->> lane.endpoint_id::text)::integer, 0) as room,
      $8::integer - coalesce((known.accounts ->> lane.account_id::text)::integer, 0) as account_room
    from (select * from lane limit ${LANES}) lane cross join known
  ), walk as materialized (
    select count(*)::integer as lanes, count(*) filter (where room > 0 and account_room > 0)::integer as free
    from lanes
  ), shares as materialized (
    select lanes.*,
      greatest(0, least(room, account_room, ($3::integer + walk.free - 1) / greatest(walk.free, 1))) as share
    from lanes cross join walk
  ), found as materialized (
    select shares.*, oldest.place, oldest.due_at from shares cross join lateral (
      select queue.ctid as place, queue.due_at from webhook_queue queue
      where queue.ready and queue.account_id = shares.account_id and queue.endpoint_id = shares.endpoint_id
      order by queue.due_at limit shares.share for update skip locked
    ) oldest
  ), picked as materialized (
    select account_id, place, due_at from (
      select found.*, row_number() over (partition by account_id order by due_at) as rank from found
    ) ranked
    where rank <= account_room order by due_at limit $3::integer
  ), claimed as (
    update webhook_queue queue
    set ready = false, lease = $1::uuid, leased_at = now(), due_at = now() + $2::float8 * interval '1 millisecond',
      claims = queue.claims + 1
    from picked where queue.account_id = picked.account_id and queue.ctid = picked.place
    returning queue.*, picked.due_at as was_due_at
  )
  select walk.lanes, rest.left_work as "leftWork", furthest.account_id as "lastAccount", furthest.endpoint_id as "lastEndpoint",
    claimed.account_id as "accountId", claimed.delivery_id as "deliveryId", claimed.endpoint_id as "endpointId",
    claimed.message_id as "messageId", claimed.kind, claimed.event_type as "eventType",
    claimed.destination_version as "destinationVersion", claimed.verification_generation as "verificationGeneration",
    claimed.status, claimed.attempts_made as "attemptsMade", claimed.system_failures as "systemFailures",
    claimed.claims as sequence, ${ms("claimed.expires_at")} as "expiresAt", ${ms("claimed.was_due_at")} as "dueAt",
    ${ms("now()")} as "claimedAt"
  from walk
  cross join (
    select exists (select from shares where share = 0)
      or exists (select from found group by account_id, endpoint_id, share having count(*) >= share)
      or (select count(*) from picked) < (select count(*) from found) as left_work
  ) rest
  left join lateral (
    select account_id, endpoint_id from lanes order by account_id desc, endpoint_id desc limit 1
  ) furthest on true
  left join claimed on true`;

/** Reads the current state of each endpoint once. */
async function readEndpoints(
  db: Db,
  rows: readonly ClaimRow[],
): Promise<ReadonlyMap<string, ClaimedEndpoint>> {
  if (rows.length === 0) return new Map();
  const wanted = [...new Map(rows.map((row) => [row.endpointId, row])).values()];
  const found = await db.query<(ClaimedEndpoint & { id: string })[]>(
    ENDPOINTS,
    [wanted.map(({ accountId }) => accountId), wanted.map(({ endpointId }) => endpointId)],
    { prepared: true },
  );
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
}

/** `offset 0` stops the planner from replacing the look-ups by key with a join over the whole table. */
const ENDPOINTS = `
  select endpoint.id, endpoint.normalized_url as url, endpoint.status, endpoint.pause_reason as "pauseReason",
    endpoint.destination_version as "destinationVersion",
    endpoint.verified_destination_version as "verifiedDestinationVersion",
    endpoint.verification_generation as "verificationGeneration", endpoint.events,
    endpoint.secret_generation as "secretGeneration", secret.encrypted as secret, previous.encrypted as "previousSecret"
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id) cross join lateral (
    select * from webhook_endpoints where account_id = wanted.account_id and id = wanted.id offset 0
  ) endpoint
  left join lateral (
    select encrypted from webhook_secrets
    where account_id = endpoint.account_id and endpoint_id = endpoint.id
      and generation = endpoint.secret_generation offset 0
  ) secret on true
  left join lateral (
    select encrypted from webhook_secrets
    where account_id = endpoint.account_id and endpoint_id = endpoint.id
      and generation = endpoint.secret_generation - 1 and valid_until > now() offset 0
  ) previous on true`;

/** Reads each message once, even if several endpoints receive it. */
async function readMessages(
  db: Db,
  rows: readonly ClaimRow[],
): Promise<ReadonlyMap<string, CapturedEvent | Control>> {
  const messages = new Map<string, CapturedEvent | Control>();
  const wanted = new Map(rows.map((row) => [row.messageId, row]));
  const production = [...wanted.values()].filter(({ kind }) => kind === "production");
  const control = [...wanted.values()].filter(({ kind }) => kind !== "production");
  const keys = (of: readonly ClaimRow[]) => {
    const ids = of.map(({ messageId }) => messageId).sort();
    return [
      of.map(({ accountId }) => accountId),
      of.map(({ messageId }) => messageId),
      ids[0],
      ids.at(-1),
    ];
  };
  const [events, controls] = await Promise.all([
    production.length === 0
      ? []
      : db.query<CapturedEvent[]>(EVENTS, keys(production), { prepared: true }),
    control.length === 0 ? [] : db.query<Control[]>(CONTROLS, keys(control), { prepared: true }),
  ]);
  for (const message of [...events, ...controls]) messages.set(message.id, message);
  return messages;
}

/** The bounds on `id` let the planner skip partitions. */
const EVENTS = `
  select event.account_id as "accountId", event.id, event.event_type as "eventType", event.occurred_at as "occurredAt",
    event.cause, event.batch_id as "batchId", event.changed_fields as "changedFields",
    event.subject_type as "subjectType", event.subject_id as "subjectId", event.actor_id as "actorId", event.snapshot,
    event.snapshot_bytes as "snapshotBytes", event.omitted_fields as "omittedFields", event.merge::text as merge
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id) cross join lateral (
    select * from webhook_events
    where account_id = wanted.account_id and id = wanted.id and id between $3::uuid and $4::uuid offset 0
  ) event`;

const CONTROLS = `
  select control.id, control.control_type as "controlType", control.created_at as "createdAt",
    control.expires_at as "expiresAt", control.destination_version as "destinationVersion",
    control.verification_generation as "verificationGeneration", control.challenge
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id) cross join lateral (
    select * from webhook_controls
    where account_id = wanted.account_id and id = wanted.id and id between $3::uuid and $4::uuid offset 0
  ) control`;
