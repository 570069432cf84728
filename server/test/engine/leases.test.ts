import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";
import { settle } from "../../src/webhooks/engine/settle.ts";
import { endLeases, makeReady, sweep } from "../../src/webhooks/engine/sweep.ts";
import { databaseTime, work } from "../../src/webhooks/engine/work.ts";
import {
  accountAt,
  attemptsFor,
  deliveryOf,
  engineStage,
  happen,
  loseLeases,
  makeDue,
  startTestEngine,
  takeDue,
} from "../support/engine.ts";
import { holdTimers } from "../support/held-timers.ts";
import { hanging, ok, saying } from "../support/receiver.ts";

/** Workers that are lost, and workers that return without noticing that their lease ended. */

const { newDatabase, newReceiver, newWorker } = engineStage();
const database = await newDatabase();
const { db } = database;
const receiver = await newReceiver();
const worker = newWorker(db);

const account = (path: string) => accountAt(db, receiver, path);

const failuresOf = async (accountId: string) => {
  const [row] = await db<{ failures: number; attempts: number }[]>`
    select consecutive_failures as failures,
      (select coalesce(sum(attempts), 0)::integer from webhook_hours where account_id = ${accountId}) as attempts
    from webhook_endpoint_health where account_id = ${accountId}`;
  return { ...row };
};

test("a worker that is lost after it sent leaves an abandoned attempt and the same Webhook-Id for the next", async () => {
  receiver.behave(ok);
  const { id, requests } = await account("lost");
  await happen(db, id);
  const [claimed] = await takeDue(db);
  await worker.send(claimed);
  await loseLeases(db, id);
  const waiting = await deliveryOf(db, id);
  assert.equal(waiting.status, "blocked-system");
  assert.equal(waiting.attemptCount, 0);
  assert.deepEqual(
    waiting.attempts.map(({ outcome, sequence, state }) => [sequence, state, outcome]),
    [[1, "abandoned", null]],
  );

  const finished = attemptsFor(id);
  const engine = startTestEngine(database.url);
  await finished;
  await engine.stop();
  const { attemptCount, attempts, queued, status } = await deliveryOf(db, id);
  assert.deepEqual([status, attemptCount, queued], ["delivered", 1, false]);
  assert.deepEqual(
    attempts.map(({ number, sequence, state }) => [sequence, number, state]),
    [
      [1, 1, "abandoned"],
      [2, 1, "completed"],
    ],
  );
  const [first, again, ...more] = requests();
  assert.ok(first && again && more.length === 0);
  for (const header of ["webhook-id", "x-svc-delivery-id"])
    assert.equal(again.headers[header], first.headers[header]);
});

test("an abandoned attempt starts when it was claimed and ends when the sweep finds it", async () => {
  const { id } = await account("abandoned");
  await happen(db, id);
  await takeDue(db);
  await db`update webhook_queue set leased_at = leased_at - interval '1 minute' where account_id = ${id}`;
  const [place] = await db<{ leasedAt: Date }[]>`
    select leased_at as "leasedAt" from webhook_queue where account_id = ${id}`;
  await loseLeases(db, id);
  const [attempt] = await db<{ startedAt: Date; seen: boolean }[]>`
    select attempt.started_at as "startedAt", attempt.finished_at >= delivery.created_at as seen
    from webhook_attempts attempt
    join webhook_deliveries delivery on delivery.account_id = attempt.account_id and delivery.id = attempt.delivery_id
    where attempt.account_id = ${id}`;
  assert.deepEqual({ ...attempt }, { startedAt: place?.leasedAt, seen: true });
  await worker.deliver();
});

test("a success after the end of the lease changes nothing", async () => {
  const { id } = await account("late-success");
  await happen(db, id);
  receiver.behave(ok);
  const [stale] = await takeDue(db);
  const late = await worker.send(stale);
  await loseLeases(db, id);
  receiver.behave(saying(500));
  const [fresh] = await takeDue(db);
  const leased = await deliveryOf(db, id);
  assert.deepEqual((await settle(db, [late])).settled, []);
  assert.deepEqual(await deliveryOf(db, id), leased);

  await settle(db, [await worker.send(fresh)]);
  const retried = await deliveryOf(db, id);
  assert.equal(retried.status, "retry-scheduled");
  assert.deepEqual((await settle(db, [late])).settled, []);
  assert.deepEqual(await deliveryOf(db, id), retried);
  assert.deepEqual(await failuresOf(id), { failures: 1, attempts: 1 });
});

