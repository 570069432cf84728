import assert from "node:assert/strict";
import { test } from "node:test";
import { wake } from "../../src/events/wake.ts";
import { connect } from "../../src/store/db.ts";
import {
  deliveriesOf,
  deliveryOf,
  engineStage,
  happen,
  makeLiveEndpoint,
  observed,
} from "../support/engine.ts";
import { holdTimers } from "../support/held-timers.ts";
import { makeAccount } from "../support/make.ts";
import { PATIENCE_MS, patient } from "../support/patience.ts";
import { gate } from "../support/receiver.ts";
import { asItIs, startWire } from "../support/wire.ts";

/** The engine survives the loss of its connections without a restart and loses no result. */

const { endLater, newDatabase, newEngine, newReceiver } = engineStage();

test("connections that are terminated under load lose no delivery, and each result is recorded once", async () => {
  const { db, url } = await newDatabase();
  const receiver = await newReceiver();
  const { id } = await makeAccount(db);
  for (let index = 0; index < 5; index++)
    await makeLiveEndpoint(db, id, { url: `${receiver.url}/${index}` });
  newEngine(url, { pollMs: 50 });
  const terminate = () => db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'engine'`;
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 5 }, () => happen(db, id)));
    await terminate();
  }
  const left = async () => (await db`select from webhook_queue where account_id = ${id}`).count;
  while ((await left()) > 0);
  const deliveries = await deliveriesOf(db, id);
  assert.equal(deliveries.length, 250);
  for (const { attemptCount, attempts, queued, status } of deliveries) {
    assert.deepEqual([status, queued, attemptCount], ["delivered", false, 1]);
    assert.deepEqual(
      attempts.map(({ state }) => state),
      ["completed"],
    );
  }
});

for (const [what, contents] of [
  // Only a claim answers with the id of the message before the message itself is read.
  ["a claim whose response is lost", (messageId: string) => messageId],
  ["a claim whose messages cannot be read", () => "What it tells"],
] as const)
  test(`${what} is returned as soon as the database is reachable, without an attempt`, async () => {
    const { db, url } = await newDatabase();
    const wire = await startWire(url);
    endLater(() => wire.close());
    const own = connect(wire.url, { max: 2, byIndex: true });
    endLater(() => own.end({ timeout: 1 }));
    const receiver = await newReceiver();
    const { id } = await makeAccount(db);
    await makeLiveEndpoint(db, id, { url: receiver.url });
    await happen(db, id, { snapshot: () => '"What it tells"' });
    const [queued] = await db<{ messageId: string }[]>`
      select message_id as "messageId" from webhook_queue where account_id = ${id}`;
    assert.ok(queued);
    const lost = contents(queued.messageId);
    let cut = 0;
    wire.pass((bytes, client) => {
      if (cut > 0 || !bytes.includes(lost)) return asItIs(bytes, client);
      cut += 1;
      client.destroy();
    });
    const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
    newEngine(url, { db: own, pollMs: 50 });
    await finished;
    assert.equal(cut, 1);
    const { attempts, status } = await deliveryOf(db, id);
    assert.deepEqual(
      [status, attempts.map(({ number, sequence, state }) => [number, sequence, state])],
      ["delivered", [[1, 2, "completed"]]],
    );
  });

test("an engine that stops returns a claim whose response was lost", async () => {
  const { db, url } = await newDatabase();
  const wire = await startWire(url);
  endLater(() => wire.close());
  const own = connect(wire.url, { max: 2, byIndex: true });
  endLater(() => own.end({ timeout: 1 }));
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: "https://receiver.example/" });
  await happen(db, id);
  const { id: delivery } = await deliveryOf(db, id);
  wire.pass((bytes, client) =>
    bytes.includes(delivery) ? client.destroy() : asItIs(bytes, client),
  );
  const failed = observed("engine-failed", 1, ({ what }) => what === "claim");
  const engine = newEngine(url, { db: own, pollMs: 60_000 });
  await failed;
  await engine.stop();
  const [place] = await db`select ready, lease from webhook_queue where account_id = ${id}`;
  assert.deepEqual({ ...place }, { ready: true, lease: null });
});

test("results are kept while the database is unreachable and recorded afterwards", async () => {
  const { comeBack, db, goAway, url } = await newDatabase();
  const slow = gate();
  const receiver = await newReceiver({ behaviour: slow.behaviour });
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  newEngine(url, { pollMs: 50 });
  for (let count = 0; count < 10; count++) await happen(db, id);
  await receiver.received(10);
  await goAway();
  const failed = observed("engine-failed", 3, ({ what }) => what === "settle");
  slow.open();
  await failed;
  const finished = observed("attempt-finished", 10);
  await comeBack();
  await finished;
  for (const { attempts, status } of await deliveriesOf(db, id))
    assert.deepEqual(
      [status, attempts.map(({ sequence, state }) => [sequence, state])],
      ["delivered", [[1, "completed"]]],
    );
  assert.equal(receiver.requests.length, 10);
});

test("a network that drops the database's responses delays the engine only for a while", async (context) => {
  // Other pools have other limits.
  const statementMsMax = PATIENCE_MS - 1;
  const limit = holdTimers(context, 2 * statementMsMax);
  const { db, url } = await newDatabase();
  const wire = await startWire(url);
  endLater(() => wire.close());
  const own = connect(wire.url, { max: 2, byIndex: true, ...patient, statementMsMax });
  endLater(() => own.end({ timeout: 1 }));
  const receiver = await newReceiver();
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  newEngine(url, { db: own });
  const deliver = async () => {
    const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
    await happen(db, id);
    await finished;
  };
  await deliver();
  const failed = observed("engine-failed", 1, ({ what }) => what === "claim");
  wire.pass(() => limit.end());
  wake();
  await failed;
  wire.pass(asItIs);
  await deliver();
});

test("an engine that stops while the database is unreachable reports dropped results, which are sent again", async () => {
  const { comeBack, db, goAway, url } = await newDatabase();
  const slow = gate();
  const receiver = await newReceiver({ behaviour: slow.behaviour });
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  const engine = newEngine(url, { pollMs: 50 });
  await happen(db, id);
  await receiver.received(1);
  await goAway();
  const failed = observed("engine-failed", 1, ({ what }) => what === "settle");
  slow.open();
  await failed;
  const dropped = observed("claim-dropped", 1, (one) => one.accountId === id);
  await engine.stop();
  assert.equal((await dropped)[0]?.outcome, "success");
  await comeBack();
  await db`update webhook_queue set due_at = now() - interval '1 second' where lease is not null`;
  const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
  newEngine(url, { pollMs: 50 });
  wake();
  await finished;
  const { attempts, status } = await deliveryOf(db, id);
  assert.equal(status, "delivered");
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ["abandoned", "completed"],
  );
  assert.equal(receiver.requests.length, 2);
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size, 1);
});
