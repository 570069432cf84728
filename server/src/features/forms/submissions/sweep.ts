import { limits } from "../../../base/limits.ts";
import type { Db } from "../../../store/db.ts";

/** Deletes the submissions that are older than the `retention-days` of their forms. The records that they created stay. */
export async function sweepSubmissions(db: Db): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { count } = await db`
      with over as (
        select submission.account_id, submission.id
        from form_submissions submission
        join forms form on form.account_id = submission.account_id and form.id = submission.form_id
        where submission.submitted_at <= now() - form.retention_days * interval '1 day'
        order by submission.account_id, submission.id
        limit ${limits.formSweepBatch} for update of submission skip locked)
      delete from form_submissions submission using over
      where submission.account_id = over.account_id and submission.id = over.id`;
    deleted += count;
    if (count < limits.formSweepBatch) return deleted;
  }
}

/** Deletes the hashes of addresses after 30 days. */
export async function sweepConsentHashes(db: Db): Promise<number> {
  const { count } = await db`
    update form_submissions set consent_ip_hash = null
    where consent_ip_hash is not null and submitted_at <= now() - interval '30 days'`;
  return count;
}
