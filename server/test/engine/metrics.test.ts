import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { wake } from "../../src/events/wake.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import { bucketOf, latenciesOf } from "../../src/webhooks/history/metrics.ts";
import {
  deliveriesOf,
  engineStage,
  happen,
  makeDue,
  makeLiveEndpoint,
  observed,
} from "../support/engine.ts";
import { makeAccount, makeEndpoint } from "../support/make.ts";
import { type Behaviour, ok, saying } from "../support/receiver.ts";

const { newDatabase, newEngine, newReceiver } = engineStage();
const { db, url } = await newDatabase();
newEngine(url);
const receiver = await newReceiver();
const { id: account } = await makeAccount(db);
const { id: otherAccount } = await makeAccount(db);

interface Hour {
  hoursAgo: number;
  latenciesMs: readonly number[];
  retries?: number;
  succeeded?: number;
  failed?: number;
}

interface Window {
  "attempts": number;
  "retries": number;
  "succeeded": number;
  "failed": number;
  "success-rate": number | null;
  "attempt-success-rate": number | null;
  "latency-ms": Record<"average" | "p50" | "p95" | "p99", number | null>;
}

async function makeHour(accountId: string, endpointId: string, hour: Hour): Promise<void> {
  const { hoursAgo, latenciesMs, retries = 0, succeeded = 0, failed = 0 } = hour;
  const sum = latenciesMs.reduce((total, each) => total + each, 0);
  await db`
    insert into webhook_hours values (${accountId}, ${endpointId},
      date_trunc('hour', now(), 'UTC') - ${hoursAgo} * interval '1 hour', ${latenciesMs.length}, ${retries},
      ${succeeded}, ${failed}, ${sum}, ${latenciesOf(latenciesMs)}::int[])`;
}

async function metricsOf(accountId: string, endpointId: string): Promise<Record<string, Window>> {
  const [row] = await db<{ metrics: Record<string, Window> }[]>`
    select webhook_metrics(${accountId}, ${endpointId}) as metrics`;
  return row?.metrics ?? {};
}

const nothing = {
  "attempts": 0,
  "retries": 0,
  "succeeded": 0,
  "failed": 0,
  "success-rate": null,
  "attempt-success-rate": null,
  "latency-ms": { average: null, p50: null, p95: null, p99: null },
};

test("an endpoint without attempts has counts of zero and null latencies", async () => {
  const endpoint = await makeEndpoint(db, account);
  assert.deepEqual(await metricsOf(account, endpoint), { "24h": nothing, "7d": nothing });
});

test("metrics cover the current hour and the 23 or 167 hours before it", async () => {
  const endpoint = await makeEndpoint(db, account);
  for (const hoursAgo of [0, 23, 24, 167, 168])
    await makeHour(account, endpoint, { hoursAgo, latenciesMs: [1] });
  const metrics = await metricsOf(account, endpoint);
  assert.equal(metrics["24h"]?.attempts, 2);
  assert.equal(metrics["7d"]?.attempts, 4);
});

test("the metrics match figures computed by hand", async () => {
  const endpoint = await makeEndpoint(db, account);
  // Eighteen of 21 to 50 ms, one of 101 to 200 and one that timed out.
  const quick = Array.from({ length: 18 }, () => 30);
  await makeHour(account, endpoint, {
    hoursAgo: 0,
    latenciesMs: quick,
    retries: 2,
    succeeded: 18,
    failed: 0,
  });
  await makeHour(account, endpoint, {
    hoursAgo: 5,
    latenciesMs: [160, 10_020],
    retries: 1,
    succeeded: 1,
    failed: 2,
  });
  const { "24h": day } = await metricsOf(account, endpoint);
  assert.deepEqual(day, {
    "attempts": 20,
    "retries": 3,
    "succeeded": 19,
    "failed": 2,
    "success-rate": 0.9048,
    "attempt-success-rate": 0.95,
    "latency-ms": {
      // (18 × 30 + 160 + 10,020) / 20
      average: 536,
      // The 10th of 18 between 20 and 50: 20 + 30 × 10/18
      p50: 37,
      // The 19th is the whole of its bucket.
      p95: 200,
      p99: 10_000,
    },
  });
});

