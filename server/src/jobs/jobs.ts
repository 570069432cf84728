import { setTimeout as wait } from "node:timers/promises";
import type { JobWithMetadata, PgBoss } from "pg-boss";
import { MINUTE, SECOND } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import type { Db } from "../store/db.ts";
import { type BossOptions, createBoss, POLL_SECONDS, report } from "./boss.ts";
import { type JobContext, type Queue, settingsOf } from "./queues.ts";

/** Scheduled work. One node does it, whichever fetches it first from its queue. */
export interface Job {
  /** Also the name of its queue. */
  name: string;
  /** Minute, hour, day of the month, month and day of the week, as in crontab, in UTC. */
  schedule: string;
  /** Returns the number of rows it changed. `whole` leads to all servers of the installation. */
  run: (db: Db, whole?: Db) => Promise<number>;
  /** Only servers of this kind have the work. Most installations have one server and none of it. */
  only?: "beside the home" | "one of several";
}

export interface JobsOptions<Services> extends BossOptions {
  /** The pool that jobs use. The queues have connections of their own. */
  db: Db;
  /** The pools of all servers, if there are several. */
  whole?: Db;
  jobs: readonly Job[];
  queues: readonly Queue<Services>[];
  /** Passed to the runs of queued jobs with their context. */
  services: Services;
  /** The wait before the queues start. Loading pg-boss takes a tenth of a second, which a start should not pay. */
  delayMs: number;
  /** A stop waits this long for running jobs. A job that it cuts off counts as failed and is retried. */
  stopMsMax: number;
}

const RETRIES = 3;
const RETRY_DELAY_SECONDS = 60;
/** The wait between attempts to set up the queues, for example during a database outage. */
const SETUP_RETRY_MS = MINUTE / 2;

/**
 * Starts the queues in the background, so that the service does not wait for them, and returns the function that stops
 * them.
 *
 * pg-boss creates and upgrades its tables in the schema `pgboss`. It has its own pool, because its scripts can leave a
 * connection in a failed transaction and it then closes that connection.
 */
export function startJobs<Services>(options: JobsOptions<Services>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let boss: PgBoss | undefined;
  const start = async () => {
    await wait(options.delayMs, undefined, { signal, ref: false });
    boss = await createBoss(options);
    await setUp(boss, options, signal);
  };
  void start().catch((error: unknown) => {
    if (!signal.aborted) report(error);
  });
  return async () => {
    stopping.abort();
    const { stopMsMax } = options;
    const stopped = boss?.stop({ timeout: stopMsMax }).catch(report);
    // Without this limit an unreachable database could delay the stop by minutes.
    await Promise.race([stopped, wait(stopMsMax + 2 * SECOND, undefined, { ref: false })]);
  };
}

async function setUp<Services>(
  boss: PgBoss,
  options: JobsOptions<Services>,
  signal: AbortSignal,
): Promise<void> {
  const { db, queues, whole = db } = options;
  const jobs = options.jobs.filter(
    ({ only }) => !only || (only === "beside the home" ? db.home : whole.servers.length > 1),
  );
  for (;;) {
    signal.throwIfAborted();
    try {
      await boss.start();
      for (const { name, schedule } of jobs) {
        // A run that takes longer than its interval delays the next one. Two never overlap.
        await boss.createQueue(name, { policy: "exclusive" });
        await boss.schedule(name, schedule, null, {
          missed: "once",
          retryLimit: RETRIES,
          retryDelay: RETRY_DELAY_SECONDS,
        });
      }
      for (const queue of queues) {
        await boss.createQueue(queue.name);
        await boss.updateQueue(queue.name, settingsOf(queue));
      }
      break;
    } catch (error) {
      if (!signal.aborted) report(error);
      await wait(SETUP_RETRY_MS, undefined, { signal, ref: false });
    }
  }
  for (const job of jobs)
    await boss.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, () =>
      runJob(db, job, whole),
    );
  for (const queue of queues) await workOn(boss, queue, options);
}

/** Runs the jobs of a queue. Those that were fetched together succeed or fail apart, unless the queue merges them. */
async function workOn<Services>(
  boss: PgBoss,
  queue: Queue<Services>,
  { db, services }: JobsOptions<Services>,
): Promise<void> {
  const options = {
    batchSize: queue.atOnce,
    burstWhenBatchFull: true,
    includeMetadata: true,
    perJobResults: true,
    pollingIntervalSeconds: queue.pollSeconds,
  } as const;
  await boss.work(queue.name, options, async (fetched: JobWithMetadata<object>[]) => {
    const results = await Promise.all(
      groupsOf(queue, fetched).map(async ({ jobs, runs }) => {
        const [{ id: jobId }] = jobs;
        const isLastTry = jobs.every(({ retryCount, retryLimit }) => retryCount >= retryLimit);
        const signal = AbortSignal.any(jobs.map((job) => job.signal));
        const context = { ...services, db, jobId, isLastTry, signal };
        let succeeded = true;
        for (const data of runs) succeeded &&= await runQueued(queue, context, data);
        const status = succeeded ? ("completed" as const) : ("failed" as const);
        return jobs.map(({ id }) => ({ id, status }));
      }),
    );
    return results.flat();
  });
}

type Fetched = JobWithMetadata<object>;

interface Group {
  jobs: readonly [Fetched, ...Fetched[]];
  /** The data of each run. */
  runs: readonly object[];
}

/** Without `together`, each job is a group by itself. */
function groupsOf({ together }: Queue<never>, fetched: readonly Fetched[]): readonly Group[] {
  const groups = new Map<string, [Fetched, ...Fetched[]]>();
  for (const job of fetched) {
    const key = together?.key(job.data) ?? job.id;
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
  }
  return [...groups.values()].map((jobs) => {
    const [{ data }, ...others] = jobs;
    const all = [data, ...others.map((job) => job.data)] as const;
    return { jobs, runs: together?.merge(all) ?? [data] };
  });
}

/** Runs a queued job and observes its result. Errors are logged and not stored, because they may contain personal data. */
async function runQueued<Services>(
  { name, run }: Queue<Services>,
  context: JobContext & Services,
  data: object,
): Promise<boolean> {
  try {
    await run(context, data);
    observe({ kind: "job-finished", job: name, rows: 1 });
    return true;
  } catch (error) {
    observe({ kind: "job-failed", job: name, error });
    return false;
  }
}

/** Runs a job and observes its result. The error of a failed run makes pg-boss retry it. */
export async function runJob(db: Db, { name, run }: Job, whole = db): Promise<void> {
  try {
    observe({ kind: "job-finished", job: name, rows: await run(db, whole) });
  } catch (error) {
    observe({ kind: "job-failed", job: name, error });
    throw error;
  }
}
