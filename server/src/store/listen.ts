import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { SECOND } from "../base/clock.ts";

/**
 * Calls `onNotification` for every notification of a channel, on a separate connection. A lost connection is reopened, and
 * notifications sent in between are lost. Returns a function that stops it.
 */
export async function listen(
  config: pg.ClientConfig,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  let client: pg.Client;
  const open = async () => {
    client = new pg.Client(config);
    client.on("error", () => undefined);
    client.on("notification", ({ payload = "" }) => onNotification(payload));
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
