import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";

/** The file of an import that is over contains the values of the person. The rows go by their foreign key. */
export async function forgetImported(
  { actor, db }: WriteContext,
  personId: string,
  forgetting: Forgetting,
): Promise<void> {
  if (forgetting === "deleted") return;
  await db`
    delete from import_file_chunks chunk using import_jobs job, import_rows row
    where chunk.account_id = ${actor.accountId}
      and job.account_id = chunk.account_id and job.id = chunk.import_job_id and job.status in ('done', 'undone', 'failed')
      and row.account_id = chunk.account_id and row.import_job_id = chunk.import_job_id and row.person_id = ${personId}`;
}