test("a failure after the end of the lease changes nothing", async () => {
  const { id } = await account("late-failure");
  await happen(db, id);
  receiver.behave(saying(404));
  const [stale] = await takeDue(db);
  const late = await worker.send(stale);
  await loseLeases(db, id);
  receiver.behave(ok);
  const [fresh] = await takeDue(db);
  assert.deepEqual((await settle(db, [late])).settled, []);
  await settle(db, [await worker.send(fresh)]);
  const delivered = await deliveryOf(db, id);
  assert.equal(delivered.status, "delivered");
  assert.deepEqual((await settle(db, [late])).settled, []);
  assert.deepEqual(await deliveryOf(db, id), delivered);
  assert.deepEqual(await failuresOf(id), { failures: 0, attempts: 1 });
});

test("a suppression after the end of the lease changes nothing of the next worker", async () => {
  const { id } = await account("late-judgement");
  await happen(db, id);
  receiver.behave(ok);
  const [stale] = await takeDue(db);
  assert.ok(stale);
  // Both suppressions were correct when they were decided.
  const endpoint = { ...stale.endpoint, status: "paused", pauseReason: "manual" } as const;
  const late = [
    await worker.send({ ...stale, endpoint }),
    await worker.send({ ...stale, expiresAt: stale.claimedAt - 1 }),
  ];
  await loseLeases(db, id);
  const [fresh] = await takeDue(db);
  for (const one of late) {
    assert.equal(one.attempt, undefined);
    assert.deepEqual(await settle(db, [one]), { settled: [], lost: [one] });
  }
  await settle(db, [await worker.send(fresh)]);
  assert.equal((await deliveryOf(db, id)).status, "delivered");
});

test("only the claim that holds the lease counts when a batch has two claims of one delivery", async () => {
  // A process that kept a result while the database was unreachable has claimed the delivery again.
  const { id } = await account("both");
  await happen(db, id);
  receiver.behave(saying(404));
  const [stale] = await takeDue(db);
  const late = await worker.send(stale);
  await loseLeases(db, id);
  receiver.behave(ok);
  const [fresh] = await takeDue(db);
  const current = await worker.send(fresh);
  const { lost, settled } = await settle(db, [late, current]);
  assert.deepEqual(
    settled.map((one) => one.result),
    [current],
  );
  assert.deepEqual(lost, [late]);
  const { attempts, queued, status } = await deliveryOf(db, id);
  assert.deepEqual([status, queued], ["delivered", false]);
  assert.deepEqual(
    attempts.map(({ sequence, state }) => [sequence, state]),
    [
      [1, "abandoned"],
      [2, "completed"],
    ],
  );
  assert.deepEqual(await failuresOf(id), { failures: 0, attempts: 1 });
});

test("a result whose commit was not confirmed is not recorded twice", async () => {
  const { id } = await account("twice");
  await happen(db, id);
  receiver.behave(saying(503));
  const [claimed] = await takeDue(db);
  const result = await worker.send(claimed);
  assert.equal((await settle(db, [result])).settled.length, 1);
  const once = await deliveryOf(db, id);
  assert.deepEqual((await settle(db, [result])).lost, [result]);
  assert.deepEqual(await deliveryOf(db, id), once);
  assert.deepEqual(await failuresOf(id), { failures: 1, attempts: 1 });
});

test("a worker that stood still returns its claim unsent, and the next claim sends it", async () => {
  receiver.behave(ok);
  const { id, requests } = await account("stopped");
  for (const [clock, ms] of [
    // The lease could end before the response arrives.
    ["receivedAt", 41_000],
    // The URL and the secret may have changed.
    ["readAt", 11_000],
  ] as const) {
    await happen(db, id);
    const before = requests().length;
    const [claimed] = await takeDue(db);
    const leased = await worker.send(claimed && { ...claimed, [clock]: claimed[clock] - ms });
    assert.deepEqual((await settle(db, [leased])).lost, []);
    assert.equal(requests().length, before);
    await worker.deliver();
    assert.equal(requests().length, before + 1);
  }
  const [delivery] = await db<{ status: string; attempts: number }[]>`
    select distinct status, attempt_count as attempts from webhook_deliveries where account_id = ${id}`;
  assert.deepEqual({ ...delivery }, { status: "delivered", attempts: 1 });
});

test("a worker that stood still until its lease ended returns nothing that another worker holds", async () => {
  receiver.behave(ok);
  const { id } = await account("late");
  await happen(db, id);
  const [claimed] = await takeDue(db);
  await loseLeases(db, id);
  const leased = await worker.send(
    claimed && { ...claimed, receivedAt: claimed.receivedAt - 61_000 },
  );
  const [current] = await takeDue(db);
  assert.deepEqual((await settle(db, [leased])).lost, [leased]);
  assert.equal((await settle(db, [await worker.send(current)])).settled.length, 1);
});

test("a claim commits without waiting for the disk, and a lost claim is sent again", async () => {
  await db.begin(undefined, async (tx) => {
    await tx`set local synchronous_commit to on`;
    await takeDue(tx as unknown as Db);
    const [row] = await tx<{ waits: string }[]>`
      select current_setting('synchronous_commit') as waits`;
    assert.equal(row?.waits, "off");
  });
});

