import type { Tx } from "../store/db.ts";
import { planAnew } from "../store/plan-anew.ts";

/**
 * Forgets what was captured about these subjects, which are gone: events, their deliveries and attempts, and what is still
 * to be sent. What a worker holds at this moment it cannot settle any more.
 *
 * As many statements for a thousand events as for one. Ids are handed from one to the next, so that each is planned for the
 * days that it is about and opens no other.
 */
export async function deleteHistoryOf(
  tx: Tx,
  accountId: string,
  subjectIds: readonly string[],
): Promise<void> {
  await planAnew(tx);
  // Locked, so that nobody sends them anew meanwhile; the oldest first, as whoever does so locks them.
  const events = await tx<{ id: string; from: string; until: string }[]>`
    select id, history_floor(occurred_at) as from, history_floor(occurred_at + interval '1 millisecond') as until
    from webhook_events where account_id = ${accountId} and subject_id = any(${[...subjectIds]}::uuid[])
    order by id for update`;
  // Not those of the first and the last: events of one transaction have one time, and ids that count on from it.
  const [oldest] = events.map(({ from }) => from).sort();
  const newest = events
    .map(({ until }) => until)
    .sort()
    .at(-1);
  if (oldest === undefined || newest === undefined) return;

  const theirs = (column: string, ids: readonly { id: string }[]) => tx`
    account_id = ${accountId} and ${tx(column)} = any(${ids.map(({ id }) => id)}::uuid[])`;
  // What an event led to has the event's own time in its id: it is found by that range.
  const deliveries = await tx<{ id: string }[]>`
    select delivery.id from unnest(
      ${events.map(({ id }) => id)}::uuid[], ${events.map(({ from }) => from)}::uuid[],
      ${events.map(({ until }) => until)}::uuid[]
    ) as event (id, floor, ceiling) cross join lateral (
      select id from webhook_deliveries
      where account_id = ${accountId} and id >= ${oldest} and id < ${newest}
        and id >= event.floor and id < event.ceiling and message_id = event.id offset 0
    ) delivery`;
  // The queue before the deliveries, as everybody who changes both does: two would wait for each other otherwise.
  await tx`delete from webhook_queue where ${theirs("delivery_id", deliveries)}`;
  await tx`delete from webhook_deliveries where ${theirs("id", deliveries)}`;
  await tx`delete from webhook_attempts where ${theirs("delivery_id", deliveries)}`;
  await tx`delete from webhook_events where ${theirs("id", events)}`;
}
