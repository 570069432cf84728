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
  await db.begin(accountId, async (tx) => {
    await tx`select from accounts where id = ${accountId} for update`;
    await tx`select from people where account_id = ${accountId} for update`;
    await tx`select from webhook_endpoints where account_id = ${accountId} for update`;
    running = requests.map((request) => heldBack(request()));
    await untilWaiting(db, requests.length);
  });
  return Promise.all(running);
}

/**
 * Starts requests while a transaction holds rows, each when the one before waits for a lock. They therefore hold what they
 * lock before these rows, and wait for each other after them.
 */
export async function queued<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const running: Promise<T>[] = [];
  await db.begin(undefined, async (tx) => {
    await hold(tx);
    for (const request of requests) {
      running.push(heldBack(request()));
      await untilWaiting(db, running.length);
    }
  });
  return Promise.all(running);
}

/** Starts a request that waits for the locks of `hold`, then runs a further action before it releases them. */
export async function meanwhile<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  request: () => Promise<T>,
  act: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<T> {
  let running: Promise<T> | undefined;
  await db.begin(undefined, async (tx) => {
    await hold(tx);
    running = heldBack(request());
    await untilWaiting(db, 1);
    await act(tx);
  });
  return running as Promise<T>;
}

/** The request may finish before the client knows that the blocking transaction has ended. */
function heldBack<T>(running: Promise<T>): Promise<T> {
  running.catch(() => undefined);
  return running;
}

/** Cancels the statements that wait for a lock, as their time limit does. */
export const cancelWaiting = (db: Db): PromiseLike<unknown> => db`
  select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves when this many statements wait for a lock. */
export async function untilWaiting(db: Db, requests: number): Promise<void> {
  for (let waiting = 0; waiting < requests; ) {
    const [row] = await db<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    waiting = row?.waiting ?? 0;
  }
}
