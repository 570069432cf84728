import type { SessionFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { holdClass } from "../enrollments/seats.ts";
import { assertLesson } from "../lessons/assert-lesson.ts";
import { SESSIONS_MAX, sessionsOf, tooManySessions } from "./rules.ts";

/** POST /v1/course-sessions. The class is held while its sessions are counted. */
export async function createSession(
  context: WriteContext<SessionFields>,
  input: CreateInput<SessionFields>,
): Promise<Written> {
  const { actor, db, of } = context;
  const { accountId } = actor;
  const held = await holdClass(db, { accountId, classId: input.toOne.class });
  if (!held) throw absentTarget(of, "class");
  await assertLesson(context, held.courseId, input);
  if ((await sessionsOf(db, accountId, held.id)) >= SESSIONS_MAX) throw tooManySessions();
  const toOne = { ...input.toOne, course: held.courseId };
  return insertRow(context, of, { ...input, toOne });
}
