import { authorOf } from "../../../access/operator.ts";
import { fail } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { enqueue } from "../../../jobs/queues.ts";
import type { StepFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { ReadContext, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { forgetRows } from "../steps/dry-run.ts";
import { storeFile } from "../file/file.ts";
import { type ImportJob, lockJob, assertMayWriteRecords } from "./jobs.ts";
import { importSteps } from "../steps/queue.ts";
import { assertStep } from "./statuses.ts";

const AT_JOB = { pointer: "/data/relationships/import-job" };

/** POST /v1/import-runs */
export async function createRun(
  context: WriteContext<StepFields>,
  input: CreateInput<StepFields>,
): Promise<Written> {
  const job = await jobIn(context, input);
  await beginRun(context, job);
  await enqueueStep(context, job);
  return insertRow(context, context.resource, input);
}

/** POST /v1/import-undos */
export async function createUndo(
  context: WriteContext<StepFields>,
  input: CreateInput<StepFields>,
): Promise<Written> {
  const job = await jobIn(context, input);
  await beginUndo(context, job);
  await enqueueStep(context, job);
  return insertRow(context, context.resource, input);
}

/** Locks the job, so that of two parallel requests only one begins the step. */
async function jobIn(
  context: WriteContext<StepFields>,
  { toOne }: CreateInput<StepFields>,
): Promise<ImportJob> {
  const job = await lockJob(context, toOne["import-job"]);
  if (!job) throw absentTarget(context.resource, "import-job");
  assertMayWriteRecords(context, job);
  return job;
}

/** Stores the file of a job. The dry run reads it. */
export async function beginDryRun(
  context: ReadContext & Pick<WriteContext, "db">,
  job: ImportJob,
  file: Buffer,
): Promise<void> {
  const { actor, db } = context;
  assertMayWriteRecords(context, job);
  assertStep(job, "validating", { parameter: "id" });
  await forgetRows(context, job.id);
  await storeFile(db, { accountId: actor.accountId, importJobId: job.id }, file);
  await db`
    update import_jobs set status = 'validating', failure = null, batch_id = null, run_at = null, finished_at = null,
      ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${job.id}`;
}

export async function beginRun({ actor, db }: WriteContext, job: ImportJob): Promise<void> {
  assertStep(job, "running", AT_JOB);
  await db`
    update import_jobs set status = 'running', batch_id = ${newId()}, run_at = now(), ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${job.id}`;
}

async function beginUndo({ actor, db }: WriteContext, job: ImportJob): Promise<void> {
  assertStep(job, "undoing", AT_JOB);
  if (job.isUndoOver)
    throw fail("conflict", "An import can be undone within 7 days after its run.", AT_JOB);
  await db`
    update import_jobs set status = 'undoing', batch_id = ${newId()}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${job.id}`;
}

/** A worker continues with the rights that the caller has then. */
export const enqueueStep = (
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  { id }: { id: string },
) =>
  enqueue(db, importSteps, {
    accountId: actor.accountId,
    importJobId: id,
    actorId: authorOf(actor),
  });
