import { wake, onWake } from "../../events/wake.ts";
import type { Db } from "../../store/db.ts";

const CHANNEL = "vestry_webhooks";

/** As many deliveries as there are in a few milliseconds ring once: each notification takes a lock of the whole server. */
const RING_MS = 10;

/**
 * Tells the other nodes that there is work. Never from the transaction that made it, which would hold that lock while it
 * commits, but afterwards, and only as a hint: whoever does not hear it finds the work at the next poll.
 */
export function startRinging(db: Db): () => void {
  let timer: NodeJS.Timeout | undefined;
  const ring = () => {
    timer = undefined;
    db`select pg_notify(${CHANNEL}, '')`.then(
      () => undefined,
      () => undefined,
    );
  };
  const stop = onWake((from) => {
    if (from === "here") timer ??= setTimeout(ring, RING_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Hears the other nodes, on a connection of its own that the driver opens anew when it is lost. */
export async function startHearing(db: Db): Promise<() => Promise<void>> {
  const hearing = await db.listen(CHANNEL, () => wake("elsewhere"));
  return () => hearing.unlisten();
}
