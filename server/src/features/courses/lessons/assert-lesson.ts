import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";

/** 422 if the document names a lesson that does not belong to the course. A lesson never changes its course. */
export async function assertLesson(
  { actor, db }: WriteContext,
  courseId: string,
  { toOne }: { toOne: { lesson?: string | null } },
): Promise<void> {
  const lessonId = toOne.lesson;
  if (!lessonId) return;
  const [lesson] = await db`
    select from course_lessons
    where account_id = ${actor.accountId} and id = ${lessonId} and course_id = ${courseId}`;
  if (!lesson)
    throw fail(
      "invalid-relationship",
      { rule: "not-found", hint: "The course has no such lesson." },
      { pointer: "/data/relationships/lesson/data" },
    );
}
