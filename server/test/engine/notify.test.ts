import assert from "node:assert/strict";
import { test } from "node:test";
import { operator } from "../../src/access/operator.ts";
import { capture } from "../../src/events/capture.ts";
import { onWake, wake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import { connect, type Db, inTransaction } from "../../src/store/db.ts";
import { startListening, startNotifying } from "../../src/webhooks/engine/notify.ts";
import {
  deliveryOf,
  engineStage,
  makeLiveEndpoint,
  observed,
  startTestEngine,
} from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";

const { endLater, newDatabase, newReceiver } = engineStage();

function newConnection(url: string, name: string): Db {
  const db = connect(url, { max: 1, name });
  endLater(() => db.end({ timeout: 5 }));
  return db;
}

const receiver = await newReceiver();

/** Sent by another node, so no listener of this node is called. */
const happenElsewhere = (db: Db, accountId: string) =>
  inTransaction(db, accountId, (tx) =>
    capture(tx, operator(accountId), {
      type: "person.created",
      subject: { type: "people", id: newId() },
      snapshot: () => "{}",
    }),
  );

/** As another node rings: with a name that is not this one's. */
const ringElsewhere = (db: Db) => db`select pg_notify('vestry_webhooks', 'another node')`;

/** The connection of that name that hears, once it does. */
async function hearingPid(db: Db, name: string): Promise<number> {
  for (;;) {
    const [row] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = ${name} and state = 'idle' and query ilike 'listen%'`;
    if (row) return row.pid;
  }
}

const heard = () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = onWake((from) => {
    end();
    resolve(from);
  });
  return promise;
};

test("a notification of another node wakes the engine before the next poll", async () => {
  const { db, url } = await newDatabase();
  const stopHearing = await startListening(newConnection(url, "hearing"));
  endLater(stopHearing);
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  const engine = startTestEngine(url, { pollMs: 60_000 });
  endLater(() => engine.stop());
  const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
  await happenElsewhere(db, id);
  await ringElsewhere(db);
  await finished;
  assert.equal((await deliveryOf(db, id)).status, "delivered");
});

test("polling alone finds the work", async () => {
  const { db, url } = await newDatabase();
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  const engine = startTestEngine(url, { pollMs: 50 });
  endLater(() => engine.stop());
  const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
  await happenElsewhere(db, id);
  await finished;
});

test("a burst of wake-ups sends at most two notifications to other nodes", async () => {
  const { db, url } = await newDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  let rung = 0;
  // Notifications arrive in order, so a later one proves that all earlier ones arrived.
  const listening = await db.listen("vestry_webhooks", (who) =>
    who === "over" ? resolve() : rung++,
  );
  endLater(listening);
  const ringing = newConnection(url, "ringing");
  const stopRinging = startNotifying(ringing);
  for (let count = 0; count < 100; count++) wake();
  wake("elsewhere");
  await ringing`select 1`;
  await db`select pg_notify('vestry_webhooks', 'over')`;
  await promise;
  stopRinging();
  assert.ok(rung === 1 || rung === 2, `${rung} times`);
});

test("a wake-up during the pause between two notifications is sent after it", async () => {
  const { db, url } = await newDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  let rung = 0;
  const listening = await db.listen("vestry_webhooks", () => {
    if (++rung === 2) resolve();
  });
  endLater(listening);
  endLater(startNotifying(newConnection(url, "ringing")));
  wake();
  wake();
  await promise;
});

test("a node neither forwards a notification nor wakes for its own", async () => {
  const { url } = await newDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  const connection = newConnection(url, "hearing");
  let rung = 0;
  const hearing: Db = Object.assign(connection.bind(undefined), {
    ...connection,
    listen: (channel: string, heard: (payload: string) => void) =>
      connection.listen(channel, (payload) => {
        heard(payload);
        rung++;
        if (payload === "over") resolve();
      }),
  });
  endLater(await startListening(hearing));
  const ringing = newConnection(url, "ringing");
  endLater(startNotifying(ringing));
  let woken = 0;
  endLater(onWake((from) => (woken += from === "elsewhere" ? 1 : 0)));
  wake("elsewhere");
  await ringing`select pg_notify('vestry_webhooks', 'another node')`;
  wake();
  await ringing`select pg_notify('vestry_webhooks', 'over')`;
  await promise;
  assert.equal(rung, 3, "two bells of other nodes and one of its own");
  assert.equal(woken, 3, "the call above and two bells of other nodes");
});

test("a terminated listening connection is opened again", async () => {
  const { db, url } = await newDatabase();
  const stopHearing = await startListening(newConnection(url, "hearing"));
  endLater(stopHearing);
  const pid = await hearingPid(db, "hearing");
  await db`select pg_terminate_backend(${pid})`;
  while ((await hearingPid(db, "hearing")) === pid);
  const woken = heard();
  await ringElsewhere(db);
  assert.equal(await woken, "elsewhere");
});

test("a listening connection that cannot be opened is opened as soon as the database accepts it", async () => {
  const { comeBack, db, goAway, url } = await newDatabase();
  const stopHearing = await startListening(newConnection(url, "hearing"));
  endLater(stopHearing);
  await hearingPid(db, "hearing");
  await goAway();
  // As long as it takes to be refused a few times.
  const refused = newConnection(url, "refused");
  for (let count = 0; count < 5; count++)
    await assert.rejects(refused`select 1`, /not currently accepting connections/);
  await comeBack();
  await hearingPid(db, "hearing");
  const woken = heard();
  await ringElsewhere(db);
  assert.equal(await woken, "elsewhere");
});
