import type { LessonFields } from "./fields.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, deleteRow, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import { lockProgress, updateProgress } from "../enrollments/progress.ts";
import { lockCourse } from "../enrollments/seats.ts";
import { conflictWith } from "../../../jsonapi/sql/constraint.ts";

export const numberTaken = alreadyExists(
  "/data/attributes/number",
  "A lesson of the course has this number.",
);

/** Every write of a lesson. Active lessons change the progress of the course. */

/** POST /v1/course-lessons */
export async function createLesson(
  context: WriteContext<LessonFields>,
  input: CreateInput<LessonFields>,
): Promise<Written> {
  const { attributes, toOne } = input;
  const { course: courseId } = toOne;
  await assertNotTaken(context, courseId, attributes.number);
  const written = await insertRow(context, context.resource, input);
  if (attributes["is-active"] !== false) await updateProgress(context, { courseId });
  return written;
}

/** PATCH /v1/course-lessons/:id */
export async function updateLesson(
  context: WriteContext<LessonFields>,
  id: string,
  input: UpdateInput<LessonFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const lesson = await lessonOf(context, id);
  if (lesson) await lockCourse(context.db, context.actor.accountId, lesson.courseId);
  const number = input.attributes.number;
  if (lesson && number !== lesson.number) await assertNotTaken(context, lesson.courseId, number);
  const updated = await updateRow(context, context.resource, id, input);
  const rules = ["is-active", "is-mandatory"];
  if (lesson && updated.changed.some((name) => rules.includes(name)))
    await updateProgress(context, { courseId: lesson.courseId });
  return updated;
}

/** DELETE /v1/course-lessons/:id. Foreign keys take the lesson from its sessions, attendances, materials and tasks. */
export async function deleteLesson(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  const lesson = await lessonOf(context, id);
  if (lesson) {
    await lockCourse(db, actor.accountId, lesson.courseId);
    await db`
      select from course_sessions where account_id = ${actor.accountId} and lesson_id = ${id}
      order by id for no key update`;
    await lockProgress(context, { courseId: lesson.courseId });
  }
  await deleteRow(context, context.resource, id);
  if (lesson) await updateProgress(context, { courseId: lesson.courseId });
}

async function lessonOf(
  { actor, db }: WriteContext,
  id: string,
): Promise<{ courseId: string; number: number } | undefined> {
  const [lesson] = await db<{ courseId: string; number: number }[]>`
    select course_id as "courseId", number from course_lessons
    where account_id = ${actor.accountId} and id = ${id}`;
  return lesson;
}

/** Every caller may read the lesson that has the number. */
async function assertNotTaken(
  { actor, db }: WriteContext,
  courseId: string,
  number: number | undefined,
): Promise<void> {
  if (number === undefined) return;
  const [taken] = await db<{ id: string }[]>`
    select id from course_lessons
    where account_id = ${actor.accountId} and course_id = ${courseId} and number = ${number}`;
  if (taken) throw conflictWith(numberTaken, taken.id);
}
