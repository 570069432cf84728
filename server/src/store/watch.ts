import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../base/clock.ts";
import { observe, onObservation } from "../base/observe.ts";
import { isDatabaseAway } from "./away.ts";
import type { Db } from "./db.ts";
import { askWritable } from "./readiness.ts";

const ASK_MS = SECOND / 4;

/** Polls a lost database and reports when it is back. Returns a function that stops it. */
export function watchDatabase(db: Db): () => void {
  const ended = new AbortController();
  let asking = false;
  const ask = async () => {
    asking = true;
    for (;;) {
      await wait(ASK_MS, undefined, { signal: ended.signal, ref: false });
      try {
        // The report of a loss does not say which server it is.
        await Promise.all(db.servers.map(askWritable));
        break;
      } catch {}
    }
    asking = false;
    observe({ kind: "database-back" });
  };
  const stop = onObservation((one) => {
    // On a worker, only the engine notices that the database is unreachable.
    if (one.kind === "engine-failed" && isDatabaseAway(one.error))
      observe({ kind: "database-lost", error: one.error });
    if (one.kind === "database-lost" && !asking) ask().catch(() => undefined);
  });
  return () => {
    stop();
    ended.abort();
  };
}
