import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect, inGlobalTransaction } from "../../src/store/db.ts";
import { sharedDatabase } from "./database.ts";
import { patient } from "./patience.ts";
import { Messages, startWireCounter } from "./wire-counter.ts";

const { url } = await sharedDatabase();
const counter = await startWireCounter(url);
const db = connect(counter.url, { max: 1, name: "counted", ...patient });
after(async () => {
  await db.end();
  await counter.close();
});

test("statements count once each, and statements that leave together are one round trip", async () => {
  await db`select ${1}::integer as warm`;
  const apart = () =>
    inGlobalTransaction(db, async (tx) => {
      await tx`select ${1}::integer as one`;
      await tx`select ${2}::integer as two`;
    });
  // BEGIN leaves with the first statement, and COMMIT is the third round trip.
  assert.deepEqual(await counter.countsOf(apart), { statements: 4, roundTrips: 3 });
  const together = () =>
    inGlobalTransaction(db, async (tx) => {
      await tx`select ${1}::integer as one`;
      await Promise.all([tx`select ${2}::integer as two`, tx`select ${3}::integer as three`]);
    });
  assert.deepEqual(await counter.countsOf(together), { statements: 5, roundTrips: 3 });
  assert.deepEqual(await counter.countsOf(async () => undefined), { statements: 0, roundTrips: 0 });
});

test("a script is one statement, and an answer of many chunks is one round trip", async () => {
  const script = () => db.query("select repeat('x', 1000000); select 2");
  assert.deepEqual(await counter.countsOf(script), { statements: 1, roundTrips: 1 });
});

test("messages are found however their bytes are split", () => {
  const startup = [0, 0, 0, 8, 0, 3, 0, 0];
  const execute = ["E".charCodeAt(0), 0, 0, 0, 9, 0, 0, 0, 0, 0];
  const sync = ["S".charCodeAt(0), 0, 0, 0, 4];
  const bytes = Buffer.from([...startup, ...execute, ...sync]);
  for (const size of [1, 3, 7, bytes.length]) {
    const messages = new Messages({ hasStartup: true });
    const types: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      types.push(...messages.typesIn(bytes.subarray(at, at + size)));
    assert.deepEqual(types, ["", "E", "S"]);
  }
});
