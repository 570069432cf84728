import { fail, notAllowedHere } from "../../../base/errors.ts";
import { invalidTransition } from "../../../base/transitions.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import type { CompletionFields } from "./fields.ts";
import type { CreateInput, RowInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { assertNoOther } from "../../../jsonapi/sql/read.ts";
import { AUTHOR, deleteRow, insertRow } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";
import { type LockedWork, lockWork, assertFitsTask, mayReview, assertActive } from "./work.ts";

export const alreadyHandedIn = alreadyExists(
  "/data/relationships/task/data",
  "The enrollment has a completion of this task.",
);

/** POST /v1/course-task-completions. Students hand in their work, and reviewers enter work done on paper. */
export async function createCompletion(
  context: WriteContext<CompletionFields>,
  input: CreateInput<CompletionFields>,
): Promise<Written> {
  const { attributes, toOne } = input;
  const { enrollment: enrollmentId, task: taskId } = toOne;
  const isReviewer = await mayReview(context, enrollmentId);
  if (!isReviewer) assertNoReview(context, input);
  const work = await lockWork(context, { enrollmentId, taskId });
  if (!work) throw absentTarget(context.resource, "enrollment");
  if (!work.task) throw absentTarget(context.resource, "task");
  if (work.task.courseId !== work.courseId)
    throw fail(
      "invalid-relationship",
      notAllowedHere("The enrollment belongs to another course than the task."),
      { pointer: "/data/relationships/enrollment/data" },
    );

  const { status = "submitted" } = attributes;
  const isReviewed = status === "accepted";
  if (!isReviewed && status !== "submitted")
    throw invalidTransition(
      { from: "submitted", to: status, allowed: ["accepted"] },
      { pointer: "/data/attributes/status" },
    );
  assertFitsTask(work, {
    handedIn: isReviewed ? undefined : attributes,
    points: attributes["points-earned"],
  });
  assertActive(work);
  await makeRoom(context, { enrollmentId, taskId, isReviewer });

  const awaitsFile = !isReviewer && work.task.submissionType === "file";
  const written = await insertRow(context, context.resource, withOrigin(input, work), {
    awaits_file: String(awaitsFile),
    ...(isReviewed && { reviewed_at: "now()", reviewed_by: AUTHOR }),
  });
  if (isReviewed) await updateProgress(context, { ids: [enrollmentId] });
  return written;
}

const withOrigin = (
  input: CreateInput<CompletionFields>,
  work: LockedWork,
): RowInput<CompletionFields> => ({
  ...input,
  attributes: { ...input.attributes, "was-on-time": work.isOnTime },
  toOne: { ...input.toOne, person: work.personId, class: work.classId, course: work.courseId },
});

/** Students set what they may change later. Values that a new completion has anyway are accepted. */
function assertNoReview(
  { resource }: WriteContext,
  { attributes }: CreateInput<CompletionFields>,
): void {
  for (const [name, value] of Object.entries(attributes))
    if (!resource.attributes[name]?.selfEditable && value !== null && value !== "submitted")
      throw fail("forbidden", `This person may not set ${name}.`, {
        pointer: `/data/attributes/${name}`,
      });
}

/** 409 with the completion that exists. A reviewer does not see one that waits for its file, and replaces it. */
async function makeRoom(
  context: WriteContext,
  {
    enrollmentId,
    isReviewer,
    taskId,
  }: { enrollmentId: string; isReviewer: boolean; taskId: string },
): Promise<void> {
  const { actor, db } = context;
  const [known] = await db<{ id: string; awaitsFile: boolean }[]>`
    select id, awaits_file as "awaitsFile" from course_task_completions
    where account_id = ${actor.accountId} and enrollment_id = ${enrollmentId} and task_id = ${taskId}`;
  if (known?.awaitsFile && isReviewer)
    await deleteRow(context, context.resource, known.id, "everything");
  else await assertNoOther(context, known, alreadyHandedIn);
}
