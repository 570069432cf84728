import { queueAgain } from "../../events/move-deliveries.ts";
import { type Db, inGlobalTransaction } from "../../store/db.ts";
import { partitionsOf } from "../../store/partitions.ts";
import { raw } from "../../store/sql.ts";

/**
 * Repairs inconsistencies between queue and history: live deliveries without a queue row, and queue rows without a live
 * delivery. One statement writes both, so none are expected. The reconciler proves it.
 */
export interface Reconciled {
  /** Deliveries that got a new queue row. */
  readonly requeued: number;
  /** Queue rows without a live delivery. */
  readonly removed: number;
}

/**
 * Where the last round stopped. History is read page by page, because an index for this would slow down every delivery.
 */
export interface Round {
  readonly partition: string | undefined;
  readonly page: number;
  readonly queueAfter: readonly [accountId: string, deliveryId: string];
}

export const firstRound: Round = {
  partition: undefined,
  page: 0,
  queueAfter: ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"],
};

/** About 150 MiB per minute. A small installation is read completely. Five million deliveries take ten minutes. */
const PAGES = 20_000;
const QUEUE_ROWS = 20_000;

export async function reconcile(db: Db, round: Round): Promise<{ found: Reconciled; next: Round }> {
  const history = await requeueLost(db, round);
  const queue = await removeStray(db, round);
  return {
    found: { requeued: history.requeued, removed: queue.removed },
    next: { ...history.next, queueAfter: queue.next },
  };
}

async function requeueLost(db: Db, round: Round) {
  const partitions = await partitionsOf(db, "webhook_deliveries");
  const known = partitions.indexOf(round.partition ?? "");
  let index = Math.max(known, 0);
  let page = known < 0 ? 0 : round.page;
  let requeued = 0;
  let pages = PAGES;
  while (pages > 0 && index < partitions.length) {
    const partition = partitions[index] ?? "";
    const size = await pagesOf(db, partition);
    const until = Math.min(page + pages, size);
    if (until > page) requeued += await requeueIn(db, partition, page, until);
    pages -= Math.max(until - page, 1);
    page = until;
    if (until < size) break;
    index++;
    page = 0;
  }
  return { requeued, next: { partition: partitions[index], page } };
}

async function pagesOf(db: Db, partition: string): Promise<number> {
  const [row] = await db<{ pages: number }[]>`
    select (pg_relation_size(${partition}::regclass) / current_setting('block_size')::integer)::integer as pages`;
  return row?.pages ?? 0;
}

const requeueIn = (db: Db, partition: string, from: number, until: number): Promise<number> =>
  inGlobalTransaction(db, async (tx) => {
    // A range of pages needs a sequential scan, which the engine's connections disable.
    await tx`set local enable_seqscan = on`;
    const pages = raw(`ctid >= '(${from},0)'::tid and ctid < '(${until},0)'::tid`);
    const { count } = await queueAgain(tx, partition, pages);
    return count;
  });

async function removeStray(db: Db, { queueAfter }: Round) {
  const [accountId, deliveryId] = queueAfter;
  const rows = await db<{ accountId: string; deliveryId: string; stray: boolean }[]>`
    select queue.account_id as "accountId", queue.delivery_id as "deliveryId", not exists (
        select from webhook_deliveries delivery
        where delivery.account_id = queue.account_id and delivery.id = queue.delivery_id
          and delivery.status in ('pending', 'retry-scheduled', 'blocked-system')
      ) as stray
    from (
      select account_id, delivery_id from webhook_queue
      where (account_id, delivery_id) > (${accountId}::uuid, ${deliveryId}::uuid)
      order by account_id, delivery_id limit ${QUEUE_ROWS}
    ) queue`;
  const stray = rows.filter((row) => row.stray);
  const { count } = await db`
    delete from webhook_queue queue using unnest(
      ${stray.map((row) => row.accountId)}::uuid[], ${stray.map((row) => row.deliveryId)}::uuid[]
    ) as stray (account_id, delivery_id)
    where queue.account_id = stray.account_id and queue.delivery_id = stray.delivery_id and not exists (
      select from webhook_deliveries delivery
      where delivery.account_id = queue.account_id and delivery.id = queue.delivery_id
        and delivery.status in ('pending', 'retry-scheduled', 'blocked-system'))`;
  const last = rows.length === QUEUE_ROWS ? rows.at(-1) : undefined;
  const next = last ? ([last.accountId, last.deliveryId] as const) : firstRound.queueAfter;
  return { removed: count, next };
}
