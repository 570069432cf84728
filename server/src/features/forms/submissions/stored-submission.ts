import type { Queryable } from "../../../store/db.ts";
import { raw } from "../../../store/sql.ts";
import type { SubmissionStatus } from "./statuses.ts";

/** A submission as the rules of its moderation need it. */
export interface StoredSubmission {
  formId: string;
  personId: string | null;
  status: SubmissionStatus;
  source: string;
  isAnnounced: boolean;
  isConfirmed: boolean;
  /** The values that the answers propose for a person, by attribute. */
  proposed: Readonly<Record<string, unknown>>;
  suggested: readonly string[];
}

export async function readSubmission(
  db: Queryable,
  accountId: string,
  id: string,
  lock: "for no key update" | "" = "",
): Promise<StoredSubmission | undefined> {
  const [submission] = await db<StoredSubmission[]>`
    select form_id as "formId", person_id as "personId", status, source, is_announced as "isAnnounced",
      is_confirmed as "isConfirmed", form_proposal(form_submissions) as proposed,
      array(select person_id from form_submission_suggestions suggested
        where suggested.account_id = form_submissions.account_id and suggested.submission_id = form_submissions.id) as suggested
    from form_submissions where account_id = ${accountId} and id = ${id} ${raw(lock)}`;
  return submission;
}
