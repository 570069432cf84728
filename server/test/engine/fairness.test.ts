import assert from "node:assert/strict";
import { test } from "node:test";
import { engineStage, happen, makeLiveEndpoint, observed } from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { hanging } from "../support/receiver.ts";

/** A hanging receiver holds its slots for ten seconds. It must not delay any other receiver. */

/** Each test has its own database, because an engine claims everything that is due. */
const { newDatabase, newEngine, newReceiver } = engineStage();

const shares = { slots: 40, perEndpoint: 8, perAccount: 16 };

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

test("a receiver that hangs with 500 due deliveries gets its share of the slots and delays no other", async () => {
  const { db, url } = await newDatabase();
  const [dead, alive] = await Promise.all([newReceiver({ behaviour: hanging }), newReceiver()]);
  // These deliveries are the oldest, so every claim sees them first.
  const victim = await makeAccount(db);
  await makeLiveEndpoint(db, victim.id, { url: dead.url });
  for (const _ of times(500)) await happen(db, victim.id);
  const others = await Promise.all(times(5).map(() => makeAccount(db)));
  for (const { id } of others) await makeLiveEndpoint(db, id, { url: `${alive.url}/${id}` });
  for (const { id } of others) for (const _ of times(20)) await happen(db, id);

  const delivered = observed("attempt-finished", 100, (one) => one.status === "delivered");
  newEngine(url, { shares });
  const finished = await delivered;
  assert.deepEqual(
    new Set(finished.map((one) => one.accountId)),
    new Set(others.map(({ id }) => id)),
  );
  assert.equal(dead.requests.length, shares.perEndpoint, "none of its attempts is over");
});

test("an account with many hanging receivers gets its share, and other accounts get theirs", async () => {
  const { db, url } = await newDatabase();
  const [dead, alive] = await Promise.all([newReceiver({ behaviour: hanging }), newReceiver()]);
  const victim = await makeAccount(db);
  for (const index of times(10))
    await makeLiveEndpoint(db, victim.id, { url: `${dead.url}/${index}` });
  for (const _ of times(20)) await happen(db, victim.id);
  const other = await makeAccount(db);
  await makeLiveEndpoint(db, other.id, { url: alive.url });
  for (const _ of times(50)) await happen(db, other.id);

  const delivered = observed("attempt-finished", 50, (one) => one.accountId === other.id);
  newEngine(url, { shares });
  await delivered;
  assert.equal(dead.requests.length, shares.perAccount);
});

test("an account with more hanging receivers than a claim scans blocks no other account", async () => {
  const { db, url } = await newDatabase();
  const [dead, alive] = await Promise.all([newReceiver({ behaviour: hanging }), newReceiver()]);
  const victim = await makeAccount(db);
  for (const index of times(120))
    await makeLiveEndpoint(db, victim.id, { url: `${dead.url}/${index}` });
  await happen(db, victim.id);
  const other = await makeAccount(db);
  await makeLiveEndpoint(db, other.id, { url: alive.url });
  for (const _ of times(20)) await happen(db, other.id);

  const delivered = observed("attempt-finished", 20, (one) => one.accountId === other.id);
  newEngine(url, { shares });
  await delivered;
  assert.equal(dead.requests.length, shares.perAccount);
});

test("when few slots are free, each receiver gets one and each account two", async () => {
  const { db, url } = await newDatabase();
  const dead = await newReceiver({ behaviour: hanging });
  // Two accounts at their limit hold 32 of 40 slots.
  const greedy = await Promise.all(times(2).map(() => makeAccount(db)));
  for (const { id } of greedy)
    for (const index of times(4))
      await makeLiveEndpoint(db, id, { url: `${dead.url}/greedy/${id}/${index}` });
  for (const { id } of greedy) for (const _ of times(10)) await happen(db, id);
  newEngine(url, { shares });
  await dead.received(32);

  const late = await Promise.all(times(3).map(() => makeAccount(db)));
  for (const { id } of late)
    for (const index of times(3))
      await makeLiveEndpoint(db, id, { url: `${dead.url}/late/${id}/${index}` });
  for (const { id } of late) for (const _ of times(5)) await happen(db, id);
  await dead.received(38);
  const paths = dead.requests.map(({ path }) => path).filter((path) => path.includes("/late/"));
  assert.equal(new Set(paths).size, 6, "one for each of their receivers");
  for (const { id } of late)
    assert.equal(paths.filter((path) => path.includes(id)).length, 2, "two for each account");
});
