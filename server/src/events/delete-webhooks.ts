import type { Tx } from "../store/db.ts";

export interface DeletedWebhooks {
  "webhook-endpoints": number;
  "webhook-events": number;
  "webhook-deliveries": number;
}

/**
 * Deletes all webhook data of an account, after the account can capture no more events. Workers that hold deliveries
 * can no longer settle them.
 *
 * This file is here and not in `webhooks/`, because `features/accounts` may not import `webhooks/`.
 *
 * The lock order is endpoints, health, queue, deliveries. Settlements of all accounts wait while health is locked, so
 * finished history is deleted first.
 */
export async function deleteWebhooksOf(tx: Tx, accountId: string): Promise<DeletedWebhooks> {
  const forget = async (table: string, which = tx`true`) =>
    (await tx`delete from ${tx(table)} where account_id = ${accountId} and ${which}`).count;

  // A stronger lock would deadlock with settlements, which hold health and insert hours that reference the endpoint.
  await tx`
    select from webhook_endpoints where account_id = ${accountId} order by id for no key update`;
  const events = await forget("webhook_events");
  await forget("webhook_attempts");
  const over = tx`status not in ('pending', 'retry-scheduled', 'blocked-system')`;
  const ended = await forget("webhook_deliveries", over);

  await tx`
    select from webhook_endpoint_health where account_id = ${accountId} order by endpoint_id for update`;
  await forget("webhook_queue");
  const live = await forget("webhook_deliveries");
  // The reconciler may have added queue rows before the deliveries were deleted.
  await forget("webhook_queue");
  await forget("webhook_attempts");
  await forget("webhook_controls");
  return {
    "webhook-endpoints": await forget("webhook_endpoints"),
    "webhook-events": events,
    "webhook-deliveries": ended + live,
  };
}
