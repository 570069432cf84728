import assert from "node:assert/strict";
import { afterEach, type TestContext, test } from "node:test";
import { startLog } from "../../src/app/log.ts";
import { startMetrics } from "../../src/app/metrics.ts";
import type { Db } from "../../src/store/db.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import {
  accountAt,
  attemptsFor,
  deliveryOf,
  engineStage,
  happen,
  loseLeases,
  observed,
  startTestEngine,
  takeDue,
} from "../support/engine.ts";
import { gate, ok } from "../support/receiver.ts";

/** The log has one line per attempt, and each lost lease is counted once. */

const { newDatabase, newReceiver, newWorker, endLater } = engineStage();
const database = await newDatabase();
const { db } = database;
const receiver = await newReceiver();
const worker = newWorker(db);
let said = "";
const log = startLog("info", { write: (line) => void (said += line) });
const metrics = startMetrics({ poolSize: 1 });
endLater(() => log.stop());
endLater(() => metrics.stop());
// Each test has its own database, because an engine claims everything that is due.
afterEach(() => db`delete from webhook_queue`);

async function account(path: string) {
  const { id, endpoint } = await accountAt(db, receiver, path);
  await happen(db, id);
  const { id: deliveryId } = await deliveryOf(db, id);
  return { id, of: { accountId: id, endpointId: endpoint.id, deliveryId } };
}

const members = [
  "level",
  "kind",
  "accountId",
  "endpointId",
  "deliveryId",
  "deliveryKind",
  "attempt",
  "outcome",
  "code",
  "status",
];

/** The lines about an account, without ids and times. */
const linesOf = (accountId: string) =>
  said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line["accountId"] === accountId)
    .map((line) =>
      Object.fromEntries(members.filter((one) => one in line).map((one) => [one, line[one]])),
    );

async function counted(name: string): Promise<number> {
  const line = new RegExp(`^vestry_webhook_${name} (\\d+)$`, "m").exec(await metrics.text());
  return Number(line?.[1] ?? assert.fail(`${name} is not counted`));
}

const counts = async () => ({
  lost: await counted("leases_lost_total"),
  dropped: await counted("claims_dropped_total"),
});

test("a worker that stands still after sending logs one abandoned attempt and one late result", async () => {
  const before = await counts();
  const slow = gate();
  receiver.behave(slow.behaviour);
  const { id, of } = await account("late");
  const came = receiver.requests.length + 1;
  // This engine has no free slot meanwhile.
  const late = startTestEngine(database.url, {
    shares: { slots: 1, perEndpoint: 1, perAccount: 1 },
  });
  await receiver.received(came);
  await loseLeases(db, id);
  receiver.behave(ok);
  // This engine stands for another node.
  await worker.deliver();
  const dropped = observed("claim-dropped", 1, (one) => one.accountId === id);
  slow.open();
  await dropped;
  await late.stop();

  const told = { ...of, deliveryKind: "production", attempt: 1 };
  assert.deepEqual(linesOf(id), [
    { level: "warn", kind: "attempt-abandoned", ...told, status: "blocked-system" },
    { level: "warn", kind: "claim-dropped", ...told, outcome: "success" },
  ]);
  assert.deepEqual(await counts(), { lost: before.lost + 1, dropped: before.dropped + 1 });
});

test("an attempt of a dead worker is logged once, and its lease is counted once", async () => {
  const before = await counts();
  receiver.behave(ok);
  const { id, of } = await account("dead");
  const [claimed] = await takeDue(db);
  await worker.send(claimed);
  await loseLeases(db, id);
  await sweep(db);
  const finished = attemptsFor(id);
  const engine = startTestEngine(database.url);
  await finished;
  await engine.stop();
  const told = { ...of, deliveryKind: "production", attempt: 1 };
  assert.deepEqual(linesOf(id), [
    { level: "warn", kind: "attempt-abandoned", ...told, status: "blocked-system" },
    {
      level: "info",
      kind: "attempt-finished",
      ...told,
      outcome: "success",
      status: "delivered",
    },
  ]);
  assert.deepEqual(await counts(), { lost: before.lost + 1, dropped: before.dropped });
});

