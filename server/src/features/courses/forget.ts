import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

/** Attendances stay when their student is forgotten, so that the counts of a session do not change. Their notes do not. */
export async function forgetStudent({ actor, db }: WriteContext, personId: string): Promise<void> {
  const { accountId } = actor;
  await db`
    update course_attendances attendance set note = null, ${revisedBy(actor, "attendance")}
    where account_id = ${accountId} and person_id = ${personId} and note is not null`;
}
