import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { sweepRecords } from "../../src/webhooks/history/sweep-records.ts";
import { freshDatabase } from "../support/database.ts";
import { makeLiveEndpoint } from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";

/** Records with a limited use are kept for that time and then deleted. */

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;
const { id: account } = await makeAccount(db);
const { id: endpoint } = await makeLiveEndpoint(db, account, { url: "https://receiver.example" });

test("hours are deleted once no metrics window has them", async () => {
  for (const hoursAgo of [0, 24, 167, 193])
    await db`
      insert into webhook_hours (account_id, endpoint_id, hour, latencies)
      values (${account}, ${endpoint}, date_trunc('hour', now(), 'UTC') - ${hoursAgo} * interval '1 hour', '{}')`;
  assert.equal(await sweepRecords(db), 1);
  const left = await db`select from webhook_hours where hour > now() - interval '169 hours'`;
  assert.equal(left.length, 3);
});

test("actions are deleted once no limit counts them", async () => {
  for (const hoursAgo of [0, 2, 47, 50])
    await db`
      insert into webhook_actions (account_id, id, endpoint_id, action, asked_at)
      values (${account}, ${newId()}, ${endpoint}, 'rotation', now() - ${hoursAgo} * interval '1 hour')`;
  assert.equal(await sweepRecords(db), 1);
  const left = await db`select from webhook_actions where asked_at > now() - interval '48 hours'`;
  assert.equal(left.length, 3);
});

test("a secret is deleted after its overlap; the current secret stays", async () => {
  for (const [generation, minutes] of [
    [2, -1],
    [3, 1],
  ] as const)
    await db`
      insert into webhook_secrets (account_id, endpoint_id, generation, encrypted, valid_until)
      values (${account}, ${endpoint}, ${generation}, '\\x00', now() + ${minutes} * interval '1 minute')`;
  assert.equal(await sweepRecords(db), 1);
  const left = await db<{ generation: number }[]>`
    select generation from webhook_secrets where account_id = ${account} order by generation`;
  assert.deepEqual(
    left.map(({ generation }) => generation),
    [1, 3],
  );
});