test("the metrics show waiting and due deliveries, their age and the delay of each attempt", async () => {
  receiver.behave(ok);
  const [{ id }, later] = [await account("due"), await account("later")];
  await db`update webhook_queue set due_at = now() - interval '5 seconds' where account_id = ${id}`;
  await db`
    update webhook_queue set ready = false, due_at = now() + interval '1 hour' where account_id = ${later.id}`;
  const seen = observed("queue-seen");
  const full = startTestEngine(database.url, {
    shares: { slots: 0, perEndpoint: 0, perAccount: 0 },
  });
  const [queue] = await seen;
  await full.stop();
  assert.ok(queue);
  assert.deepEqual([queue.depth, queue.ready, queue.inFlight], [2, 1, 0]);
  assert.ok(queue.oldestMs >= 5_000 && queue.oldestMs < 120_000, `${queue.oldestMs} ms`);

  const finished = attemptsFor(id);
  const engine = startTestEngine(database.url);
  const [attempt] = await finished;
  await engine.stop();
  assert.ok(attempt && attempt.lagMs >= 5_000 && attempt.lagMs < 120_000, `${attempt?.lagMs} ms`);
  await loseLeases(db, later.id);
  await worker.deliver();
});

/** Moves the clock of this process forward by 45 s after the first claim has read it. */
function standingStill(to: Db, t: TestContext): Db {
  const now = performance.now.bind(performance);
  let stoodMs = 0;
  t.mock.method(performance, "now", () => now() + stoodMs);
  return new Proxy(to, {
    get(target, name, self) {
      if (name === "query") stoodMs = 45_000;
      return Reflect.get(target, name, self);
    },
  });
}

test("a worker that stands still before sending logs one line for its returned claim", async (t) => {
  const before = await counts();
  receiver.behave(ok);
  const { id, of } = await account("released");
  const came = receiver.requests.length;
  const finished = attemptsFor(id);
  const engine = startTestEngine(database.url, { wrap: (to) => standingStill(to, t) });
  await finished;
  await engine.stop();
  t.mock.restoreAll();

  const told = { ...of, deliveryKind: "production", attempt: 1 };
  assert.deepEqual(linesOf(id), [
    { level: "info", kind: "attempt-finished", ...told, outcome: "success", status: "delivered" },
  ]);
  assert.equal(receiver.requests.length, came + 1);
  assert.deepEqual(await counts(), before);
});

test("a worker that loses its lease before sending logs one line for its dropped claim", async (t) => {
  const before = await counts();
  receiver.behave(ok);
  const { id, of } = await account("never-begun");
  const dropped = observed("claim-dropped", 1, (one) => one.accountId === id);
  let isLost = false;
  const lose = async () => {
    const [leased] = await db`
      select from webhook_queue where account_id = ${id} and lease is not null`;
    if (!leased || isLost) return;
    isLost = true;
    await loseLeases(db, id);
  };
  const lost = (to: Db): Db =>
    new Proxy(standingStill(to, t), {
      get: (target, name, self) =>
        name === "begin"
          ? async (...transaction: Parameters<Db["begin"]>) => {
              await lose();
              return target.begin(...transaction);
            }
          : Reflect.get(target, name, self),
    });
  const engine = startTestEngine(database.url, { wrap: lost });
  await dropped;
  await engine.stop();
  t.mock.restoreAll();

  const told = { ...of, deliveryKind: "production", attempt: 1 };
  assert.deepEqual(linesOf(id).slice(0, 2), [
    { level: "warn", kind: "attempt-abandoned", ...told, status: "blocked-system" },
    { level: "warn", kind: "claim-dropped", ...told },
  ]);
  assert.partialDeepStrictEqual(await counts(), { dropped: before.dropped + 1 });
});
