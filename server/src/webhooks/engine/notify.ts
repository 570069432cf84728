import { onWake, wake } from "../../events/wake.ts";
import { newId } from "../../base/ids.ts";
import type { Db } from "../../store/db.ts";

const CHANNEL = "vestry_webhooks";

/** Every NOTIFY takes a server-wide lock while it commits. One notification per interval is enough. */
const NOTIFY_INTERVAL_MS = 10;

/** Identifies this node, so that it ignores its own notifications. */
const self = newId();

/**
 * Notifies the other nodes of new work. NOTIFY runs after the business transaction, because it holds a server-wide lock
 * until commit. A notification is only a hint. Polling finds the work if it is lost.
 */
export function startNotifying(db: Db): () => void {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const notify = () => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) notify();
    }, NOTIFY_INTERVAL_MS);
    // A lost hint is harmless, so the commit does not wait for the disk.
    db`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${self})`.catch(
      () => undefined,
    );
  };
  const stop = onWake((from) => {
    if (from === "elsewhere") return;
    if (timer) again = true;
    else notify();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Wakes this node when another node has new work. Returns a function that stops listening. */
export const startListening = (db: Db): Promise<() => Promise<void>> =>
  db.listen(CHANNEL, (sender) => {
    if (sender !== self) wake("elsewhere");
  });
