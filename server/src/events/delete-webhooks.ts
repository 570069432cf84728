import type { Tx } from "../store/db.ts";

export interface DeletedWebhooks {
  "webhook-endpoints": number;
  "webhook-events": number;
  "webhook-deliveries": number;
}

/**
 * Takes everything of webhooks from a church that is being deleted, once nobody can tell an event of it any more. What a
 * worker holds at this moment it cannot settle, and nothing of it comes back.
 *
 * Endpoints, health, queue, deliveries: the order in which everybody locks them. Results are settled for all churches
 * together and wait while health is locked, so what nobody is waiting to change goes before.
 */
export async function deleteWebhooksOf(tx: Tx, accountId: string): Promise<DeletedWebhooks> {
  const forget = async (table: string, which = tx`true`) =>
    (await tx`delete from ${tx(table)} where account_id = ${accountId} and ${which}`).count;

  // No stronger: whoever settles holds the health and then counts its hours, which refer to the endpoint.
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
  // The reconciler gives a delivery its place back, and holds the delivery meanwhile: it was waited for just now.
  await forget("webhook_queue");
  await forget("webhook_attempts");
  await forget("webhook_controls");
  return {
    "webhook-endpoints": await forget("webhook_endpoints"),
    "webhook-events": events,
    "webhook-deliveries": ended + live,
  };
}
