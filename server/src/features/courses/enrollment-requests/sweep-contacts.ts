import type { Db } from "../../../store/db.ts";
import { revised } from "../../../store/sql.ts";

/** Deletes the contact data and the messages of requests that were decided 90 days ago. */
export async function sweepContacts(db: Db): Promise<number> {
  const { count } = await db`
    update course_enrollment_requests set contact = null, message = null, ${revised()}
    where contact is not null and decided_at <= now() - interval '90 days'`;
  return count;
}
