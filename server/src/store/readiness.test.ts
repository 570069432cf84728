import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { holdTimers } from "../../test/support/held-timers.ts";
import { PATIENCE_MS } from "../../test/support/patience.ts";
import { isDatabaseAway, isDatabaseSlow } from "./away.ts";
import { type Db, queryable } from "./db.ts";
import { readinessOf } from "./readiness.ts";

/** A database that answers in its own time. */
function databaseOf(answer: () => Promise<unknown>): Db {
  const db = queryable(async () => {
    await answer();
    return [] as never;
  });
  return Object.assign(db as Db, { servers: [db as Db] });
}

test("a database that answers while the process is busy is not away", async (context) => {
  const patience = holdTimers(context, PATIENCE_MS);
  const { port1: database, port2: client } = new MessageChannel();
  const answered = new Promise((resolve) => client.once("message", resolve));
  const asked = readinessOf(
    databaseOf(() => answered),
    PATIENCE_MS,
  )();
  // After a busy time, the timers run before the process reads what has arrived meanwhile, as it does in a turn of its own.
  await turn();
  database.postMessage("answered");
  patience.end();
  await asked;
  client.close();
});

test("a database that does not answer is away, and slow", async (context) => {
  const patience = holdTimers(context, PATIENCE_MS);
  const ask = readinessOf(
    databaseOf(() => new Promise(() => undefined)),
    PATIENCE_MS,
  );
  const asked = ask();
  patience.end();
  await assert.rejects(asked, isDatabaseAway);
  const again = ask();
  patience.end();
  await assert.rejects(again, isDatabaseSlow);
});
