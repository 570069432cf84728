import type { Sql } from "sql-template-tag";
import { wake } from "../../events/wake.ts";
import { onCommit, type Tx } from "../../store/db.ts";
import type { DeliveryState } from "../engine/transition.ts";

/** States from which a delivery can be sent again. */
export const failedStates = [
  "exhausted",
  "failed-permanent",
  "suppressed",
] as const satisfies readonly DeliveryState[];

export interface Redelivered {
  /** The number of matching deliveries. It exceeds `made` if there are more than `limit`. */
  found: number;
  made: number;
  /** The id of one new delivery. */
  id: string | null;
}

/**
 * Queues a new delivery for each row of `failed`, oldest first. It is stored in the partition of the event and expires
 * with it. The events are locked in the same order as for deletion, so that no delivery is created for an event that is
 * being deleted.
 */
export async function queueRedeliveries(
  tx: Tx,
  to: { accountId: string; endpointId: string; destinationVersion: number; replayId?: string },
  failed: Sql,
  limit: number,
): Promise<Redelivered> {
  const { accountId, destinationVersion, endpointId, replayId = null } = to;
  const [redelivered] = await tx<Redelivered[]>`
    with failed as materialized (${failed}), oldest as (
      select * from failed order by created_at, id limit ${limit}
    ), chosen as (
      select * from oldest order by message_id
    ), delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, origin_delivery_id, replay_id, next_attempt_at, expires_at)
      select ${accountId}, history_id(event.occurred_at), moment, moment, 'production', ${endpointId}, event.id,
        event.event_type, ${destinationVersion}, chosen.id, ${replayId}, moment, chosen.expires_at
      from chosen cross join lateral (
        select id, event_type, occurred_at from webhook_events
        where account_id = ${accountId} and id = chosen.message_id offset 0 for key share
      ) event cross join date_trunc('milliseconds', now()) as moment
      returning id, message_id, event_type, next_attempt_at, expires_at
    ), queued as (
      insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type,
        destination_version, expires_at, due_at)
      select ${accountId}, id, ${endpointId}, message_id, 'production', event_type, ${destinationVersion}, expires_at,
        next_attempt_at
      from delivery
      returning delivery_id
    )
    select (select count(*)::integer from failed) as found, (select count(*)::integer from queued) as made,
      (select delivery_id from queued limit 1) as id`;
  if (!redelivered) throw new Error("The count returned no row.");
  if (redelivered.made > 0) onCommit(tx, wake);
  return redelivered;
}
