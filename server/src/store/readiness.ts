import { SECOND } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import { ANSWER_LATE } from "./away.ts";
import type { Db } from "./db.ts";
import { onEach } from "./on-each.ts";

/**
 * Checks that the database, or one of its servers, answers and accepts writes, with a time limit below that of load balancers.
 *
 * A statement sent to a frozen database cannot be cancelled. Concurrent checks therefore share one statement, so that they
 * hold only one connection.
 */
export function readinessOf(db: Db, msMax: number = limits.readinessMsMax): () => Promise<void> {
  let asked: Promise<unknown> | undefined;
  return async () => {
    asked ??= onEach(db.servers, askWritable).finally(() => {
      asked = undefined;
    });
    const late = Promise.withResolvers<never>();
    // An answer that came while this process was busy is read before the immediate.
    const timer = setTimeout(() => setImmediate(late.reject, silent(msMax)), msMax);
    try {
      await Promise.race([asked, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The lock is rejected on a read-only database, and the pool then drops its connections. No row is read. */
export const askWritable = async (db: Db): Promise<unknown> =>
  await db`select from schema_migrations where false for share`;

const silent = (ms: number) =>
  Object.assign(new Error(`The database has not answered for ${ms / SECOND} s.`), {
    code: ANSWER_LATE,
  });
