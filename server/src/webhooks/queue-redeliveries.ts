import type { PendingQuery, Row } from "postgres";
import { wake } from "../events/wake.ts";
import { onCommit, type Tx } from "../store/db.ts";
import type { DeliveryState } from "./engine/transition.ts";

/** What may be sent once more. */
export const failedStates = [
  "exhausted",
  "failed-permanent",
  "suppressed",
] as const satisfies readonly DeliveryState[];

/**
 * Queues a new delivery for each of the `failed` ones, rows of webhook_deliveries. It lies with the event, in its
 * partition, and expires with it, however late it comes.
 */
export async function queueRedeliveries(
  tx: Tx,
  to: { accountId: string; endpointId: string; destinationVersion: number; replayId?: string },
  failed: PendingQuery<Row[]>,
): Promise<readonly { id: string }[]> {
  const { accountId, destinationVersion, endpointId, replayId = null } = to;
  const rows = await tx<{ id: string }[]>`
    with failed as materialized (${failed}), delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, origin_delivery_id, replay_id, next_attempt_at, expires_at)
      select ${accountId}, history_id(event.occurred_at), moment, moment, 'production', ${endpointId}, event.id,
        event.event_type, ${destinationVersion}, failed.id, ${replayId}, moment, failed.expires_at
      from failed join webhook_events event on event.account_id = ${accountId} and event.id = failed.message_id
      cross join date_trunc('milliseconds', now()) as moment
      returning id, message_id, event_type, next_attempt_at, expires_at
    )
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type,
      destination_version, expires_at, due_at)
    select ${accountId}, id, ${endpointId}, message_id, 'production', event_type, ${destinationVersion}, expires_at,
      next_attempt_at
    from delivery
    returning delivery_id as id`;
  if (rows.length > 0) onCommit(tx, wake);
  return rows;
}
