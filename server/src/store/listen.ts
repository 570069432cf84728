import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { SECOND } from "../base/clock.ts";

/**
 * Calls `heard` with every notification of a channel, on a connection of its own. A connection that is lost is opened
 * again; what was notified meanwhile is not heard. Returns the function that ends it.
 */
export async function listen(
  config: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  let client: pg.Client;
  const open = async () => {
    client = new pg.Client(config);
    client.on("error", () => undefined);
    client.on("notification", ({ payload = "" }) => heard(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    client.once("end", () => void openAgain());
  };
  const openAgain = async () => {
    while (!ended.signal.aborted)
      try {
        return await open();
      } catch {
        await wait(SECOND, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
      }
  };
  await open();
  return async () => {
    ended.abort();
    await client.end();
  };
}
