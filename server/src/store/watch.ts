import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../base/clock.ts";
import { observe, onObservation } from "../base/observe.ts";
import { isDatabaseAway } from "./away.ts";
import type { Db } from "./db.ts";

const ASK_MS = SECOND / 4;

/** Tells when a lost database is back, by asking until it answers. Answers the function that ends it. */
export function watchDatabase(db: Db): () => void {
  const ended = new AbortController();
  let asking = false;
  const ask = async () => {
    asking = true;
    for (;;) {
      await wait(ASK_MS, undefined, { signal: ended.signal, ref: false });
      try {
        await db`select 1`;
        break;
      } catch {}
    }
    asking = false;
    observe({ kind: "database-back" });
  };
  const stop = onObservation((one) => {
    // A node that answers no requests notices it by its engine.
    if (one.kind === "engine-failed" && isDatabaseAway(one.error))
      observe({ kind: "database-lost", error: one.error });
    if (one.kind === "database-lost" && !asking) ask().catch(() => undefined);
  });
  return () => {
    stop();
    ended.abort();
  };
}
