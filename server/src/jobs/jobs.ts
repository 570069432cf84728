import { setTimeout as wait } from "node:timers/promises";
import type { Clock, ConstructorOptions, PgBoss } from "pg-boss";
import { MINUTE, SECOND } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { isDatabaseAway } from "../store/away.ts";
import { connectionConfig } from "../store/connection.ts";
import type { Db } from "../store/db.ts";

/** Scheduled work. One node does it, whichever fetches it first from its queue. */
export interface Job {
  /** Also the name of its queue. */
  name: string;
  /** Minute, hour, day of the month, month and day of the week, as in crontab, in UTC. */
  schedule: string;
  /** Returns the number of rows it changed. */
  run: (db: Db) => Promise<number>;
}

export interface JobsOptions {
  databaseUrl: string;
  /** The name of the connections in PostgreSQL. */
  name: string;
  /** The pool that jobs use. The queues have connections of their own. */
  db: Db;
  jobs: readonly Job[];
  /** The wait before the queues start. Loading pg-boss takes a tenth of a second, which a start should not pay. */
  delayMs: number;
  /** A stop waits this long for running jobs. A job that it cuts off counts as failed and is retried. */
  stopMsMax: number;
  /** For tests. */
  clock?: Clock;
}

/** Jobs are hourly, so a job can wait this long. More polls would only cost statements. */
const POLL_SECONDS = 30;
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
export function startJobs(options: JobsOptions): () => Promise<void> {
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

async function createBoss({ databaseUrl, name, clock }: JobsOptions): Promise<PgBoss> {
  const { PgBoss } = await import("pg-boss");
  // pg-boss expects the driver's own types, and no pipeline.
  const config = { ...connectionConfig(databaseUrl, { name, statementMsMax: MINUTE }) };
  delete config.types;
  delete config.pipeline;
  const boss = new PgBoss({
    ...(config as ConstructorOptions),
    max: 2,
    ...(clock && { clock }),
    cronWorkerIntervalSeconds: POLL_SECONDS,
    // No job waits for another one.
    flowIntervalSeconds: 3_600,
    registerInstance: false,
  });
  boss.on("error", report);
  return boss;
}

async function setUp(boss: PgBoss, { db, jobs }: JobsOptions, signal: AbortSignal): Promise<void> {
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
      break;
    } catch (error) {
      if (!signal.aborted) report(error);
      await wait(SETUP_RETRY_MS, undefined, { signal, ref: false });
    }
  }
  for (const job of jobs)
    await boss.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, () => runJob(db, job));
}

/** Runs a job and observes its result. The error of a failed run makes pg-boss retry it. */
export async function runJob(db: Db, { name, run }: Job): Promise<void> {
  try {
    observe({ kind: "job-finished", job: name, rows: await run(db) });
  } catch (error) {
    observe({ kind: "job-failed", job: name, error });
    throw error;
  }
}

/** pg-boss repeats what failed. Some of its errors are objects with a message and a code, and no Error. */
function report(cause: unknown): void {
  const error =
    cause instanceof Error
      ? cause
      : Object.assign(new Error((cause as { message?: string }).message), cause);
  observe({ kind: isDatabaseAway(error) ? "database-lost" : "job-queue-failed", error });
}
