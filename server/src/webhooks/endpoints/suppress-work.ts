import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { SuppressedWork } from "./endpoint-lifecycle.ts";
import { planAnew } from "../../store/plan-anew.ts";
import type { SuppressionReason } from "./suppression-reasons.ts";

/**
 * Removes an endpoint's waiting work from the queue and returns the number of deliveries. Leased deliveries are left to
 * their workers, which check eligibility before they settle. Work beyond the limit is left to workers and to
 * `suppressRemaining`.
 *
 * One statement locks queue rows before deliveries, which keeps the lock order.
 */
export async function suppressWork(
  tx: Tx,
  resource: { accountId: string; endpointId: string; events: readonly string[] },
  [work, reason]: readonly [SuppressedWork, SuppressionReason],
): Promise<number> {
  const { accountId, endpointId, events } = resource;
  const which = {
    "all": tx`true`,
    "unsubscribed": tx`event_type <> all(${[...events]}::text[])`,
    "older-verifications": tx`kind = 'verification'`,
  }[work];
  await planAnew(tx);
  const { count } = await tx`
    with gone as (
      delete from webhook_queue
      where account_id = ${accountId} and lease is null and delivery_id = any(array(
        select delivery_id from webhook_queue
        where account_id = ${accountId} and endpoint_id = ${endpointId} and lease is null and ${which}
        limit ${webhookLimits.suppressedAtOnce}))
      returning delivery_id
    )
    update webhook_deliveries
    set status = 'suppressed', suppression_reason = ${reason}, next_attempt_at = null, updated_at = now()
    from gone where webhook_deliveries.account_id = ${accountId} and webhook_deliveries.id = gone.delivery_id`;
  return count;
}
