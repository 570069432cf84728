import { insertion } from "../../src/store/sql.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../../src/base/clock.ts";
import { firstRound, reconcile } from "../../src/webhooks/engine/reconcile.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import { inTransaction } from "../../src/store/db.ts";
import { queueControl } from "../../src/webhooks/history/queue-control.ts";
import {
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

const { newDatabase, newReceiver, newWorker } = engineStage();
const { db } = await newDatabase();
const receiver = await newReceiver();
const worker = newWorker(db);

async function account(): Promise<string> {
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  return id;
}

/** Reconciles until every queue row was scanned. */
async function lookEverywhere() {
  const all = { requeued: 0, removed: 0 };
  let round = firstRound;
  do {
    const { found, next } = await reconcile(db, round);
    all.requeued += found.requeued;
    all.removed += found.removed;
    round = next;
  } while (round.partition !== undefined || round.queueAfter !== firstRound.queueAfter);
  return all;
}

const placeOf = async (accountId: string) => {
  const [row] = await db<
    { ready: boolean; claims: number; attempts: number; status: string; inMs: number }[]
  >`
    select ready, claims, attempts_made as attempts, status,
      extract(epoch from due_at - now())::float8 * 1000 as "inMs"
    from webhook_queue where account_id = ${accountId}`;
  return row;
};

test("reconciling changes nothing if nothing is wrong, in any state of the work", async () => {
  receiver.behave(ok);
  await account().then((id) => happen(db, id));
  const paused = await account();
  await happen(db, paused);
  await db`
    update webhook_endpoints set status = 'paused', pause_reason = 'manual' where account_id = ${paused}`;
  await worker.deliver();
  receiver.behave(saying(503));
  await account().then((id) => happen(db, id));
  await worker.deliver();
  await account().then((id) => happen(db, id));
  await takeDue(db);
  const lost = await account();
  await happen(db, lost);
  await takeDue(db);
  await makeDue(db, lost);
  await sweep(db);
  await account().then((id) => happen(db, id));

  const states = await db<{ status: string; leased: boolean | null }[]>`
    select status, (select lease is not null from webhook_queue where delivery_id = id) as leased
    from webhook_deliveries`;
  assert.deepEqual(states.map(({ leased, status }) => `${status} ${leased}`).sort(), [
    "blocked-system false",
    "delivered null",
    "pending false",
    "pending true",
    "retry-scheduled false",
    "suppressed null",
  ]);
  assert.deepEqual(await lookEverywhere(), { requeued: 0, removed: 0 });
});

test("a delivery without a queue row gets one and is delivered", async () => {
  receiver.behave(ok);
  const id = await account();
  await happen(db, id);
  await db`delete from webhook_queue where account_id = ${id}`;
  assert.deepEqual(await lookEverywhere(), { requeued: 1, removed: 0 });
  assert.equal((await placeOf(id))?.ready, true);
  await worker.deliver();
  assert.equal((await deliveryOf(db, id)).status, "delivered");
});

test("two nodes that reconcile at once add one queue row", async () => {
  const id = await account();
  await happen(db, id);
  await db`delete from webhook_queue where account_id = ${id}`;
  let looking: ReturnType<typeof reconcile>[] = [];
  await inTransaction(db, id, async (tx) => {
    await tx`select from webhook_deliveries where account_id = ${id} for update`;
    looking = [reconcile(db, firstRound), reconcile(db, firstRound)];
    await untilWaiting(db, 2);
  });
  const requeued = (await Promise.all(looking)).map(({ found }) => found.requeued);
  assert.deepEqual(
    requeued.toSorted((one, other) => one - other),
    [0, 1],
  );
  assert.ok(await placeOf(id));
  await worker.deliver();
});

test("a restored retry keeps its time and its attempts", async () => {
  receiver.behave(saying(503));
  const id = await account();
  await happen(db, id);
  await worker.deliver();
  await db`delete from webhook_queue where account_id = ${id}`;
  assert.deepEqual(await lookEverywhere(), { requeued: 1, removed: 0 });
  const place = await placeOf(id);
  assert.ok(place);
  const { attempts, claims, inMs, ready, status } = place;
  assert.deepEqual([ready, claims, attempts, status], [false, 1, 1, "retry-scheduled"]);
  assert.ok(inMs > 30_000, `in ${inMs} ms`);

  // The next claim is a new attempt, not a repetition of the first.
  await makeDue(db, id);
  await sweep(db);
  await takeDue(db);
  await makeDue(db, id);
  await sweep(db);
  receiver.behave(ok);
  await worker.deliver();
  const delivery = await deliveryOf(db, id);
  assert.equal(delivery.status, "delivered");
  assert.deepEqual(
    delivery.attempts.map(({ number, sequence, state }) => [sequence, number, state]),
    [
      [1, 1, "completed"],
      [2, 2, "abandoned"],
      [3, 2, "completed"],
    ],
  );
});

test("a delivery of an old event is found too", async () => {
  receiver.behave(ok);
  const id = await account();
  await happen(db, id);
  await db`delete from webhook_queue where account_id = ${id}`;
  const day = new Date(Date.now() - 20 * DAY).toISOString().slice(0, 10);
  const stamp = day.replaceAll("-", "");
  for (const table of ["webhook_deliveries", "webhook_attempts"]) {
    await db.query(`create table ${table}_${stamp} (like ${table} including all)`);
    await db.query(
      `alter table ${table} attach partition ${table}_${stamp} for values
       from (history_floor('${day}T00:00Z')) to (history_floor('${day}T00:00Z'::timestamptz + interval '1 day'))`,
    );
  }
  await db`
    update webhook_deliveries set id = history_id((${`${day}T12:00Z`})::timestamptz) where account_id = ${id}`;
  assert.deepEqual(await lookEverywhere(), { requeued: 1, removed: 0 });
  await worker.deliver();
  assert.equal((await deliveryOf(db, id)).status, "delivered");
});

test("a queue row without a pending delivery is removed", async () => {
  receiver.behave(ok);
  const ended = await account();
  await happen(db, ended);
  const [place] = await db`select * from webhook_queue where account_id = ${ended}`;
  assert.ok(place);
  await worker.deliver();
  await db`insert into webhook_queue ${insertion(place)}`;
  const gone = await account();
  await happen(db, gone);
  await db`delete from webhook_deliveries where account_id = ${gone}`;
  assert.deepEqual(await lookEverywhere(), { requeued: 0, removed: 2 });
  assert.equal((await deliveryOf(db, ended)).status, "delivered");
  assert.equal(await placeOf(ended), undefined);
  assert.equal(await placeOf(gone), undefined);
});

test("a restored queue row is identical to the lost one, for events and verifications", async () => {
  const { id } = await makeAccount(db);
  const { id: endpointId } = await makeLiveEndpoint(db, id, { url: receiver.url });
  await happen(db, id);
  await inTransaction(db, id, (tx) =>
    queueControl(tx, {
      accountId: id,
      endpointId,
      controlType: "webhook.verification",
      destinationVersion: 1,
      verificationGeneration: 3,
    }),
  );
  const places = async () =>
    Array.from(await db`select * from webhook_queue where account_id = ${id} order by delivery_id`);
  const before = await places();
  await db`delete from webhook_queue where account_id = ${id}`;
  assert.deepEqual(await lookEverywhere(), { requeued: 2, removed: 0 });
  assert.deepEqual(await places(), before);
});

test("a delivery behind more queue rows than one round scans is found by the next round", async () => {
  const id = await account();
  await db`
    with delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, expires_at)
      select ${id}, history_id(now()), now(), now(), 'production', gen_random_uuid(), gen_random_uuid(), 'person.created', 1,
        now() + interval '1 day'
      from generate_series(1, 20000)
      returning *
    )
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
      expires_at, due_at)
    select account_id, id, endpoint_id, message_id, kind, event_type, destination_version, expires_at, now()
    from delivery
    union all
    select account_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', endpoint_id, message_id, kind, event_type,
      destination_version, expires_at, now()
    from (select * from delivery limit 1) one`;
  assert.deepEqual(await lookEverywhere(), { requeued: 0, removed: 1 });
});