test("a recent claim is sent", async () => {
  receiver.behave(ok);
  const { id, requests } = await account("moment");
  await happen(db, id);
  const [claimed] = await takeDue(db);
  assert.ok(claimed);
  const { receivedAt, readAt } = claimed;
  const sent = await worker.send({
    ...claimed,
    receivedAt: receivedAt - 9_000,
    readAt: readAt - 9_000,
  });
  assert.equal((await settle(db, [sent])).settled.length, 1);
  assert.equal(requests().length, 1);
});

test("nothing is sent from the millisecond on in which the lifetime ends", async (t) => {
  const { id, requests } = await account("over");
  await db`delete from webhook_queue`;
  await happen(db, id);
  receiver.behave(ok);
  const [claimed] = await takeDue(db);
  assert.ok(claimed);
  const now = performance.now();
  t.mock.method(performance, "now", () => now);
  const expired = await worker.send({ ...claimed, expiresAt: databaseTime(claimed) });
  t.mock.restoreAll();
  await settle(db, [expired]);
  const { attempts, queued, status } = await deliveryOf(db, id);
  assert.deepEqual([status, queued, attempts], ["expired", false, []]);
  assert.equal(requests().length, 0);
});

test("an attempt during which the process stood still is not counted", async (t) => {
  receiver.behave(hanging);
  const { id, requests } = await account("still");
  await happen(db, id);
  const [claimed] = await takeDue(db);
  assert.ok(claimed);
  const before = receiver.requests.length;
  const timeoutMs = 4_999;
  const limit = holdTimers(t, timeoutMs);
  const working = work(claimed, { ...worker.options, timeoutMs });
  await receiver.received(before + 1);
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + timeoutMs + 2_200);
  limit.end();
  const result = await working;
  t.mock.restoreAll();
  assert.ok(result);
  await settle(db, [result]);
  const { attemptCount, attempts, status } = await deliveryOf(db, id);
  assert.deepEqual([status, attemptCount], ["blocked-system", 0]);
  assert.deepEqual(
    attempts.map(({ code, outcome, state }) => [state, outcome, code]),
    [["completed", "system-failure", "system-fault"]],
  );
  assert.deepEqual(await failuresOf(id), { failures: 0, attempts: 0 });
  assert.equal(requests().length, 1);
});

test("a queue row without a delivery does not prevent other leases from ending", async () => {
  const { id } = await account("dropped");
  await happen(db, id);
  await takeDue(db);
  // The partition of the delivery was dropped, but its queue row remained.
  await db`
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
      expires_at, ready, due_at, lease, leased_at, claims)
    select account_id, history_id('2020-01-01T12:00Z'), endpoint_id, history_id('2020-01-01T12:00Z'), kind, event_type,
      destination_version, '2020-01-31T12:00Z', false, '2020-01-31T12:00Z', lease, '2020-01-31T12:00Z', 1
    from webhook_queue where account_id = ${id}`;
  await makeDue(db, id);
  assert.equal((await endLeases(db)).length, 1);
  assert.equal((await deliveryOf(db, id)).status, "blocked-system");
});

test("a sweep skips rows that another worker has locked and does not wait", async () => {
  const { id } = await account("held");
  await db`delete from webhook_queue`;
  await happen(db, id);
  await takeDue(db);
  await makeDue(db, id);
  const hold = (act: () => Promise<unknown>) =>
    db.begin(id, async (tx) => {
      await tx`select from webhook_queue where account_id = ${id} for update`;
      await act();
    });
  await hold(async () => assert.equal((await endLeases(db)).length, 0));
  assert.equal((await endLeases(db)).length, 1);

  await db`update webhook_queue set ready = false where account_id = ${id}`;
  await hold(async () => assert.equal(await makeReady(db), 0));
  assert.equal(await makeReady(db), 1);
});

test("one sweep handles all due deliveries and all expired leases", async () => {
  await db`delete from webhook_queue`;
  const { id } = await account("many");
  await happen(db, id);
  for (const lease of [null, newId()]) {
    await db`
      with delivery as (
        insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
          destination_version, expires_at)
        select account_id, history_id(now()), now(), now(), kind, endpoint_id, message_id, event_type, destination_version,
          expires_at
        from webhook_deliveries, generate_series(1, 1001)
        where account_id = ${id} and id = (select min(id::text)::uuid from webhook_deliveries where account_id = ${id})
        returning *
      )
      insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
        expires_at, ready, due_at, lease, leased_at, claims)
      select account_id, id, endpoint_id, message_id, kind, event_type, destination_version, expires_at, false,
        now() - interval '1 second', ${lease}::uuid, case when ${lease}::uuid is not null then now() end, 1
      from delivery`;
    await sweep(db);
    const left = await db`select from webhook_queue where account_id = ${id} and not ready`;
    assert.equal(left.length, 0);
  }
});
