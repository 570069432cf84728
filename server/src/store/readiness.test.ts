import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { isDatabaseAway } from "./away.ts";
import { type Db, queryable } from "./db.ts";
import { readinessOf } from "./readiness.ts";

const MS_MAX = 50;

/** A database that answers in its own time. */
function databaseOf(answer: () => Promise<unknown>): Db {
  const db = queryable(async () => {
    await answer();
    return [] as never;
  });
  return Object.assign(db as Db, { servers: [db as Db] });
}

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a database that answers while the process is busy is not away", async () => {
  // The system finishes this during the loop, and the process learns of it after the loop, as it does with a socket.
  const asked = readinessOf(
    databaseOf(() => stat(import.meta.dirname)),
    MS_MAX,
  )();
  beBusy(4 * MS_MAX);
  await asked;
});

test("a database that does not answer is away", async () => {
  const ask = readinessOf(
    databaseOf(() => new Promise(() => undefined)),
    MS_MAX,
  );
  await assert.rejects(ask(), isDatabaseAway);
});
