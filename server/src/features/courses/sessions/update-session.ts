import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { SessionFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertLesson } from "../lessons/assert-lesson.ts";
import { followSessions } from "./sessions-of-class.ts";
import { type SessionStatus, sessionTransitions } from "./statuses.ts";

/** PATCH /v1/course-sessions/:id */
export async function updateSession(
  context: WriteContext<SessionFields>,
  id: string,
  input: UpdateInput<SessionFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  const [before] = await db<{ classId: string; courseId: string; status: SessionStatus }[]>`
    select class_id as "classId", course_id as "courseId", status from course_sessions
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();
  const status = input.attributes.status ?? before.status;
  checkTransition(sessionTransitions, before.status, status);
  await assertLesson(context, before.courseId, input);
  const updated = await updateRow(context, resource, id, input);
  if (updated.changed.some((name) => name === "lesson" || name === "date"))
    await followSessions(context, before.classId, [id]);
  return updated;
}
