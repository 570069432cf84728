import { isDatabaseAway } from "./away.ts";
import type { Db } from "./db.ts";

export interface Away {
  server: Db;
  error: Error;
}

export interface Answers<T> {
  answers: T[];
  away: Away[];
}

/** The answers of servers to one question, and the servers that are away. Any other failure is thrown. */
export async function askEach<T>(
  servers: readonly Db[],
  ask: (server: Db) => Promise<T>,
): Promise<Answers<T>> {
  const away: Away[] = [];
  const all = await Promise.all(
    servers.map((server) =>
      ask(server).then(
        (value) => [value],
        (error: unknown) => {
          if (!isDatabaseAway(error)) throw error;
          away.push({ server, error: error as Error });
          return [];
        },
      ),
    ),
  );
  return { answers: all.flat(), away };
}

/**
 * The answers of servers to one question. One that is away is left out, so that the accounts of the others can go on. If all
 * are away, it rejects.
 */
export async function onEach<T>(
  servers: readonly Db[],
  ask: (server: Db) => Promise<T>,
): Promise<T[]> {
  const { answers, away } = await askEach(servers, ask);
  const [first] = away;
  if (first && away.length === servers.length) throw first.error;
  return answers;
}
