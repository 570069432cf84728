import type { Tx } from "../store/db.ts";
import { planAnew } from "../store/plan-anew.ts";

/**
 * Forgets what was captured about somebody who is gone: events, their deliveries and attempts, and what is still to be
 * sent. What a worker holds at this moment it cannot settle any more.
 *
 * What an event led to has the event's own time in its id: it is found by that range.
 */
export async function forgetHistoryOf(tx: Tx, accountId: string, subjectId: string): Promise<void> {
  const events = await tx<{ id: string; from: string; until: string }[]>`
    delete from webhook_events where account_id = ${accountId} and subject_id = ${subjectId}
    returning id, history_floor(occurred_at) as from, history_floor(occurred_at + interval '1 millisecond') as until`;
  if (events.length > 0) await planAnew(tx);
  for (const { id, from, until } of events) {
    // The queue before the deliveries, as everybody who changes both does: two would wait for each other otherwise.
    await tx`
      delete from webhook_queue
      where account_id = ${accountId} and delivery_id >= ${from} and delivery_id < ${until} and message_id = ${id}`;
    const deliveries = await tx<{ id: string }[]>`
      delete from webhook_deliveries
      where account_id = ${accountId} and id >= ${from} and id < ${until} and message_id = ${id}
      returning id`;
    const ids = deliveries.map((delivery) => delivery.id);
    await tx`
      delete from webhook_attempts
      where account_id = ${accountId} and delivery_id >= ${from} and delivery_id < ${until}
      and delivery_id = any(${ids}::uuid[])`;
  }
}
