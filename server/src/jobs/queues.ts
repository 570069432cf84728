import { DAY, SECOND } from "../base/clock.ts";
import type { Db, Tx } from "../store/db.ts";
import { json } from "../store/sql.ts";

/**
 * Work that an operation hands to a worker. The job is written in the transaction of the operation, so it exists if and
 * only if the transaction commits.
 *
 * A job runs at least once. The job of a worker that was killed is retried when its heartbeats have been missing for a
 * minute or two, so `run` must be safe to repeat. `Services` are what the installation gives to its jobs.
 */
export interface Queue<Services = unknown, Data extends object = object> {
  name: string;
  /** The number of jobs that one node fetches and runs at the same time. */
  atOnce: number;
  /** How often a node with time to spare looks for jobs. A job waits this long at most, if no other one is ahead of it. */
  pollSeconds: number;
  /** The number of attempts after the first one. */
  retries: number;
  /** The wait before the first retry. It doubles with every further one, with some jitter. */
  retryDelaySeconds: number;
  retryDelaySecondsMax: number;
  /** A run that takes longer counts as failed. Its `signal` is aborted. */
  secondsMax: number;
  /**
   * No transaction may be open while it waits for a third party. An error makes the job retry. The job's data is ids and
   * no personal data or secrets, because it is kept for a day after the last run.
   */
  run(this: void, context: JobContext & Services, data: Data): Promise<void>;
  /** Jobs that are fetched together and have the same key are merged into fewer runs, which follow each other. */
  together?: {
    key(this: void, data: Data): string;
    merge(this: void, all: readonly [Data, ...Data[]]): readonly Data[];
  };
}

export interface JobContext {
  /** A pool that serves no requests. */
  db: Db;
  /** The same for all runs of the job. A run of several jobs has the id of the first one. */
  jobId: string;
  /** Whether no retry follows if this run fails. A run that is killed does not return here. */
  isLastTry: boolean;
  /** Aborted when the service stops and when the run has taken too long. */
  signal: AbortSignal;
}

/** Adds a job for each `data`, in the transaction of the caller. A worker sees them after the commit. */
export async function enqueue<Data extends object>(
  tx: Tx,
  { name }: Pick<Queue<never, Data>, "name" | "run">,
  ...jobs: readonly Data[]
): Promise<void> {
  // pg-boss documents inserts into its table. Its own function needs an instance that is connected and started.
  const { count } = await tx`
    insert into pgboss.job (name, data, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
      expire_seconds, heartbeat_seconds, deletion_seconds, keep_until)
    select queue.name, data, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
      expire_seconds, heartbeat_seconds, deletion_seconds, now() + retention_seconds * interval '1 second'
    from pgboss.queue queue, jsonb_array_elements(${json(jobs)}::text::jsonb) data
    where queue.name = ${name}`;
  if (count < jobs.length)
    throw new Error(`There is no queue ${name}. The start or npx vestry migrate creates it.`);
}

/** A worker that has sent no heartbeat for this long is lost. pg-boss looks for lost ones once a minute. */
const HEARTBEAT_SECONDS = 30;

/** The settings of a queue in pg-boss. Each job copies them when it is added. */
export const settingsOf = (queue: Queue<never>) => ({
  retryLimit: queue.retries,
  retryDelay: queue.retryDelaySeconds,
  retryDelayMax: queue.retryDelaySecondsMax,
  retryBackoff: true,
  expireInSeconds: queue.secondsMax,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  deleteAfterSeconds: DAY / SECOND,
});
