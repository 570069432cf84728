import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";

/** DELETE /v1/course-sessions/:id. Foreign keys delete the attendances, which counted. */
export async function deleteSession(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  const [session] = await db<{ classId: string; hasAttendances: boolean }[]>`
    select class_id as "classId", exists (
      select from course_attendances
      where account_id = course_sessions.account_id and session_id = course_sessions.id) as "hasAttendances"
    from course_sessions where account_id = ${actor.accountId} and id = ${id} for update`;
  await deleteRow(context, resource, id);
  if (session?.hasAttendances) await updateProgress(context, { classId: session.classId });
}
