import { onWake, wake } from "../../events/wake.ts";
import { newId } from "../../base/ids.ts";
import type { Db } from "../../store/db.ts";

const CHANNEL = "vestry_webhooks";

/** Each notification takes a lock of the whole server while it commits: more than one in that time says nothing new. */
const RING_MS = 10;

/** Who hears a bell of its own has been awake since before it rang. */
const self = newId();

/**
 * Tells the other nodes that there is work. Never from the transaction that made it, which would hold that lock while it
 * commits, but afterwards, and only as a hint: whoever does not hear it finds the work at the next poll.
 */
export function startNotifying(db: Db): () => void {
  let resting: NodeJS.Timeout | undefined;
  let again = false;
  const ring = () => {
    again = false;
    resting = setTimeout(() => {
      resting = undefined;
      if (again) ring();
    }, RING_MS);
    // A hint waits for no disk.
    db`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${self})`.catch(
      () => undefined,
    );
  };
  const stop = onWake((from) => {
    if (from === "elsewhere") return;
    if (resting) again = true;
    else ring();
  });
  return () => {
    stop();
    clearTimeout(resting);
  };
}

/** Hears the other nodes. Returns the function that stops it. */
export const startListening = (db: Db): Promise<() => Promise<void>> =>
  db.listen(CHANNEL, (who) => {
    if (who !== self) wake("elsewhere");
  });
