import type { Db } from "../../src/store/db.ts";

/**
 * Runs requests that meet in the people of one church: none goes on before all of them are known and wait for a row, so
 * that they race however fast the machine is.
 */
export async function together<T>(
  db: Db,
  accountId: string,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  let running: Promise<T>[] = [];
  await db.begin(async (tx) => {
    await tx`select id from people where account_id = ${accountId} for update`;
    running = requests.map((request) => request());
    for (let waiting = 0; waiting < requests.length; ) {
      const [row] = await db<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      waiting = row?.waiting ?? 0;
    }
  });
  return Promise.all(running);
}
