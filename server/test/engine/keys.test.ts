import assert from "node:assert/strict";
import { after, test } from "node:test";
import { wake } from "../../src/events/wake.ts";
import { Cipher } from "../../src/store/cipher.ts";
import { freshDatabase } from "../support/database.ts";
import {
  deliveryOf,
  happen,
  makeDue,
  makeLiveEndpoint,
  observed,
  startTestEngine,
} from "../support/engine.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import { makeAccount } from "../support/make.ts";
import { startReceiver } from "../support/receiver.ts";

const database = await freshDatabase("the engine takes the work of every account");
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await database.close();
});
const { db } = database;

test("a node without the key leaves the delivery to a node that has it, and no attempt is counted", async () => {
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  const stranger = new Cipher([{ id: "another", bytes: () => Buffer.alloc(32, 9) }]);
  const wrong = startTestEngine(database.url, { cipher: stranger });
  const [failed, unreadable] = [observed("attempt-finished"), observed("secret-unreadable")];
  await happen(db, id);
  assert.equal((await failed)[0]?.code, "system-secret");
  assert.equal((await unreadable)[0]?.keyId, "test");
  const blocked = await deliveryOf(db, id);
  assert.equal(blocked.status, "blocked-system");
  assert.equal(blocked.attemptCount, 0);

  // The delivery is due again, and the node without the key claims it first.
  await makeDue(db, id);
  await sweep(db);
  wake();
  const right = startTestEngine(database.url);
  const finished = observed("attempt-finished");
  wake();
  assert.equal((await finished)[0]?.status, "delivered");
  assert.equal((await deliveryOf(db, id)).attemptCount, 1);
  await Promise.all([wrong.stop(), right.stop()]);
});
