import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isDatabaseAway } from "../src/store/away.ts";
import { connect } from "../src/store/db.ts";
import { freshDatabase } from "./support/database.ts";

const database = await freshDatabase();
const db = connect(database.url, { max: 4, name: "lost" });
after(async () => {
  await db.end({ timeout: 1 });
  await database.drop();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Shorter than the time limit of a connection, by which the driver would free itself of some of what can go wrong. */
const STATEMENT_MS_MAX = 4_000;

test("whatever happens to connections, every statement ends soon: with an answer, or because the database is away", async () => {
  let over = false;
  let slowest = 0;
  const counts = { answered: 0, away: 0 };
  /** Busy ones that leave no pause, and others that come when a connection has just been lost. */
  const use = async (pauses: number) => {
    while (!over) {
      const startedAt = performance.now();
      const statement = pauses % 2 ? db.begin((tx) => tx`select 1`) : db`select 1`;
      await statement.then(
        () => counts.answered++,
        (error: unknown) => {
          if (!isDatabaseAway(error)) throw error;
          counts.away++;
        },
      );
      slowest = Math.max(slowest, performance.now() - startedAt);
      for (let pause = 0; pause <= pauses; pause++) await turn();
    }
  };
  const using = [0, 1, 0, 1, 8, 9, 20, 21].map(use);
  for (let round = 0; round < 50; round++) {
    const before = counts.answered;
    await database.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'lost'`;
    while (counts.answered < before + (round % 10) * 5) await turn();
  }
  over = true;
  await Promise.all(using);
  assert.ok(counts.away > 0, "nobody noticed");
  assert.ok(slowest < STATEMENT_MS_MAX, `a statement took ${Math.round(slowest)} ms`);
});
