import { lockAccount } from "../../../access/locks.ts";
import type { Actor } from "../../../access/actor.ts";
import { findActor } from "../../../access/find-actor.ts";
import { operator } from "../../../access/operator.ts";
import { holds } from "../../../access/policy.ts";
import { signWrites } from "../../../events/author.ts";
import { continueBatch } from "../../../events/capture.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import type { Importer } from "../../../jsonapi/definition/importer.ts";
import { type WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { writeContextOf } from "../../../jsonapi/routes/write-context.ts";
import { type Db, inTransaction, type Tx } from "../../../store/db.ts";
import { json, revised } from "../../../store/sql.ts";
import { type ImportJob, lockJob } from "../jobs/jobs.ts";
import { importerOf, neededFor } from "../kinds.ts";
import type { ImportStatus } from "../jobs/statuses.ts";

/** The job that a worker continues, and the person for whom it does. */
export interface StepKey {
  accountId: string;
  importJobId: string;
  /** Null for the operator. */
  actorId: string | null;
}

export interface StepContext extends Services {
  db: Db;
  signal?: AbortSignal;
  /** Called after each batch with the number of its rows. */
  progress?: (rows: number) => void;
}

/** The reason for which a job fails, in words for the people who look at it. */
export class ImportFailed extends Error {}

export interface Batch {
  /** For resources of the type that the import writes. */
  context: WriteContext;
  job: ImportJob;
  importer: Importer;
}

/**
 * Runs one batch in a transaction that holds the job. Returns undefined if the job is in another status, because another
 * worker has ended the step. Each batch commits its rows and the progress together, so a step can be continued at any time.
 */
export function inBatch<T>(
  services: StepContext,
  key: StepKey,
  status: ImportStatus,
  run: (batch: Batch) => Promise<T>,
): Promise<T | undefined> {
  services.signal?.throwIfAborted();
  const act = async (tx: Tx) => {
    const { accountId, actorId, importJobId } = key;
    const actor =
      actorId === null
        ? await operatorNow(tx, accountId)
        : await findActor(tx, { accountId, personId: actorId }, services.catalogue.declared);
    // Batches of one account take turns. Two imports of the same people could otherwise wait for each other's rows.
    await lockAccount(tx, accountId);
    const job = await lockJob({ actor: actor ?? operator(accountId), db: tx }, importJobId);
    if (job?.status !== status) return undefined;
    const needed = ["import-jobs:write" as const, ...neededFor(services.catalogue, job)];
    if (!actor || !needed.every((permission) => holds(actor, permission)))
      throw new ImportFailed("The person who started this step may no longer import.");
    if (job.batchId !== null) continueBatch(tx, { id: job.batchId, cause: "import" });
    const importer = importerOf(services.catalogue, job);
    const resource = definitionOf(services.catalogue, importer.type);
    const installation = { ...services, sendsMail: services.mailer !== undefined };
    const context = writeContextOf(installation, tx, actor, resource);
    const result = await run({ context, job, importer });
    signWrites(tx, actor);
    return result;
  };
  // A dry run remembers the rows it has read. After a deadlock the queue repeats the whole step.
  return inTransaction(services.db, key.accountId, act, { isRepeatable: false });
}

/** Custom fields are cached by the version of the account. */
async function operatorNow(tx: Tx, accountId: string): Promise<Actor> {
  const [account] = await tx<{ version: number }[]>`
    select version from account_facts where account_id = ${accountId}`;
  return { ...operator(accountId), accountVersion: account?.version ?? 0 };
}

export type Counts = Partial<
  Record<"rows" | "create" | "update" | "skip" | "error" | "written" | "undone" | "kept", number>
>;

/** Adds to the counts of a job. */
export async function count(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  importJobId: string,
  more: Counts,
): Promise<void> {
  await db`
    update import_jobs set ${revised()}, counts = counts || (
      select coalesce(jsonb_object_agg(key, (counts ->> key)::int + value::int), '{}')
      from jsonb_each_text(${json(more)}::text::jsonb) as more (key, value))
    where account_id = ${actor.accountId} and id = ${importJobId}`;
}

/** Counts the errors of a job by column and code. Errors of a whole row stand under an empty name. */
export const countByColumn = (
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  importJobId: string,
): Promise<unknown> => db`
  update import_jobs set counts = counts || jsonb_build_object('by-column', (
    select coalesce(jsonb_object_agg(column_name, codes), '{}') from (
      select column_name, jsonb_object_agg(code, errors) as codes from (
        select coalesce(error ->> 'column', '') as column_name, error ->> 'code' as code, count(*) as errors
        from import_rows cross join jsonb_array_elements(errors) as error
        where account_id = ${actor.accountId} and import_job_id = ${importJobId}
        group by 1, 2
      ) counted group by column_name
    ) columns))
  where account_id = ${actor.accountId} and id = ${importJobId}`;

/** Ends a step. */
export async function finish(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  importJobId: string,
  status: ImportStatus,
  failure: string | null = null,
): Promise<void> {
  await db`
    update import_jobs set status = ${status}, failure = ${failure}, finished_at = now(), ${revised()}
    where account_id = ${actor.accountId} and id = ${importJobId}`;
}
