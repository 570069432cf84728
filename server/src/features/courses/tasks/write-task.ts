import type { TaskFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { deleteRow, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import { lockProgress, updateProgress } from "../enrollments/progress.ts";
import { lockCourse } from "../enrollments/seats.ts";
import { assertLesson } from "../lessons/assert-lesson.ts";

/** Every write of a task. A task that graduation depends on changes the progress of the course. */

/** POST /v1/course-tasks */
export async function createTask(
  context: WriteContext<TaskFields>,
  input: CreateInput<TaskFields>,
): Promise<Written> {
  const { course: courseId } = input.toOne;
  await assertLesson(context, courseId, input);
  const written = await insertRow(context, context.resource, input);
  if (input.attributes["is-mandatory"] === true) await updateProgress(context, { courseId });
  return written;
}

/** PATCH /v1/course-tasks/:id */
export async function updateTask(
  context: WriteContext<TaskFields>,
  id: string,
  input: UpdateInput<TaskFields>,
): Promise<Written> {
  const task = await taskOf(context, id);
  if (task) await lockCourse(context.db, context.actor.accountId, task.courseId);
  if (task) await assertLesson(context, task.courseId, input);
  const written = await updateRow(context, context.resource, id, input);
  const rules = ["is-mandatory", "assigned-to"];
  if (task && written.changed.some((name) => rules.includes(name)))
    await updateProgress(context, { courseId: task.courseId });
  return written;
}

/** DELETE /v1/course-tasks/:id. Foreign keys delete the completions. */
export async function deleteTask(context: WriteContext, id: string): Promise<void> {
  const task = await taskOf(context, id);
  if (task) {
    await lockCourse(context.db, context.actor.accountId, task.courseId);
    await lockProgress(context, { courseId: task.courseId });
  }
  await deleteRow(context, context.resource, id);
  if (task?.isMandatory) await updateProgress(context, { courseId: task.courseId });
}

async function taskOf(
  { actor, db }: WriteContext,
  id: string,
): Promise<{ courseId: string; isMandatory: boolean } | undefined> {
  const [task] = await db<{ courseId: string; isMandatory: boolean }[]>`
    select course_id as "courseId", is_mandatory as "isMandatory" from course_tasks
    where account_id = ${actor.accountId} and id = ${id}`;
  return task;
}
