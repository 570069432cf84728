import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { TestClock } from "pg-boss";
import { MINUTE, now, SECOND } from "../../src/base/clock.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { prepareQueues } from "../../src/jobs/boss.ts";
import { startJobs } from "../../src/jobs/jobs.ts";
import { enqueue, type Queue } from "../../src/jobs/queues.ts";
import { inGlobalTransaction } from "../../src/store/db.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { until, workOn } from "../support/queues.ts";
import { counted } from "./counted.ts";

type Counted = typeof counted;

async function setUp(context: TestContext) {
  const database = await freshDatabase("workers take the jobs of every account");
  context.after(() => database.close());
  await prepareQueues(database.db, [counted]);
  const add = (...numbers: readonly number[]) =>
    inGlobalTransaction(database.db, (tx) =>
      enqueue(tx, counted, ...numbers.map((number) => ({ number }))),
    );
  return { add, database };
}

/** Records the calls of `run`. */
function recorded(run: Counted["run"] = async () => undefined) {
  const calls: number[] = [];
  const queue: Counted = {
    ...counted,
    async run(context, data) {
      calls.push(data.number);
      await run(context, data);
    },
  };
  return { calls, queue };
}

/** A worker with a clock that runs a minute ahead. The returned function moves it until `done`. */
function workAhead(context: TestContext, { db, url }: FreshDatabase, queue: Queue) {
  const clock = new TestClock(new Date(now() + MINUTE));
  const stop = startJobs({
    databaseUrl: url,
    db,
    jobs: [],
    queues: [queue],
    services: {},
    clock,
    name: "test-queues",
    delayMs: 0,
    stopMsMax: SECOND,
  });
  context.after(stop);
  return async (done: () => boolean) => {
    while (!done()) {
      await clock.tick(SECOND);
      await turn();
    }
  };
}

test("a job exists if and only if the transaction that added it commits", async (context) => {
  const { add, database } = await setUp(context);
  const { calls, queue } = recorded();
  const rolledBack = inGlobalTransaction(database.db, async (tx) => {
    await enqueue(tx, counted, { number: 1 });
    throw new Error("rolled back");
  });
  await assert.rejects(rolledBack, /rolled back/);
  await add(2, 3);
  await workAhead(context, database, queue)(() => calls.length === 2);
  assert.deepEqual(
    calls.toSorted((a, b) => a - b),
    [2, 3],
  );
});

test("a failed job is retried, and the jobs beside it are not", async (context) => {
  const { add, database } = await setUp(context);
  const failures: Observation[] = [];
  context.after(onObservation((one) => void (one.kind === "job-failed" && failures.push(one))));
  const lastTries: boolean[] = [];
  const { calls, queue } = recorded(async ({ isLastTry }, { number }) => {
    if (number === 1) return;
    lastTries.push(isLastTry);
    throw new Error("ana@example.org is unknown");
  });
  await add(1, 2);
  await workAhead(context, database, queue)(() => calls.length === 4);
  // pg-boss settles a job after its run.
  for (let ended = false; !ended; await turn()) {
    const [row] =
      await database.db`select from pgboss.job where name = 'counted' and state = 'failed'`;
    ended = row !== undefined;
  }
  assert.deepEqual(
    calls.toSorted((a, b) => a - b),
    [1, 2, 2, 2],
  );
  assert.deepEqual(lastTries, [false, false, true]);
  assert.equal(failures.length, 3);
  const stored = await database.db`select * from pgboss.job where name = 'counted'`;
  assert.doesNotMatch(JSON.stringify(stored), /ana@example/);
});

test("jobs of one key that are fetched together share a run, and fail together", async (context) => {
  const { add, database } = await setUp(context);
  const runs: number[] = [];
  const queue: Counted = {
    ...counted,
    together: {
      key: ({ number }) => (number % 2 === 0 ? "even" : "odd"),
      merge: (all) => [{ number: all.reduce((sum, { number }) => sum + number, 0) }],
    },
    async run(_, { number }) {
      runs.push(number);
      if (number === 2 + 4) throw new Error("the even jobs fail");
    },
  };
  await add(1, 2, 3, 4);
  workOn(context, database, [queue], {});
  const settled = () => database.db<{ number: number; state: string }[]>`
    select (data ->> 'number')::int as number, state::text from pgboss.job
    where name = 'counted' and state in ('completed', 'retry') order by 1`;
  const states = await until(async () => {
    const jobs = await settled();
    return jobs.length === 4 ? jobs.map(({ state }) => state) : undefined;
  });
  assert.deepEqual(states, ["completed", "retry", "completed", "retry"]);
  assert.deepEqual(
    runs.toSorted((a, b) => a - b),
    [1 + 3, 2 + 4],
  );
});

test("the job of a killed worker runs again on another one", async (context) => {
  const { add, database } = await setUp(context);
  await add(7);
  const script = fileURLToPath(new URL("hanging-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [script, database.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  context.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");

  const { calls, queue } = recorded();
  await workAhead(context, database, queue)(() => calls.length > 0);
  assert.deepEqual(calls, [7]);
});

test("queues are created once, by nodes that start at the same time", async (context) => {
  const { database } = await setUp(context);
  const { db } = database;
  await db`drop schema pgboss cascade`;
  await Promise.all([1, 2, 3].map(() => prepareQueues(db, [counted])));
  const rows =
    await db`select retry_limit, retry_delay, expire_seconds from pgboss.queue where name = 'counted'`;
  assert.deepEqual([...rows], [{ retry_limit: 2, retry_delay: 10, expire_seconds: 60 }]);
});

test("a job of a queue that does not exist is an error", async (context) => {
  const { database } = await setUp(context);
  const adding = inGlobalTransaction(database.db, (tx) =>
    enqueue(tx, { ...counted, name: "unknown" }, { number: 1 }),
  );
  await assert.rejects(adding, /no queue unknown/);
});
