import type { Actor } from "../../access/actor.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { countAction } from "../endpoints/action-limits.ts";
import { assertActive, lockLiveEndpoint } from "../endpoints/live-endpoint.ts";
import { planAnew } from "../../store/plan-anew.ts";
import { failedStates, queueRedeliveries } from "./queue-redeliveries.ts";

export interface Range {
  endpointId: string;
  /** ISO 8601, both of them included, compared with when a delivery was made. */
  from: string;
  to: string;
}

/**
 * Queues every failed delivery of a range once more: of each event the latest one, unless another one of it has arrived
 * or is still on its way. The oldest come first; what one replay does not hold is there for the next. Answers the
 * replay's id.
 */
export async function replay(tx: Tx, actor: Actor, range: Range): Promise<string> {
  const { accountId } = actor;
  const { endpointId, from, to } = range;
  const source = { pointer: "/data/relationships/endpoint/data" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  assertActive(endpoint, source);
  await countAction(tx, { accountId, endpointId }, "replay");

  const { destinationVersion, events } = endpoint;
  // `offset 0` keeps the planner from turning look-ups by a whole key into a join over all of history.
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
  return id;
}
