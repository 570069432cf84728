import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryOf, engineStage, happen, makeLiveEndpoint, observed } from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { ok } from "../support/receiver.ts";

const { newDatabase, newEngine, newReceiver } = engineStage();
const { db, url } = await newDatabase();
newEngine(url, { shares: { slots: 1, perEndpoint: 1, perAccount: 1 } });
const receiver = await newReceiver();

test("events that are captured while all slots are taken are sent as soon as a slot is free", async () => {
  const one = await makeAccount(db);
  const other = await makeAccount(db);
  for (const { id } of [one, other])
    await makeLiveEndpoint(db, id, { url: `${receiver.url}/${id}` });
  let answer = () => {};
  receiver.behave((line, request) => {
    answer = () => void ok(line, request);
  });
  await happen(db, one.id);
  await receiver.received(1);

  await happen(db, other.id);
  await db`select 1`;
  assert.equal(receiver.requests.length, 1);

  const finished = observed("attempt-finished", 2);
  receiver.behave(ok);
  answer();
  await finished;
  assert.equal((await deliveryOf(db, one.id)).status, "delivered");
  assert.equal((await deliveryOf(db, other.id)).status, "delivered");
});
