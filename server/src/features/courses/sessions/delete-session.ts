import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { lockSession } from "../attendances/locks.ts";
import { lockProgress, updateProgress } from "../enrollments/progress.ts";

/** DELETE /v1/course-sessions/:id. Foreign keys delete the attendances, which counted. */
export async function deleteSession(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  const session = await lockSession(context, id, "for update");
  const [attended] = await db`
    select from course_attendances where account_id = ${actor.accountId} and session_id = ${id} limit 1`;
  if (session && attended) await lockProgress(context, { classId: session.classId });
  await deleteRow(context, resource, id);
  if (session && attended) await updateProgress(context, { classId: session.classId });
}
