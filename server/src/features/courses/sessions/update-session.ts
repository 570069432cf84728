import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { SessionFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { lockSession } from "../attendances/locks.ts";
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
  const updated = await updateRow(context, resource, id, input);
  if (updated.changed.some((name) => name === "lesson" || name === "date"))
    await followSessions(context, before.classId, [id]);
  return updated;
}
