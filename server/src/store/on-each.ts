import { isDatabaseAway } from "./away.ts";
import type { Db } from "./db.ts";

/**
 * The answers of servers to one question. One that is away is left out, so that the accounts of the others can go on. If all
 * are away, it rejects.
 */
export async function onEach<T>(
  servers: readonly Db[],
  ask: (server: Db) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(servers.map(ask));
  const failures = answers.filter((one) => one.status === "rejected");
  const [failure] = failures
    .filter(({ reason }) => !isDatabaseAway(reason))
    .concat(failures.length === servers.length ? failures : []);
  if (failure) throw failure.reason;
  return answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
