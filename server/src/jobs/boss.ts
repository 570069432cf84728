import type { Clock, ConstructorOptions, PgBoss } from "pg-boss";
import { MINUTE } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { isDatabaseAway } from "../store/away.ts";
import { asConnectionLost, connectionConfig } from "../store/connection.ts";
import { type Db, inGlobalTransaction, type Queryable, type Tx } from "../store/db.ts";
import { json } from "../store/sql.ts";
import { type Queue, settingsOf } from "./queues.ts";

/** Loading pg-boss takes a tenth of a second, which a start should not pay. Only these functions load it. */

export interface BossOptions {
  databaseUrl: string;
  /** The name of the connections in PostgreSQL. */
  name: string;
  /** For tests. */
  clock?: Clock;
}

/** Scheduled jobs are hourly, so a job can wait this long. More polls would only cost statements. */
export const POLL_SECONDS = 30;

/** The queues of a worker. They have their own pool, because pg-boss expects the driver's own types, and no pipeline. */
export async function createBoss({ databaseUrl, name, clock }: BossOptions): Promise<PgBoss> {
  const { PgBoss } = await import("pg-boss");
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

/** The key of the advisory lock, "jobs" in ASCII. */
const QUEUES_LOCK = 0x6a_6f_62_73;

/**
 * Creates the queues that are missing, and the tables of pg-boss. Operations can then add jobs before the first worker
 * runs. Usually nothing is missing. It then takes two short statements and does not load pg-boss.
 */
export async function prepareQueues(db: Db, queues: readonly Queue<never>[]): Promise<void> {
  const known = await queuesIn(db);
  const missing = queues.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  await inGlobalTransaction(db, createTables);
  await inGlobalTransaction(db, async (tx) => {
    for (const queue of missing)
      await tx`
        select pgboss.create_queue(${queue.name},
          ${json({ policy: "standard", ...settingsOf(queue) })}::text::jsonb)`;
  });
}

/** The script of pg-boss begins and commits by itself. In a transaction of ours, an error in it leaves no open one behind. */
async function createTables(tx: Tx): Promise<void> {
  // A busy machine may take longer than a request may.
  await tx`set local statement_timeout = 0`;
  // One node at a time, because two cannot create the same schema.
  await tx`select pg_advisory_xact_lock(${QUEUES_LOCK}::bigint)`;
  if (await hasTables(tx)) return;
  const { getConstructionPlans } = await import("pg-boss");
  await tx.query(getConstructionPlans());
}

async function hasTables(db: Queryable): Promise<boolean> {
  // to_regclass() reads a cache, which can be older than the lock of another node.
  const [table] = await db<{ exists: boolean }[]>`
    select exists (select from pg_tables where schemaname = 'pgboss' and tablename = 'queue')`;
  return table?.exists === true;
}

async function queuesIn(db: Db): Promise<ReadonlySet<string>> {
  if (!(await hasTables(db))) return new Set();
  const rows = await db<{ name: string }[]>`select name from pgboss.queue`;
  return new Set(rows.map(({ name }) => name));
}

/** Queues with jobs that no worker has fetched although they have been due for a while. */
export async function overdueQueues(
  db: Db,
  queues: readonly Queue<never>[],
  overdueMs: number,
): Promise<{ name: string; jobs: number }[]> {
  if (!(await hasTables(db))) return [];
  const names = queues.map(({ name }) => name);
  return db<{ name: string; jobs: number }[]>`
    select name, count(*)::int as jobs from pgboss.job
    where name = any(${names}::text[]) and state in ('created', 'retry')
      and start_after < now() - ${overdueMs} * interval '1 millisecond'
    group by name order by name`;
}

/** The driver gives these errors no code. A busy machine meets them at its first start. */
const CONNECTION_LOST =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated)/;

/** pg-boss repeats what failed. Some of its errors are objects with a message and a code, and no Error. */
export function report(cause: unknown): void {
  const reported =
    cause instanceof Error
      ? cause
      : Object.assign(new Error((cause as { message?: string }).message), cause);
  const error = CONNECTION_LOST.test(reported.message) ? asConnectionLost(reported) : reported;
  observe({ kind: isDatabaseAway(error) ? "database-lost" : "job-queue-failed", error });
}
