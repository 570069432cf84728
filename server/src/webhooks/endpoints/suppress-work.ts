import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { SuppressedWork } from "./endpoint-lifecycle.ts";
import { planAnew } from "../../store/plan-anew.ts";
import type { SuppressionReason } from "./suppression.ts";

/**
 * Takes an endpoint's waiting work out of the queue, with the reason, and answers how much. What a worker holds at this
 * moment is left to it: it asks again whether the endpoint takes the delivery before it settles. So is what is more than a
 * request has time for: workers suppress it as they come to it, and `suppressRemaining` before the endpoint takes such work again.
 *
 * One statement, the queue's rows before the deliveries', as everybody who changes both does.
 */
export async function suppressWork(
  tx: Tx,
  of: { accountId: string; endpointId: string; events: readonly string[] },
  [work, reason]: readonly [SuppressedWork, SuppressionReason],
): Promise<number> {
  const { accountId, endpointId, events } = of;
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
