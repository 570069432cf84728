import type { Tx } from "../store/db.ts";
import { planAnew } from "../store/plan-anew.ts";

/**
 * Deletes the history of deleted subjects: events, deliveries, attempts and queue rows. Workers that hold such a
 * delivery can no longer settle it.
 *
 * This file is here and not in `webhooks/`, because features delete subjects and may not import `webhooks/`.
 *
 * The number of statements does not depend on the number of events. Each statement gets ids from the one before, so
 * that the planner opens only the partitions it needs.
 */
export async function deleteHistoryOf(
  tx: Tx,
  accountId: string,
  subjectIds: readonly string[],
): Promise<void> {
  await planAnew(tx);
  // The lock prevents concurrent redeliveries. Both lock the oldest event first.
  const events = await tx<{ id: string; from: string; until: string }[]>`
    select id, history_floor(occurred_at) as from, history_floor(occurred_at + interval '1 millisecond') as until
    from webhook_events where account_id = ${accountId} and subject_id = any(${[...subjectIds]}::uuid[])
    order by id for update`;
  // The ids of one transaction are not in the order of events, so the range is computed over all of them.
  const [oldest] = events.map(({ from }) => from).sort();
  const newest = events
    .map(({ until }) => until)
    .sort()
    .at(-1);
  if (oldest === undefined || newest === undefined) return;

  const theirs = (column: string, ids: readonly { id: string }[]) => tx`
    account_id = ${accountId} and ${tx(column)} = any(${ids.map(({ id }) => id)}::uuid[])`;
  // Ids of deliveries contain the time of the event, so a range of ids finds them.
  const deliveries = await tx<{ id: string }[]>`
    select delivery.id from unnest(
      ${events.map(({ id }) => id)}::uuid[], ${events.map(({ from }) => from)}::uuid[],
      ${events.map(({ until }) => until)}::uuid[]
    ) as event (id, floor, ceiling) cross join lateral (
      select id from webhook_deliveries
      where account_id = ${accountId} and id >= ${oldest} and id < ${newest}
        and id >= event.floor and id < event.ceiling and message_id = event.id offset 0
    ) delivery`;
  // Queue rows are locked before deliveries, as everywhere, to avoid deadlocks.
  await tx`delete from webhook_queue where ${theirs("delivery_id", deliveries)}`;
  await tx`delete from webhook_deliveries where ${theirs("id", deliveries)}`;
  await tx`delete from webhook_attempts where ${theirs("delivery_id", deliveries)}`;
  await tx`delete from webhook_events where ${theirs("id", events)}`;
}
