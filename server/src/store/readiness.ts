import { SECOND } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Db } from "./db.ts";

/**
 * Asks the database whether it answers, and gives up before a balancer would.
 *
 * A statement cannot be called back from a database that is frozen, only no longer be waited for. So there is one at a
 * time, which everybody waits for who asks meanwhile: it holds one connection, however long that takes and however
 * often it is asked, and its late answer is heard by whoever waits by then, or by nobody.
 */
export function readinessOf(db: Db, msMax: number = limits.readinessMsMax): () => Promise<void> {
  let asked: Promise<unknown> | undefined;
  return async () => {
    asked ??= ask(db).finally(() => {
      asked = undefined;
    });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(silent(msMax)), msMax);
    try {
      await Promise.race([asked, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const ask = async (db: Db): Promise<unknown> => await db`select 1`;

/** As an operating system says it of a host, so that it counts as the database being away. */
const silent = (ms: number) =>
  Object.assign(new Error(`The database has said nothing for ${ms / SECOND} s.`), {
    code: "ETIMEDOUT",
  });
