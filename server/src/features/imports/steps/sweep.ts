import { limits } from "../../../base/limits.ts";
import type { Job } from "../../../jobs/jobs.ts";
import { failJob } from "./queue.ts";

/** Longer than all retries of a step together. */
const STUCK_HOURS = 24;

/** Deletes the rows and files of old imports, and ends steps whose workers were killed in every attempt. */
export const importsJob: Job = {
  name: "imports",
  schedule: "40 * * * *",
  async run(db) {
    const { count: files } = await db`
      delete from import_file_chunks chunk using import_jobs job
      where job.account_id = chunk.account_id and job.id = chunk.import_job_id
        and job.modified_at < now() - ${limits.importRowsKeptMs} * interval '1 millisecond'`;
    const { count: rows } = await db`
      delete from import_rows row using import_jobs job
      where job.account_id = row.account_id and job.id = row.import_job_id
        and job.modified_at < now() - ${limits.importRowsKeptMs} * interval '1 millisecond'`;
    const stuck = await db<{ accountId: string; importJobId: string }[]>`
      select account_id as "accountId", id as "importJobId" from import_jobs
      where status in ('validating', 'running', 'undoing')
        and modified_at < now() - ${STUCK_HOURS} * interval '1 hour'`;
    for (const one of stuck)
      await failJob({ db }, one, "The workers were stopped in every attempt.");
    return files + rows + stuck.length;
  },
};
