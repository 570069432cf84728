import type { SessionFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { lockClass } from "../enrollments/seats.ts";
import { assertLesson } from "../lessons/assert-lesson.ts";
import { SESSIONS_MAX, sessionsOf, tooManySessions } from "./sessions-of-class.ts";

/** POST /v1/course-sessions. The class is locked while its sessions are counted. */
export async function createSession(
  context: WriteContext<SessionFields>,
  input: CreateInput<SessionFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { accountId } = actor;
  const locked = await lockClass(db, { accountId, classId: input.toOne.class });
  if (!locked) throw absentTarget(resource, "class");
  await assertLesson(context, locked.courseId, input);
  if ((await sessionsOf(db, accountId, locked.id)) >= SESSIONS_MAX) throw tooManySessions();
  const toOne = { ...input.toOne, course: locked.courseId };
  return insertRow(context, resource, { ...input, toOne });
}
