import assert from "node:assert/strict";
import { test } from "node:test";
import { wake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";
import { claim } from "../../src/webhooks/engine/claim.ts";
import { Slots } from "../../src/webhooks/engine/slots.ts";
import {
  attemptsFor,
  deliveriesOf,
  engineStage,
  happen,
  makeLiveEndpoint,
  observed,
} from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { gate, hanging } from "../support/receiver.ts";

/** Each test has its own database, because an engine claims everything that is due. */
const { newDatabase, newEngine, newReceiver } = engineStage();

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

async function account(db: Db, url: string, endpoints = 1): Promise<string> {
  const { id } = await makeAccount(db);
  for (const index of times(endpoints)) await makeLiveEndpoint(db, id, { url: `${url}/${index}` });
  return id;
}

test("a dispatcher that is woken while all slots are taken continues as soon as one is free", async () => {
  const { db, url } = await newDatabase();
  const slow = gate();
  const receiver = await newReceiver({ behaviour: slow.behaviour });
  const engine = newEngine(url, {
    shares: { slots: 2, perEndpoint: 2, perAccount: 2 },
  });
  const id = await account(db, receiver.url, 4);
  const finished = attemptsFor(id, 4);
  await happen(db, id);
  await receiver.received(2);
  wake();
  slow.open();
  await finished;
  await engine.stop();
});

const looked = (db: Db) =>
  claim(db, { lease: newId(), limit: 0, usage: new Slots().usage(), after: undefined });

test("receivers at their limit are not scanned over and over", async () => {
  const { db, url } = await newDatabase();
  const receiver = await newReceiver({ behaviour: hanging });
  const id = await account(db, receiver.url, 110);
  await happen(db, id);
  await happen(db, id);
  let claims = 0;
  const counting = (of: Db): Db =>
    new Proxy(of, {
      get(target, name, self) {
        if (name === "query") claims++;
        return Reflect.get(target, name, self);
      },
    });
  const engine = newEngine(url, {
    shares: { slots: 150, perEndpoint: 1, perAccount: 150 },
    wrap: counting,
  });
  await receiver.received(110);
  const before = claims;
  // Waits as long as forty claims take. A scan in progress may end, and one more may start.
  for (const _ of times(40)) await looked(db);
  assert.ok(claims - before < 10, `${claims - before} statements to find nothing`);
  receiver.endAll();
  await engine.stop();
});

test("the remaining work of a receiver at its limit is sent as soon as it has a free slot", async () => {
  const { db, url } = await newDatabase();
  const slow = gate();
  const receiver = await newReceiver({ behaviour: slow.behaviour });
  const { id } = await makeAccount(db);
  // As many receivers as one claim scans, and a few more.
  for (const index of times(110))
    await makeLiveEndpoint(db, id, {
      url: `${receiver.url}/${index}`,
      events: index < 100 ? ["person.created", "person.updated"] : ["person.created"],
    });
  await happen(db, id);
  for (const _ of times(2)) await happen(db, id, { type: "person.updated", changedFields: [] });
  const finished = attemptsFor(id, 310);
  const engine = newEngine(url, { shares: { slots: 400, perEndpoint: 2, perAccount: 400 } });
  await receiver.received(210);
  slow.open();
  await finished;
  await engine.stop();
});

test("a dispatcher that stops finishes its requests and starts no others", async () => {
  const { db, url } = await newDatabase();
  const slow = gate();
  const receiver = await newReceiver({ behaviour: slow.behaviour });
  const engine = newEngine(url, {
    shares: { slots: 2, perEndpoint: 2, perAccount: 2 },
  });
  const id = await account(db, receiver.url, 5);
  await happen(db, id);
  await receiver.received(2);
  const stopped = engine.stop();
  slow.open();
  await stopped;
  const deliveries = await deliveriesOf(db, id);
  assert.deepEqual(
    deliveries
      .map(({ attemptCount, queued, status }) => [status, attemptCount, queued])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    [
      ["delivered", 1, false],
      ["delivered", 1, false],
      ["pending", 0, true],
      ["pending", 0, true],
      ["pending", 0, true],
    ],
  );
  assert.equal(receiver.requests.length, 2);
  const leased = await db`
    select from webhook_queue where account_id = ${id} and (lease is not null or not ready)`;
  assert.equal(leased.length, 0);
});

test("a dispatcher that stops during a claim returns it, and another dispatcher sends it at once", async () => {
  const { db, url } = await newDatabase();
  const receiver = await newReceiver();
  const id = await account(db, receiver.url);
  await happen(db, id);
  let stopped: Promise<void> | undefined;
  await db.begin(undefined, async (tx) => {
    await tx`lock table webhook_queue in access exclusive mode`;
    const engine = newEngine(url);
    for (let waiting = 0; waiting === 0; ) {
      const rows = await db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%with recursive lane%'`;
      waiting = rows.length;
    }
    stopped = engine.stop();
  });
  await stopped;
  const [given] = await db`
    select ready, lease, claims, status from webhook_queue where account_id = ${id}`;
  assert.deepEqual({ ...given }, { ready: true, lease: null, claims: 1, status: "pending" });
  assert.equal(receiver.requests.length, 0);

  const finished = attemptsFor(id, 1);
  const engine = newEngine(url);
  await finished;
  await engine.stop();
  const [delivery] = await deliveriesOf(db, id);
  assert.deepEqual(
    delivery?.attempts.map(({ number, sequence, state }) => [sequence, number, state]),
    [[2, 1, "completed"]],
  );
});

test("two engines on one database send each message once", async () => {
  const { db, url } = await newDatabase();
  const receiver = await newReceiver();
  const engines = [newEngine(url), newEngine(url)];
  const id = await account(db, receiver.url, 8);
  const finished = attemptsFor(id, 160);
  await Promise.all(times(20).map(() => happen(db, id)));
  await finished;
  await Promise.all(engines.map((engine) => engine.stop()));
  const deliveries = await deliveriesOf(db, id);
  assert.ok(
    deliveries.every(({ attempts, status }) => status === "delivered" && attempts.length === 1),
  );
  const sent = receiver.requests.map(({ headers }) => headers["x-svc-delivery-id"]);
  assert.equal(sent.length, 160);
  assert.deepEqual(new Set(sent), new Set(deliveries.map((one) => one.id)));
});

test("a result that cannot be recorded is dropped and delays no other result", async () => {
  const { db, url } = await newDatabase();
  const both = gate();
  const receiver = await newReceiver({ behaviour: both.behaviour });
  const [bad, good] = [await account(db, receiver.url), await account(db, receiver.url)];
  await db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse before insert on webhook_attempts for each row
      when (new.account_id = '${bad}') execute function refuse()`);
  const engine = newEngine(url);
  for (const id of [bad, good]) await happen(db, id);
  await receiver.received(2);
  const finished = attemptsFor(good, 1);
  const dropped = observed("claim-dropped", 1, (one) => one.accountId === bad);
  both.open();
  await Promise.all([finished, dropped]);
  await engine.stop();
  const [delivery] = await deliveriesOf(db, good);
  assert.equal(delivery?.status, "delivered");
});

test("the engine reconciles the queue and pauses failing endpoints on its own", async () => {
  const { db, url } = await newDatabase();
  const lost = await account(db, "https://lost.example");
  await happen(db, lost);
  await db`delete from webhook_queue where account_id = ${lost}`;
  const failing = await account(db, "https://failing.example");
  await db`
    update webhook_endpoint_health
    set consecutive_failures = 5, streak_began_at = now() - interval '8 days', failing_since = now() - interval '8 days'
    where account_id = ${failing}`;
  const reconciled = observed("reconciled");
  const engine = newEngine(url);
  assert.deepEqual(await reconciled, [{ kind: "reconciled", requeued: 1, removed: 0 }]);
  await engine.stop();
  const [endpoint] = await db`
    select status, pause_reason as reason from webhook_endpoints where account_id = ${failing}`;
  assert.deepEqual({ ...endpoint }, { status: "paused", reason: "health" });
});
