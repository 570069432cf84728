import type { Sql } from "sql-template-tag";
import type { Db, Tx } from "../store/db.ts";
import type { Statement } from "../store/sql.ts";

/** The places in the queue of an account that moves to another server, made from its deliveries. */

/** `from` is `webhook_deliveries` or a partition of it. The deliveries are locked, so that none is deleted meanwhile. */
export const queueAgain = (tx: Tx, from: string, where: Sql | Statement): Statement => tx`
  insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type,
    destination_version, verification_generation, status, attempts_made, expires_at, ready, due_at, claims)
  select account_id, id, endpoint_id, message_id, kind, event_type, destination_version,
    case when kind = 'verification' then (
      select verification_generation from webhook_controls control
      where control.account_id = delivery.account_id and control.id = delivery.message_id
    ) end, status, attempt_count, expires_at, coalesce(next_attempt_at <= now(), true),
    coalesce(next_attempt_at, now()), coalesce((
      select max(sequence) from webhook_attempts attempt
      where attempt.account_id = delivery.account_id and attempt.delivery_id = delivery.id
    ), 0)
  from ${tx(from)} delivery
  where ${where}
    and status in ('pending', 'retry-scheduled', 'blocked-system')
    and not exists (
      select from webhook_queue queue
      where queue.account_id = delivery.account_id and queue.delivery_id = delivery.id)
    and not exists (select from account_moves move where move.account_id = delivery.account_id)
  for key share of delivery on conflict do nothing`;

export async function queueDeliveries(tx: Tx, accountId: string): Promise<void> {
  await queueAgain(tx, "webhook_deliveries", tx`account_id = ${accountId}`);
}

/** Takes all places of an account except those of messages on their way, and returns whether there are such messages. */
export async function unqueueDeliveries(db: Db, accountId: string): Promise<boolean> {
  await db`delete from webhook_queue where account_id = ${accountId} and lease is null`;
  const [onTheirWay] = await db`
    select from webhook_queue where account_id = ${accountId} limit 1`;
  return onTheirWay !== undefined;
}
