import type { Db, Tx } from "../store/db.ts";
import { json, raw } from "../store/sql.ts";

/**
 * The queued jobs of an account that moves to another server. While it moves, those that wait are put off, so that no worker
 * fetches them. Those that run are repeated on the other server, like the jobs of a worker that was killed.
 */

/** No job waits for so long by itself. */
const isOff = raw(`start_after > now() + interval '50 years'`);

const ofAccount = (db: Db | Tx, accountId: string) =>
  db`data ->> 'accountId' = ${accountId} and state < 'completed'`;

export async function putOffJobs(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update pgboss.job set start_after = start_after + interval '100 years'
    where ${ofAccount(tx, accountId)} and state <> 'active' and not ${isOff}`;
}

export async function resumeJobs(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update pgboss.job set start_after = start_after - interval '100 years'
    where ${ofAccount(tx, accountId)} and ${isOff}`;
}

export async function hasRunningJobs(db: Db, accountId: string): Promise<boolean> {
  const [running] = await db`
    select from pgboss.job where ${ofAccount(db, accountId)} and state = 'active' limit 1`;
  return running !== undefined;
}

/** Copies the jobs that are not over, and returns their ids. The target has some of them already if this is repeated. */
export async function copyJobs(source: Db, target: Tx, accountId: string): Promise<string[]> {
  const jobs = await source<{ id: string; job: object }[]>`
    select id, to_jsonb(job) as job from pgboss.job job where ${ofAccount(source, accountId)}`;
  await target`
    insert into pgboss.job select job.*
    from jsonb_populate_recordset(null::pgboss.job, ${json(jobs.map(({ job }) => job))}::text::jsonb) job
    on conflict do nothing`;
  await resumeJobs(target, accountId);
  return jobs.map(({ id }) => id);
}

/** Removes the jobs of a copy that is not the right one. */
export async function discardJobs(source: Db, accountId: string): Promise<void> {
  await source`delete from pgboss.job where ${ofAccount(source, accountId)}`;
}

export async function removeJobs(source: Db, ids: readonly string[]): Promise<void> {
  await source`delete from pgboss.job where id = any(${[...ids]}::uuid[])`;
}
