import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { TestClock } from "pg-boss";
import { HOUR, MINUTE, SECOND } from "../../src/base/clock.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { type Job, startJobs } from "../../src/jobs/jobs.ts";
import { freshDatabase } from "../support/database.ts";

/** Jobs on a real database. The test moves the clock of pg-boss, in this process and in the database. */

/** As long as a poll. */
const STEP_MS = MINUTE / 2;

async function setUp(context: TestContext, job: Job) {
  const database = await freshDatabase("a job runs once in a whole database");
  const clock = new TestClock("2026-11-20T10:00:30Z");
  const seen: Observation[] = [];
  const stopObserving = onObservation((one) => {
    if (one.kind.startsWith("job-")) seen.push(one);
  });
  const stops: (() => Promise<void>)[] = [];
  context.after(async () => {
    for (const stop of stops) await stop();
    stopObserving();
    await database.close();
  });

  const scheduleVersion = async () => {
    const rows = await database.db<{ xmin: string }[]>`
      select xmin::text from pgboss.schedule`.catch(() => []);
    return rows[0]?.xmin;
  };
  /** Starts another node, and waits until it has written the schedule. */
  const startNode = async () => {
    const before = await scheduleVersion();
    const stop = startJobs({
      databaseUrl: database.url,
      db: database.db,
      jobs: [job],
      queues: [],
      services: {},
      clock,
      name: "test-jobs",
      delayMs: 0,
      stopMsMax: SECOND,
    });
    stops.push(stop);
    while ((await scheduleVersion()) === before) await turn();
    return stop;
  };
  const pass = async (ms: number, until: () => boolean = () => false) => {
    for (let passed = 0; passed < ms && !until(); passed += STEP_MS) {
      await clock.tick(STEP_MS);
      await turn();
    }
  };
  return { database, pass, seen, startNode };
}

const hourly = (name: string, run: Job["run"]): Job => ({ name, schedule: "5 * * * *", run });

test("a job runs by its schedule, once on two nodes", async (context) => {
  let runs = 0;
  const job = hourly("counted", async () => (runs += 1));
  const { pass, seen, startNode } = await setUp(context, job);
  await startNode();
  await startNode();
  await pass(4 * MINUTE);
  assert.equal(runs, 0);
  await pass(HOUR + 3 * MINUTE);
  assert.equal(runs, 2);
  assert.deepEqual(seen[0], { kind: "job-finished", job: "counted", rows: 1 });
});

test("a failed job is reported and retried", async (context) => {
  let runs = 0;
  const job = hourly("failing", async () => {
    runs += 1;
    if (runs < 3) throw new Error("not yet");
    return 7;
  });
  const { pass, seen, startNode } = await setUp(context, job);
  await startNode();
  await pass(30 * MINUTE);
  assert.deepEqual(
    seen.map(({ kind }) => kind),
    ["job-failed", "job-failed", "job-finished"],
  );
});

test("a stop waits for the running job", async (context) => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<number>();
  const job = hourly("slow", () => {
    begun.resolve();
    return end.promise;
  });
  const { pass, seen, startNode } = await setUp(context, job);
  const stop = await startNode();
  let running = false;
  void begun.promise.then(() => (running = true));
  await pass(HOUR, () => running);
  const stopped = stop();
  end.resolve(1);
  await stopped;
  assert.deepEqual(seen, [{ kind: "job-finished", job: "slow", rows: 1 }]);
});

test("a stop cuts off a job that takes too long, and another node repeats it", async (context) => {
  let runs = 0;
  const job = hourly("endless", () => {
    runs += 1;
    return runs === 1 ? new Promise<never>(() => undefined) : Promise.resolve(0);
  });
  const { pass, startNode } = await setUp(context, job);
  const stop = await startNode();
  await pass(HOUR, () => runs === 1);
  await stop();
  assert.equal(runs, 1);
  await startNode();
  await pass(HOUR / 2, () => runs === 2);
  assert.equal(runs, 2);
});

test("jobs run again after the database was unreachable", async (context) => {
  let runs = 0;
  const job = hourly("outliving", async () => (runs += 1));
  const { database, pass, startNode } = await setUp(context, job);
  await startNode();
  await pass(HOUR, () => runs === 1);
  await database.goAway();
  await database.comeBack();
  await pass(2 * HOUR, () => runs === 2);
  assert.equal(runs, 2);
});
