import { insertion } from "../../src/store/sql.ts";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { HOUR, SECOND } from "../../src/base/clock.ts";
import { connect, inTransaction } from "../../src/store/db.ts";
import type { Outcome } from "../../src/webhooks/engine/outcome.ts";
import { settle, settleWithEndpoint } from "../../src/webhooks/engine/settle.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import type { ClaimResult } from "../../src/webhooks/engine/work.ts";
import { suppressWork } from "../../src/webhooks/endpoints/suppress-work.ts";
import {
  deliveriesOf,
  deliveryOf,
  engineStage,
  happen,
  makeDue,
  makeLiveEndpoint,
  takeDue,
} from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { ok, saying } from "../support/receiver.ts";
import { untilWaiting } from "../support/together.ts";

/** Results that are recorded in batches and concurrently. */

const { newDatabase, newReceiver, newWorker, endLater } = engineStage();
const database = await newDatabase();
const { db } = database;
const receiver = await newReceiver();
const worker = newWorker(db);
const own = connect(database.url, { max: 2, byIndex: true });
endLater(() => own.end({ timeout: 5 }));
afterEach(() => db`delete from webhook_queue`);

async function accountWith(receivers: number): Promise<string> {
  const { id } = await makeAccount(db);
  for (let index = 0; index < receivers; index++)
    await makeLiveEndpoint(db, id, { url: `${receiver.url}/${index}` });
  return id;
}

const sendAll = async (accountId: string): Promise<ClaimResult[]> => {
  await happen(db, accountId);
  const worked: ClaimResult[] = [];
  for (const claimed of await takeDue(db)) worked.push(await worker.send(claimed));
  return worked.sort((one, other) => (one.claimed.endpointId < other.claimed.endpointId ? -1 : 1));
};

/** The claimed delivery with this outcome. */
function withOutcome({ attempt, ...sent }: ClaimResult, outcome: Outcome): ClaimResult {
  assert.ok(attempt);
  return { ...sent, trigger: { kind: "attempted", outcome }, attempt: { ...attempt, outcome } };
}

test("two workers record results of the same receivers concurrently, in any order", async () => {
  const id = await accountWith(2);
  const [one, other] = [await sendAll(id), (await sendAll(id)).toReversed()];
  let settling: Promise<unknown>[] = [];
  await inTransaction(db, id, async (tx) => {
    await tx`
      select from webhook_endpoint_health
      where account_id = ${id} and endpoint_id = ${one[0]?.claimed.endpointId ?? ""} for update`;
    settling = [settle(own, one)];
    await untilWaiting(db, 1);
    settling.push(settle(own, other));
    await untilWaiting(db, 2);
  });
  await Promise.all(settling);
  assert.deepEqual(
    (await deliveriesOf(db, id)).map(({ status }) => status),
    ["delivered", "delivered", "delivered", "delivered"],
  );
});

test("a refused address pauses nothing if the worker's lease has ended", async () => {
  const id = await accountWith(1);
  await happen(db, id);
  const [claimed] = await takeDue(db);
  const refused = withOutcome(await worker.send(claimed), {
    kind: "refused",
    code: "dns-private-address",
  });
  await makeDue(db, id);
  await sweep(db);
  assert.deepEqual(await settleWithEndpoint(db, refused), { settled: [], lost: [refused] });
  const [endpoint] = await db`select status from webhook_endpoints where account_id = ${id}`;
  assert.equal(endpoint?.["status"], "active");
  assert.equal((await deliveryOf(db, id)).status, "blocked-system");
});

test("a queue row that was left behind does not change a finished delivery", async () => {
  const id = await accountWith(1);
  await happen(db, id);
  const [place] = await db`select * from webhook_queue where account_id = ${id}`;
  assert.ok(place);
  await worker.deliver();
  await db`insert into webhook_queue ${insertion({ ...place, claims: 1 })}`;
  receiver.behave(saying(404));
  await worker.deliver();
  receiver.behave(ok);
  const { queued, status } = await deliveryOf(db, id);
  assert.deepEqual([status, queued], ["delivered", false]);
});

test("each system failure doubles the wait until an attempt is made", async () => {
  const id = await accountWith(1);
  await happen(db, id);
  const waits: number[] = [];
  receiver.behave(saying(503));
  for (const isOurs of [true, true, true, false, true]) {
    const [claimed] = await takeDue(db);
    const sent = await worker.send(claimed);
    await settle(db, [isOurs ? withOutcome(sent, { kind: "system", code: "system-fault" }) : sent]);
    const { status, waitMs } = await deliveryOf(db, id);
    assert.equal(status, isOurs ? "blocked-system" : "retry-scheduled");
    if (isOurs) waits.push(Math.round((waitMs ?? 0) / (30 * SECOND)));
    await makeDue(db, id);
    await sweep(db);
  }
  receiver.behave(ok);
  assert.deepEqual(waits, [1, 2, 4, 1]);
});

test("updated-at changes when a result is recorded or a delivery is suppressed", async () => {
  for (const act of [
    (sent: ClaimResult) => settle(db, [sent]),
    async ({ claimed: { accountId, endpointId } }: ClaimResult) => {
      await db`update webhook_queue set lease = null where account_id = ${accountId}`;
      const of = { accountId, endpointId, events: [] };
      await inTransaction(db, accountId, (tx) => suppressWork(tx, of, ["all", "manual-pause"]));
    },
  ]) {
    const id = await accountWith(1);
    const [sent] = await sendAll(id);
    assert.ok(sent);
    await db`
      update webhook_deliveries set updated_at = created_at - interval '1 hour' where account_id = ${id}`;
    await act(sent);
    const [delivery] = await db<{ status: string; isNew: boolean }[]>`
      select status, updated_at >= created_at as "isNew" from webhook_deliveries where account_id = ${id}`;
    assert.ok(delivery && delivery.status !== "pending");
    assert.ok(delivery.isNew, delivery.status);
  }
});

test("an attempt counts in the hour in which it started", async () => {
  const id = await accountWith(1);
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  for (const startedAt of [hour - 1, hour, hour + HOUR - 1]) {
    const [sent] = await sendAll(id);
    assert.ok(sent?.attempt);
    await settle(db, [{ ...sent, attempt: { ...sent.attempt, startedAt } }]);
  }
  const hours = await db<{ hour: number; attempts: number }[]>`
    select extract(epoch from hour)::float8 * 1000 as hour, attempts from webhook_hours
    where account_id = ${id} order by hour`;
  assert.deepEqual(
    hours.map(({ attempts, hour: of }) => [of, attempts]),
    [
      [hour - HOUR, 1],
      [hour, 2],
    ],
  );
});
