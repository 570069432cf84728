import { fail, notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { CompletionFields } from "./fields.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import {
  assertMayChange,
  AUTHOR,
  type ExtraColumns,
  updateRow,
} from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";
import { lockWork, assertFitsTask, mayReview, placeOf, assertActive } from "./work.ts";
import { reviewTransitions } from "./statuses.ts";

const work = ["text", "url", "file"] as const;
const ofStudent = [...work, "student-comment"] as const;
const ofReviewer = ["teacher-comment", "points-earned"] as const;

type Name = (typeof ofStudent)[number] | (typeof ofReviewer)[number];

type Completion = Required<Pick<RowInput<CompletionFields>["attributes"], Name | "status">>;

/** PATCH /v1/course-task-completions/:id. Students hand in again, and reviewers review. */
export async function updateCompletion(
  context: WriteContext<CompletionFields>,
  id: string,
  input: RowInput<CompletionFields>,
): Promise<Written> {
  const { resource } = context;
  await assertMayChange(context, resource, id);
  const place = await placeOf(context, id);
  const locked = place && (await lockWork(context, place));
  const before = locked && (await lockCompletion(context, id));
  if (!before) throw notFound();

  const present = before.status;
  const sent = input.attributes;
  const differing = (names: readonly Name[]) =>
    names.find((name) => sent[name] !== undefined && sent[name] !== before[name]);
  const changedByStudent = differing(ofStudent);
  if (
    present === "accepted" &&
    changedByStudent &&
    !(await mayReview(context, locked.enrollmentId))
  )
    throw fail("forbidden", "Accepted work does not change.", {
      pointer: `/data/attributes/${changedByStudent}`,
    });

  const isHandedIn = present !== "accepted" && differing(work) !== undefined;
  const from = isHandedIn ? "submitted" : present;
  const status = sent.status ?? from;
  checkTransition(reviewTransitions, from, status);
  const attributes = { ...sent, status, ...(isHandedIn && { "was-on-time": locked.isOnTime }) };
  assertFitsTask(locked, {
    handedIn: isHandedIn ? { ...before, ...sent } : undefined,
    points: differing(["points-earned"]) && sent["points-earned"],
  });
  if (isHandedIn) assertActive(locked);

  const isReviewed = status !== from || differing(ofReviewer) !== undefined;
  const isNewAttempt = isHandedIn && from !== present;
  const extra: ExtraColumns = {
    ...(isHandedIn && { submitted_at: "now()" }),
    ...(sent.file && { awaits_file: "false" }),
    ...(isNewAttempt && { attempt_count: "course_task_completions.attempt_count + 1" }),
    ...(isReviewed && { reviewed_at: "now()", reviewed_by: AUTHOR }),
  };
  const written = await updateRow(context, resource, id, { ...input, attributes }, extra);
  if (status !== present) await updateProgress(context, { ids: [locked.enrollmentId] });
  return written;
}

async function lockCompletion({ actor, db }: WriteContext, id: string) {
  const [row] = await db<{ completion: Completion }[]>`
    select jsonb_build_object('status', status, 'text', text, 'url', url, 'file', file_id, 'student-comment', student_comment,
      'teacher-comment', teacher_comment, 'points-earned', points_earned) as completion
    from course_task_completions where account_id = ${actor.accountId} and id = ${id} for no key update`;
  return row?.completion;
}
