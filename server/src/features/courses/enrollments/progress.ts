import { raw } from "sql-template-tag";
import type { Merging } from "../../../jsonapi/definition/merge.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";

/** The enrollments of a course, of a class, or the enrollments with these ids. */
export type Whose = { courseId: string } | { classId: string } | { ids: readonly string[] };

/**
 * Stores the progress of enrollments, and completes active ones in a course with automatic graduation: those that became
 * eligible, and all that are eligible when the rules of the course change. An enrollment that an approver set back to
 * `active` stays active until then.
 *
 * Every operation calls it after it changed something on which graduation depends: attendances, the lessons of sessions,
 * lessons, mandatory tasks, completions, and the rules of the course. Progress is computed. It changes no version and
 * causes no event.
 */
export async function updateProgress(context: WriteContext, whose: Whose): Promise<void> {
  const { accountId, personId: actorId } = context.actor;
  const graduates = await storeProgress({ accountId, actorId, db: context.db }, whose);
  await captureRows(context, "course-enrollments", "course-enrollment.completed", graduates);
}

/** The same without events. Returns the ids of the enrollments that it completed, in order. */
export async function storeProgress(
  { accountId, actorId, db }: Pick<Merging, "accountId" | "actorId" | "db">,
  whose: Whose,
): Promise<string[]> {
  const { column, ids } = whereOf(whose);
  const rows = await db<{ id: string; wasEligible: boolean }[]>`
    select id, is_eligible_to_graduate as "wasEligible" from course_enrollments
    where account_id = ${accountId} and ${raw(column)} = any(${ids}::uuid[])
    order by id for no key update`;
  const locked = rows.map(({ id }) => id);
  const candidates = rows
    .filter(({ wasEligible }) => !wasEligible || "courseId" in whose)
    .map(({ id }) => id);
  // A statement of its own, so that it reads what other transactions wrote until they released the locks.
  await db`
    update course_enrollments enrollment
    set (lessons_attended, lessons_required, progress, is_eligible_to_graduate) =
      (now.lessons_attended, now.lessons_required, now.progress, now.is_eligible_to_graduate)
    from course_progress now
    where enrollment.account_id = ${accountId} and enrollment.id = any(${locked}::uuid[])
      and now.account_id = enrollment.account_id and now.enrollment_id = enrollment.id
      and (now.lessons_attended, now.lessons_required, now.progress, now.is_eligible_to_graduate) is distinct from
        (enrollment.lessons_attended, enrollment.lessons_required, enrollment.progress,
          enrollment.is_eligible_to_graduate)`;
  const completed = await db<{ id: string }[]>`
    update course_enrollments enrollment
    set status = 'completed', completed_at = now(), status_changed_at = now(),
      ${revisedBy({ personId: actorId }, "enrollment")}
    from courses course
    where enrollment.account_id = ${accountId} and enrollment.id = any(${candidates}::uuid[])
      and enrollment.status = 'active' and enrollment.is_eligible_to_graduate
      and course.account_id = enrollment.account_id and course.id = enrollment.course_id
      and course.graduation_mode = 'automatic'
    returning enrollment.id`;
  return completed.map(({ id }) => id).sort();
}

/** Locks the enrollments before the attendances and completions from which their progress is computed. */
export async function lockProgress(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  whose: Whose,
): Promise<void> {
  const { column, ids } = whereOf(whose);
  await db`
    select from course_enrollments
    where account_id = ${actor.accountId} and ${raw(column)} = any(${ids}::uuid[])
    order by id for no key update`;
}

function whereOf(whose: Whose): { column: string; ids: readonly string[] } {
  if ("courseId" in whose) return { column: "course_id", ids: [whose.courseId] };
  if ("classId" in whose) return { column: "class_id", ids: [whose.classId] };
  return { column: "id", ids: whose.ids };
}
