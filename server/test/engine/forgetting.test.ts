import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteHistoryOf } from "../../src/events/delete-history.ts";
import { inGlobalTransaction, inTransaction } from "../../src/store/db.ts";
import { settle } from "../../src/webhooks/engine/settle.ts";
import type { ClaimResult } from "../../src/webhooks/engine/work.ts";
import { createReplay } from "../../src/webhooks/history/create-replay.ts";
import { actorOf, makeDelivery, verifiedEndpoint } from "../support/endpoints.ts";
import { deliveriesOf, engineStage, happen, makeLiveEndpoint, takeDue } from "../support/engine.ts";
import { recordDelivery, recordEvent } from "../support/history.ts";
import { makeAccount, makePerson } from "../support/make.ts";
import { ok } from "../support/receiver.ts";
import { untilWaiting } from "../support/together.ts";

const { newDatabase, newReceiver, newWorker } = engineStage();
const { db } = await newDatabase();
const receiver = await newReceiver();
const worker = newWorker(db);

const forget = (accountId: string, subjectId: string) =>
  inTransaction(db, accountId, (tx) => deleteHistoryOf(tx, accountId, [subjectId]));

/** Starts both runs in order while `row` is locked, and releases it once both wait. */
async function startInOrder(
  [table, row]: readonly ["webhook_queue" | "webhook_events", string],
  ...[first, second]: readonly [() => Promise<unknown>, () => Promise<unknown>]
): Promise<void> {
  const column = table === "webhook_queue" ? "delivery_id" : "id";
  const both: Promise<unknown>[] = [];
  await inGlobalTransaction(db, async (tx) => {
    await tx`select from ${tx(table)} where ${tx(column)} = ${row} for update`;
    both.push(first());
    await untilWaiting(db, 1);
    both.push(second());
    await untilWaiting(db, 2);
  });
  await Promise.all(both);
}

test("events are forgotten while their results are recorded, in any order", async () => {
  const account = await makeAccount(db);
  await makeLiveEndpoint(db, account.id, { url: receiver.url });
  receiver.behave(ok);
  const [gone, other] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  for (const { id } of [gone, other, gone])
    await happen(db, account.id, { subject: { type: "people", id } });
  const claimed = (await takeDue(db)).toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const [earlier, between, later] = claimed;
  const batch: ClaimResult[] = [];
  for (const one of [later, between, earlier]) batch.push(await worker.send(one));

  await startInOrder(
    ["webhook_queue", between?.deliveryId ?? ""],
    () => settle(db, batch),
    () => forget(account.id, gone.id),
  );
  const left = await deliveriesOf(db, account.id);
  assert.deepEqual(
    left.map(({ status }) => status),
    ["delivered"],
  );
  const attempts = await db<{ deliveryId: string }[]>`
    select delivery_id as "deliveryId" from webhook_attempts where account_id = ${account.id}`;
  assert.equal(attempts.length, 1, "the attempts are forgotten with their deliveries");
});

test("events are forgotten while a replay redelivers them", async () => {
  const account = await makeAccount(db);
  const { id: personId } = await makePerson(db, account.id);
  const endpointId = await verifiedEndpoint(db, account);
  const made = [];
  for (const secondsAgo of [300, 200, 100])
    made.push(await makeDelivery(db, account.id, { endpointId, secondsAgo }));
  const [first, second, third] = made.map(({ eventId }) => eventId);
  // The first event was redelivered and failed again, so its latest delivery is the newest.
  await makeDelivery(db, account.id, { endpointId, eventId: first ?? "", secondsAgo: 10 });
  await db`
    update webhook_events set subject_id = ${personId}
    where account_id = ${account.id} and id = any(${[first ?? "", second ?? ""]}::uuid[])`;

  const [from, to] = [new Date(Date.now() - 3_600_000), new Date()].map((at) => at.toISOString());
  await startInOrder(
    ["webhook_events", third ?? ""],
    () =>
      inTransaction(db, account.id, (tx) =>
        createReplay(tx, actorOf(account), { endpointId, from: from ?? "", to: to ?? "" }),
      ),
    () => forget(account.id, personId),
  );
  const messages = await db`
    select distinct message_id as id from webhook_deliveries
    where account_id = ${account.id} and kind = 'production'`;
  assert.deepEqual(
    messages.map(({ id }) => id),
    [third],
  );
});

test("events are forgotten even if their id is later than their transaction's time", async () => {
  const account = await makeAccount(db);
  const { id: personId } = await makePerson(db, account.id);
  const { id: endpointId } = await makeLiveEndpoint(db, account.id, { url: receiver.url });
  const now = Date.now();
  for (const ago of [4, 0]) {
    const subject = { type: "people", id: personId };
    const at = new Date(now - ago).toISOString();
    const eventId = await recordEvent(db, account.id, { at, subject });
    await recordDelivery(db, account.id, { endpointId, eventId, at });
    // The last of thirty thousand events of one transaction.
    if (ago > 0) {
      const [{ id } = assert.fail()] = await db<{ id: string }[]>`
        select history_id(${at}::timestamptz + interval '30 milliseconds') as id`;
      await db`update webhook_events set id = ${id} where account_id = ${account.id} and id = ${eventId}`;
      await db`
        update webhook_deliveries set message_id = ${id}
        where account_id = ${account.id} and message_id = ${eventId}`;
    }
  }
  await forget(account.id, personId);
  assert.equal((await deliveriesOf(db, account.id)).length, 0);
});
