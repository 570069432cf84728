import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ServiceRole } from "../../src/app/service.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { spawnVestry } from "../support/command.ts";
import { freePort } from "../../src/store/embedded.ts";
import { freshDatabase } from "../support/database.ts";
import {
  deliveriesOf,
  happen,
  makeDue,
  makeLiveEndpoint,
  observed,
  startTestEngine,
} from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import {
  gate,
  hanging,
  ok,
  type Receiver,
  type ReceiverOptions,
  saying,
  startReceiver,
  testAuthority,
} from "../support/receiver.ts";
import { FIRST_PARTY } from "../support/service.ts";
import { untilWaiting } from "../support/together.ts";

/** Kills a process at each stage of a delivery. Another process must finish the work. */

const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const directory = await mkdtemp(join(tmpdir(), "vestry-killed-"));
cleanups.push(() => rm(directory, { recursive: true, force: true }));
const authority = join(directory, "authority.pem");
await writeFile(authority, testAuthority().cert);
const port = await freePort();

const database = await freshDatabase("the engine takes the work of every account");
cleanups.push(() => database.close());
const { db } = database;

function serve(role: ServiceRole): ChildProcess {
  const child = spawnVestry(["serve", "--role", role], {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: String(port),
    ORIGINS: FIRST_PARTY,
    METRICS_PORT: "off",
    LOG_LEVEL: "fatal",
    // The key of the tests' cipher, which encrypted the endpoints' secrets.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    WEBHOOK_CA_FILE: authority,
  });
  cleanups.push(() => child.kill("SIGKILL"));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

interface Scene {
  readonly accountId: string;
  readonly receiver: Receiver;
  /** Starts the worker, which has no other work. */
  readonly start: () => ChildProcess;
}

interface Stage {
  /** The behaviour of the receiver. */
  readonly receiver?: ReceiverOptions;
  /** Brings a worker to this stage and kills it. */
  readonly reach: (scene: Scene) => Promise<void>;
  /** Requests of the killed worker that reached the receiver. */
  readonly requests: 0 | 1;
}

const called = Promise.withResolvers<void>();
const answered = gate();
const settling = gate();

const stages: Readonly<Record<string, Stage>> = {
  "after the claim": {
    // After the claim, the worker reads the endpoint of the delivery.
    reach: ({ accountId, start }) =>
      db.begin(accountId, async (tx) => {
        await tx`lock table webhook_endpoints in access exclusive mode`;
        const worker = start();
        while ((await leaseOf(accountId)) === undefined);
        await kill(worker);
      }),
    requests: 0,
  },
  "before it sends the request": {
    receiver: {
      onConnection(_socket, number) {
        called.resolve();
        return number === 1;
      },
    },
    async reach({ start }) {
      const worker = start();
      await called.promise;
      await kill(worker);
    },
    requests: 0,
  },
  "before the response arrives": {
    receiver: { behaviour: hanging },
    async reach({ receiver, start }) {
      const worker = start();
      await receiver.received(1);
      await kill(worker);
    },
    requests: 1,
  },
  "before it records the response": {
    receiver: { behaviour: answered.behaviour },
    async reach({ accountId, receiver, start }) {
      const worker = start();
      await receiver.received(1);
      await db.begin(accountId, async (tx) => {
        await tx`select from webhook_queue where account_id = ${accountId} for update`;
        answered.open();
        await untilWaiting(db, 1);
        await kill(worker);
      });
    },
    requests: 1,
  },
  "before it commits the result": {
    receiver: { behaviour: settling.behaviour },
    async reach({ accountId, receiver, start }) {
      const worker = start();
      await receiver.received(1);
      await db.begin(accountId, async (tx) => {
        await tx`select from webhook_deliveries where account_id = ${accountId} for update`;
        settling.open();
        await untilWaiting(db, 1);
        await kill(worker);
      });
    },
    requests: 1,
  },
};

/** The length of the lease by the database's clock, or undefined if there is no lease. */
async function leaseOf(accountId: string): Promise<{ ms: number } | undefined> {
  const [lease] = await db<{ ms: number }[]>`
    select extract(epoch from due_at - leased_at)::float8 * 1000 as ms from webhook_queue
    where account_id = ${accountId} and lease is not null`;
  return lease;
}

const finishedFor = (accountId: string) =>
  observed("attempt-finished", 1, (one) => one.accountId === accountId);

async function newScene(options?: ReceiverOptions): Promise<Scene> {
  const receiver = await startReceiver(options);
  cleanups.push(() => receiver.close());
  const { id: accountId } = await makeAccount(db);
  await makeLiveEndpoint(db, accountId, { url: receiver.url });
  await happen(db, accountId);
  return { accountId, receiver, start: () => serve("worker") };
}

for (const [what, { reach, receiver: options, requests }] of Object.entries(stages))
  test(`if a worker is killed ${what}, the same message is sent again after its lease ends`, async () => {
    const scene = await newScene(options);
    const { accountId, receiver } = scene;
    await reach(scene);
    assert.equal(receiver.requests.length, requests);
    assert.equal((await leaseOf(accountId))?.ms, webhookLimits.leaseMs);
    receiver.behave(ok);

    // Another worker handles new work and leaves this delivery until its lease ends.
    const engine = startTestEngine(database.url, { pollMs: 20 });
    cleanups.push(() => engine.stop());
    let finished = finishedFor(accountId);
    await happen(db, accountId);
    await finished;
    assert.equal(receiver.requests.length, requests + 1);
    finished = finishedFor(accountId);
    await makeDue(db, accountId);
    await finished;
    await engine.stop();

    const [delivery, other, ...more] = await deliveriesOf(db, accountId);
    assert.ok(delivery && other && more.length === 0);
    for (const { attemptCount, queued, status } of [delivery, other])
      assert.deepEqual([status, attemptCount, queued], ["delivered", 1, false]);
    assert.deepEqual(
      delivery.attempts.map(({ number, sequence, state }) => [sequence, number, state]),
      [
        [1, 1, "abandoned"],
        [2, 1, "completed"],
      ],
    );
    const sent = receiver.requests.filter(
      ({ headers }) => headers["x-svc-delivery-id"] === delivery.id,
    );
    assert.equal(sent.length, requests + 1);
    assert.equal(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, 1);
    const [events] = await db`
      select count(*)::integer as count from webhook_events where account_id = ${accountId}`;
    assert.equal(events?.["count"], 2);
  });

test("a worker that is killed after it settled leaves the result and the next attempt to another worker", async () => {
  const { accountId, receiver, start } = await newScene({ behaviour: saying(503) });
  const worker = start();
  for (let status = "pending"; status === "pending"; )
    status = (await deliveriesOf(db, accountId))[0]?.status ?? "";
  await kill(worker);
  receiver.behave(ok);

  const finished = finishedFor(accountId);
  const engine = startTestEngine(database.url, { pollMs: 20 });
  cleanups.push(() => engine.stop());
  await makeDue(db, accountId);
  await finished;
  await engine.stop();
  const [delivery] = await deliveriesOf(db, accountId);
  assert.equal(delivery?.status, "delivered");
  assert.deepEqual(
    delivery.attempts.map(({ code, number, sequence, state }) => [sequence, number, state, code]),
    [
      [1, 1, "completed", "http-503"],
      [2, 2, "completed", null],
    ],
  );
  assert.equal(receiver.requests.length, 2);
});

test("an API that is killed after its response loses no event and sends it once", async () => {
  const account = await makeAccount(db);
  const receiver = await startReceiver();
  cleanups.push(() => receiver.close());
  await makeLiveEndpoint(db, account.id, { url: receiver.url, events: ["person.updated"] });
  const { id, token } = account.administrator;
  const body = JSON.stringify({
    data: { type: "people", id, attributes: { occupation: "Nurse" } },
  });
  const write = () =>
    fetch(`http://127.0.0.1:${port}/v1/people/${id}`, {
      method: "PATCH",
      headers: {
        "Origin": FIRST_PARTY,
        "Authorization": `Bearer ${token}`,
        "Content-Type": "application/vnd.api+json",
      },
      body,
    });

  const api = serve("api");
  let answer: Response | undefined;
  while (!answer) answer = await write().catch(() => undefined);
  await kill(api);
  assert.equal(answer.status, 200);

  const finished = finishedFor(account.id);
  const engine = startTestEngine(database.url, { pollMs: 20 });
  cleanups.push(() => engine.stop());
  await finished;
  await engine.stop();
  const deliveries = await deliveriesOf(db, account.id);
  assert.deepEqual(
    deliveries.map(({ queued, status }) => [status, queued]),
    [["delivered", false]],
  );
  assert.equal(receiver.requests.length, 1);
});
