import type { Actor } from "../../access/actor.ts";
import type { Written } from "../../jsonapi/definition/resource.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { countAction } from "../endpoints/action-limits.ts";
import { assertActive, lockLiveEndpoint } from "../endpoints/live-endpoint.ts";
import { planAnew } from "../../store/plan-anew.ts";
import { failedStates, queueRedeliveries } from "./queue-redeliveries.ts";

export interface Range {
  endpointId: string;
  /** ISO 8601, inclusive. The range applies to the creation of deliveries. */
  from: string;
  to: string;
}

/**
 * Queues the failed deliveries of a range again, oldest first. For each event, the newest failed delivery counts.
 * Events with another delivery that succeeded or is waiting are skipped. Returns the replay.
 */
export async function createReplay(tx: Tx, actor: Actor, range: Range): Promise<Written> {
  const { accountId } = actor;
  const { endpointId, from, to } = range;
  const source = { pointer: "/data/relationships/endpoint/data" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  assertActive(endpoint, source);
  const remaining = await countAction(tx, { accountId, endpointId }, "replay");

  const { destinationVersion, events } = endpoint;
  // `offset 0` stops the planner from replacing the look-ups by key with a join over the whole history.
  const failed = tx`
    select distinct on (message_id) delivery.id, message_id, delivery.created_at, delivery.expires_at
    from webhook_deliveries delivery
    cross join lateral (
      select occurred_at from webhook_events
      where account_id = ${accountId} and id = delivery.message_id offset 0
    ) event
    where delivery.account_id = ${accountId} and endpoint_id = ${endpointId} and kind = 'production'
      and delivery.created_at between ${from} and ${to} and delivery.expires_at > now()
      and status = any(${[...failedStates]}::text[]) and delivery.event_type = any(${[...events]}::text[])
      and not exists (
        select from webhook_deliveries other
        where other.account_id = ${accountId} and other.id >= history_floor(event.occurred_at)
          and other.id < history_floor(event.occurred_at + interval '1 millisecond')
          and other.endpoint_id = ${endpointId} and other.message_id = delivery.message_id
          and other.status <> all(${[...failedStates]}::text[]) offset 0)
    order by message_id, delivery.created_at desc, delivery.id desc`;
  await planAnew(tx);
  const id = newId();
  const { found, made } = await queueRedeliveries(
    tx,
    { accountId, endpointId, destinationVersion, replayId: id },
    failed,
    webhookLimits.deliveriesPerReplay,
  );
  await tx`
    insert into webhook_replays
      (account_id, id, endpoint_id, range_from, range_to, created_count, remaining_count)
    values (${accountId}, ${id}, ${endpointId}, ${from}, ${to}, ${made}, ${found - made})`;
  return { id, meta: { remaining } };
}