test("metrics are separate per endpoint and account", async () => {
  const [endpoint, another] = [await makeEndpoint(db, account), await makeEndpoint(db, account)];
  await makeHour(account, another, { hoursAgo: 0, latenciesMs: [1] });
  assert.equal((await metricsOf(account, endpoint))["7d"]?.attempts, 0);
  assert.equal((await metricsOf(otherAccount, another))["7d"]?.attempts, 0);
});

/** Percentiles use the nearest rank, so the 95th of 100 attempts is the 95th percentile. */
const nearestRank = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;

const edges = [0, ...webhookLimits.latencyBoundsMs];

function assertMeasured(
  latency: Window["latency-ms"] | undefined,
  sorted: readonly number[],
): void {
  const sum = sorted.reduce((total, each) => total + each, 0);
  assert.ok(Math.abs((latency?.average ?? -1) - sum / sorted.length) <= 0.5);
  for (const [name, share] of [
    ["p50", 0.5],
    ["p95", 0.95],
    ["p99", 0.99],
  ] as const) {
    const bucket = bucketOf(nearestRank(sorted, share));
    const [lower, upper] = [edges[bucket] ?? 0, edges[bucket + 1] ?? edges.at(-1) ?? 0];
    const told = latency?.[name] ?? -1;
    assert.ok(lower <= told && told <= upper, `${name}: ${told} in ${lower} to ${upper}`);
  }
}

test("percentiles are in the bucket of the attempts they stand for", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 11_000 })), {
          maxLength: 40,
        }),
        { minLength: 1, maxLength: 5 },
      ),
      async (hours) => {
        const endpoint = await makeEndpoint(db, account);
        for (const [hoursAgo, latenciesMs] of hours.entries())
          await makeHour(account, endpoint, { hoursAgo, latenciesMs });
        const sorted = hours.flat().sort((a, b) => a - b);
        const { "24h": day } = await metricsOf(account, endpoint);
        const latency = day?.["latency-ms"];
        assert.equal(day?.attempts, sorted.length);
        if (sorted.length === 0) return assert.equal(latency?.average, null);
        assertMeasured(latency, sorted);
      },
    ),
    { numRuns: 60 },
  );
});

/** Responds after a few milliseconds, because a duration of zero looks like no measurement. */
const slowly =
  (then: Behaviour): Behaviour =>
  async (line, request) => {
    const due = performance.now() + 5;
    while (performance.now() < due) await setImmediate();
    await then(line, request);
  };

test("attempts are counted by outcome, with their latency", async () => {
  const { id } = await makeAccount(db);
  const endpoint = await makeLiveEndpoint(db, id, { url: `${receiver.url}/${id}` });
  const attempt = async (behaviour: Behaviour, act: () => Promise<unknown>): Promise<void> => {
    receiver.behave(slowly(behaviour));
    const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
    await act();
    await finished;
  };
  await attempt(ok, () => happen(db, id));
  await attempt(saying(404), () => happen(db, id));
  await attempt(saying(500), () => happen(db, id));
  for (let retry = 1; retry <= 7; retry++)
    await attempt(saying(500), async () => {
      await makeDue(db, id);
      await sweep(db);
      wake();
    });

  const deliveries = await deliveriesOf(db, id);
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ["delivered", "failed-permanent", "exhausted"],
  );
  const attempts = await db<{ ms: number }[]>`
    select duration_ms as ms from webhook_attempts where account_id = ${id} order by duration_ms`;
  const took = attempts.map(({ ms }) => ms);
  const metrics = await metricsOf(id, endpoint.id);
  for (const window of ["24h", "7d"]) {
    const { "latency-ms": latency, ...counts } = metrics[window] ?? assert.fail(window);
    assert.deepEqual(counts, {
      "attempts": 10,
      "retries": 7,
      "succeeded": 1,
      "failed": 2,
      "success-rate": 0.3333,
      "attempt-success-rate": 0.1,
    });
    assert.ok((latency.average ?? 0) > 0);
    assertMeasured(latency, took);
  }
});
