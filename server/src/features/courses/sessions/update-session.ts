import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { SessionFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { beginBatch } from "../../../events/capture.ts";
import { assertMayChange, captureRows, updateRow } from "../../../jsonapi/sql/write.ts";
import { type LockedSession, lockSession } from "../attendances/locks.ts";
import { lockProgress, updateProgress } from "../enrollments/progress.ts";
import { assertLesson } from "../lessons/assert-lesson.ts";
import { followSessions } from "./sessions-of-class.ts";
import { sessionTransitions } from "./statuses.ts";

/** PATCH /v1/course-sessions/:id */
export async function updateSession(
  context: WriteContext<SessionFields>,
  id: string,
  input: UpdateInput<SessionFields>,
): Promise<Written> {
  const { resource } = context;
  await assertMayChange(context, resource, id);
  const before = await lockSession(context, id);
  if (!before) throw notFound();
  const status = input.attributes.status ?? before.status;
  checkTransition(sessionTransitions, before.status, status);
  await assertLesson(context, before.courseId, input);
  if (status === "cancelled" && (await removeAttendances(context, before))) {
    const updated = await updateRow(context, resource, id, input);
    await captureRows(context, "course-sessions", "course-attendance.recorded", [id]);
    await updateProgress(context, { classId: before.classId });
    return updated;
  }
  const updated = await updateRow(context, resource, id, input);
  if (updated.changed.some((name) => name === "lesson" || name === "date"))
    await followSessions(context, before.classId, [id]);
  return updated;
}

/** A cancelled session has no attendances, so that progress does not count them. Returns whether it had any. */
async function removeAttendances(
  context: WriteContext,
  { classId, id }: LockedSession,
): Promise<boolean> {
  const { actor, db } = context;
  const [attended] = await db`
    select from course_attendances where account_id = ${actor.accountId} and session_id = ${id} limit 1`;
  if (!attended) return false;
  beginBatch(db);
  await lockProgress(context, { classId });
  await db`
    delete from course_attendances where account_id = ${actor.accountId} and session_id = ${id}`;
  return true;
}
