import type { Db, Tx } from "../../src/store/db.ts";

/**
 * Runs requests of one account in parallel. A transaction holds the account, its people and its endpoints until every
 * request waits for a lock, so that they race on a machine of any speed.
 */
export async function together<T>(
  db: Db,
  accountId: string,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  let running: Promise<T>[] = [];
  await db.begin(async (tx) => {
    await tx`select from accounts where id = ${accountId} for update`;
    await tx`select from people where account_id = ${accountId} for update`;
    await tx`select from webhook_endpoints where account_id = ${accountId} for update`;
    running = requests.map((request) => heldBack(request()));
    await untilWaiting(db, requests.length);
  });
  return Promise.all(running);
}

/** Runs a request that has to wait for what `hold` locks or writes, and does something else before it may go on. */
export async function meanwhile<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  request: () => Promise<T>,
  act: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<T> {
  let running: Promise<T> | undefined;
  await db.begin(async (tx) => {
    await hold(tx);
    running = heldBack(request());
    await untilWaiting(db, 1);
    await act(tx);
  });
  return running as Promise<T>;
}

/** It may be refused before the transaction it waited for has heard of its own end, and whoever asks for it comes after that. */
function heldBack<T>(running: Promise<T>): Promise<T> {
  running.catch(() => undefined);
  return running;
}

/** Until so many wait for a lock. */
export async function untilWaiting(db: Db, requests: number): Promise<void> {
  for (let waiting = 0; waiting < requests; ) {
    const [row] = await db<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    waiting = row?.waiting ?? 0;
  }
}
