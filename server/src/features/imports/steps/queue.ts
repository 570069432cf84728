import { HOUR, SECOND } from "../../../base/clock.ts";
import type { JobContext, Queue } from "../../../jobs/queues.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import { operator } from "../../../access/operator.ts";
import { inTransaction } from "../../../store/db.ts";
import { dryRun, forgetRows } from "./dry-run.ts";
import { deleteFile } from "../file/file.ts";
import { lockJob } from "../jobs/jobs.ts";
import { run } from "./run.ts";
import type { ImportStatus } from "../jobs/statuses.ts";
import { finish, ImportFailed, type StepContext, type StepKey } from "./step.ts";
import { undo } from "./undo.ts";

type Step = (services: StepContext, key: StepKey) => Promise<void>;

const steps: Partial<Record<ImportStatus, Step>> = {
  validating: dryRun,
  running: run,
  undoing: undo,
};

/** Every step of an import. The status of the job says which one it is. */
export const importSteps: Queue<Services, StepKey> = {
  name: "import-steps",
  atOnce: 1,
  pollSeconds: 1,
  retries: 5,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 60,
  secondsMax: (4 * HOUR) / SECOND,
  async run(services, key) {
    try {
      await takeStep(services, key);
    } catch (error) {
      if (isStopping(services)) throw error;
      if (services.isLastTry)
        await failJob(
          services,
          key,
          "The step failed because of an internal error. Rows that are written stay listed.",
        );
      throw error;
    }
  },
};

const isStopping = ({ isLastTry, signal }: JobContext) => signal.aborted && !isLastTry;

/** Takes the step that the job is in. */
export async function takeStep(services: StepContext, key: StepKey): Promise<void> {
  const [job] = await services.db<{ status: ImportStatus }[]>`
    select status from import_jobs where account_id = ${key.accountId} and id = ${key.importJobId}`;
  try {
    if (job) await steps[job.status]?.(services, key);
  } catch (error) {
    if (!(error instanceof ImportFailed)) throw error;
    await failJob(services, key, error.message);
  }
}

/** Ends the job. The rows that a run has written stay listed. A dry run leaves nothing. */
export const failJob = (
  { db }: Pick<StepContext, "db">,
  { accountId, importJobId }: Pick<StepKey, "accountId" | "importJobId">,
  failure: string,
): Promise<void> =>
  inTransaction(db, accountId, async (tx) => {
    const context = { actor: operator(accountId), db: tx };
    const job = await lockJob(context, importJobId);
    if (!job || steps[job.status] === undefined) return;
    if (job.status === "validating") {
      await forgetRows(context, importJobId);
      await deleteFile(tx, { accountId, importJobId });
    }
    await finish(context, importJobId, "failed", failure.slice(0, 1_000));
  });
