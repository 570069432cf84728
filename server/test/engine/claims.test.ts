import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { claim, type Claimed } from "../../src/webhooks/engine/claim.ts";
import { type Usage, type Lane, Slots } from "../../src/webhooks/engine/slots.ts";
import { freshDatabase } from "../support/database.ts";
import { happen, makeLiveEndpoint, takeDue } from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { meanwhile } from "../support/together.ts";

/** The order in which deliveries are claimed, and the work that a claim leaves. */

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;
afterEach(() => db`delete from webhook_queue`);

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** An account with one receiver and `count` due deliveries, one second apart. */
async function accountWith(deliveries: number, secondsAgo = 0): Promise<string> {
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: `https://${id}.example/` });
  for (const _ of times(deliveries)) await happen(db, id);
  await db`
    update webhook_queue queue set due_at = now() - (${secondsAgo}::integer + place) * interval '1 second'
    from (select delivery_id, row_number() over (order by delivery_id)::integer as place from webhook_queue
      where account_id = ${id}) placed
    where queue.account_id = ${id} and queue.delivery_id = placed.delivery_id`;
  return id;
}

const noUsage: Usage = new Slots().usage();

const claimUpTo = (limit: number, usage: Partial<Usage> = {}) =>
  claim(db, { lease: newId(), limit, usage: { ...noUsage, ...usage }, after: undefined });

const countsOf = (claimed: readonly Claimed[]) =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ accountId }) => accountId)].map(([id, of]) => [id, of.length]),
  );

const ofAccount = (claimed: readonly Claimed[], accountId: string) =>
  claimed
    .filter((one) => one.accountId === accountId)
    .map(({ deliveryId }) => deliveryId)
    .sort();

/** The deliveries of an account that are due for longest. */
async function oldestOf(accountId: string, count: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select delivery_id as id from webhook_queue where account_id = ${accountId} order by due_at limit ${count}`;
  return rows.map(({ id }) => id).sort();
}

test("a claim takes equally many of the oldest deliveries from each receiver", async () => {
  const long = await accountWith(20, 1_000);
  const others = await Promise.all(times(4).map(() => accountWith(4)));
  const oldest = await oldestOf(long, 2);
  const { claimed } = await claimUpTo(10);
  assert.deepEqual(countsOf(claimed), Object.fromEntries([long, ...others].map((id) => [id, 2])));
  assert.deepEqual(ofAccount(claimed, long), oldest);
});

test("if a claim cannot take everything, the youngest deliveries are left for the next claim", async () => {
  const [young, ...old] = [
    await accountWith(3),
    await accountWith(3, 100),
    await accountWith(3, 200),
    await accountWith(3, 300),
  ];
  const oldest = await oldestOf(young, 1);
  const { claimed } = await claimUpTo(10);
  assert.deepEqual(countsOf(claimed), {
    [young]: 1,
    ...Object.fromEntries(old.map((id) => [id, 3])),
  });
  assert.deepEqual(ofAccount(claimed, young), oldest);
});

test("a claim reports whether a receiver has more due deliveries", async () => {
  const id = await accountWith(3);
  const [row] = await db<{ endpointId: string }[]>`
    select endpoint_id as "endpointId" from webhook_queue where account_id = ${id} limit 1`;
  const { endpointId } = row ?? assert.fail();
  const full = await claimUpTo(10, { endpoints: new Map([[endpointId, noUsage.endpointShare]]) });
  assert.deepEqual([full.claimed.length, full.leftWork], [0, true], "it has all that it may have");
  const one = await claimUpTo(10, { endpointShare: 1 });
  assert.deepEqual([one.claimed.length, one.leftWork], [1, true], "it may have one");
  const rest = await claimUpTo(10);
  assert.deepEqual([rest.claimed.length, rest.leftWork], [2, false]);
});

test("a claim reports whether an account has more due deliveries than its share", async () => {
  const { id } = await makeAccount(db);
  for (const index of times(3))
    await makeLiveEndpoint(db, id, { url: `https://${id}.example/${index}` });
  await happen(db, id);
  const { claimed, leftWork } = await claimUpTo(10, { accountShare: 2 });
  assert.deepEqual([claimed.length, leftWork], [2, true]);
});

test("a claim that stops at its limit of receivers continues behind them in the next claim", async () => {
  const { id } = await makeAccount(db);
  for (const index of times(103))
    await makeLiveEndpoint(db, id, { url: `https://${id}.example/${index}` });
  await happen(db, id);
  const walk = (after: Lane | undefined) =>
    claim(db, { lease: newId(), limit: 10, usage: noUsage, after });
  const places = await db<{ endpointId: string }[]>`
    select endpoint_id as "endpointId" from webhook_queue where account_id = ${id} order by endpoint_id`;
  const { stoppedAt } = await walk(undefined);
  assert.deepEqual(stoppedAt, { accountId: id, ...places[99] });
  const rest = await walk(stoppedAt);
  assert.deepEqual(
    rest.claimed.map(({ endpointId }) => endpointId).sort(),
    places.slice(100).map(({ endpointId }) => endpointId),
  );
  assert.equal(rest.stoppedAt, undefined);
});

test("a claim skips rows that another worker has locked and does not wait", async () => {
  const [id, other] = [await accountWith(2), await accountWith(1)];
  await db.begin(id, async (tx) => {
    await tx`
      select from webhook_queue where account_id = ${id} order by due_at limit 1 for update`;
    assert.deepEqual(countsOf(await takeDue(db)), { [id]: 1, [other]: 1 });
  });
  assert.deepEqual(countsOf(await takeDue(db)), { [id]: 1 });
});

test("the times of a claim are taken before its rows and its endpoint are read", async () => {
  for (const [table, clock] of [
    ["webhook_queue", "receivedAt"],
    ["webhook_endpoints", "readAt"],
  ] as const) {
    await accountWith(1);
    let waited = 0;
    const [claimed] = await meanwhile(
      db,
      (tx) => tx`lock table ${tx(table)} in access exclusive mode`,
      () => takeDue(db),
      async () => {
        waited = performance.now();
      },
    );
    assert.ok(claimed && claimed[clock] <= waited, clock);
  }
});
