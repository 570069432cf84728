import type {
  Appointment,
  MergeConflict,
  MergedPeople,
  Merging,
  Passed,
  PersonColumn,
} from "../../jsonapi/definition/merge.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { conflictOf, dropRivals, moved, type Rival, rivalsOf } from "../../jsonapi/sql/merge.ts";
import { raw } from "../../store/sql.ts";
import { mayReach } from "../../jsonapi/sql/reach.ts";
import { atCourse } from "./classes/fields.ts";
import { storeProgress } from "./enrollments/progress.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

const moveEnrollments = moved("course-enrollments");

const enrollments = {
  type: "course-enrollments",
  table: "course_enrollments",
  within: "class_id",
  best: "array_position(array['completed', 'active', 'failed', 'waitlisted', 'requested', 'withdrawn', 'cancelled'], status)",
  rule: "same-class",
};

/** Rows of which an enrollment can have only one for each value of `within`. The SQL is constant. */
const attendances = {
  type: "course-attendances",
  table: "course_attendances",
  within: "session_id",
  best: "array_position(array['present', 'online', 'late', 'excused', 'absent', 'not-applicable'], status)",
  rule: "same-session",
};

const completions = {
  type: "course-task-completions",
  table: "course_task_completions",
  within: "task_id",
  // Work that waits for its file is worth less than any other.
  best: "awaits_file, array_position(array['accepted', 'submitted', 'returned', 'rejected'], status), points_earned desc nulls last",
  rule: "same-task",
};

/** Keeps the enrollment with the furthest status in each class. It takes the attendances and completions of the others. */
export async function mergeEnrollments(merging: Merging, place: PersonColumn): Promise<Passed> {
  const { accountId, db, keptId, removedIds } = merging;
  // Attendances and completions are locked after their enrollment.
  await db`
    select from course_enrollments
    where account_id = ${accountId} and person_id = any(${[keptId, ...removedIds]}::uuid[])
    order by id for update`;
  const rivals = await rivalsOf(merging, enrollments);
  // Completions are deleted with their enrollment.
  const conflicts = [
    ...(await passToKept(merging, attendances, rivals)),
    ...(await passToKept(merging, completions, rivals)),
    ...(await dropRivals(merging, enrollments, rivals)),
  ];
  await storeProgress(merging, { ids: rivals.map(({ kept }) => kept) });
  return { ...(await moveEnrollments(merging, place)), conflicts };
}

/** Moves rows of the dropped enrollments to the kept ones. Where both have a row, the better one stays. */
async function passToKept(
  { accountId, actorId, db }: Merging,
  owned: typeof attendances,
  rivals: readonly Rival[],
): Promise<MergeConflict[]> {
  const { best, table, within } = owned;
  const pairs = db`unnest(${rivals.map(({ kept }) => kept)}::uuid[], ${rivals.map(({ dropped }) => dropped)}::uuid[])
    as pair (kept, dropped)`;
  const clashes = await db<Rival[]>`
    with ranked as (
      select owned.id, first_value(owned.id) over (
        partition by ${raw(within)}, coalesce(pair.kept, owned.enrollment_id)
        order by ${raw(best)}, (pair.kept is not null), owned.id) as best_id
      from ${db(table)} owned left join ${pairs} on pair.dropped = owned.enrollment_id
      where owned.account_id = ${accountId} and owned.enrollment_id = any(${rivals.flatMap(({ dropped, kept }) => [kept, dropped])}::uuid[])
    )
    delete from ${db(table)} clash using ranked
    where clash.account_id = ${accountId} and clash.id = ranked.id and ranked.id <> ranked.best_id
    returning ranked.best_id as kept, clash.id as dropped`;
  await db`
    update ${db(table)} owned set enrollment_id = pair.kept, ${revisedBy({ personId: actorId })}
    from ${pairs} where owned.account_id = ${accountId} and owned.enrollment_id = pair.dropped`;
  return clashes.map((clash) => conflictOf(owned, clash));
}

/** The classes of removed people that the kept person does not teach. */
export async function classesGained(
  context: WriteContext,
  { keptId, removedIds }: MergedPeople,
): Promise<Appointment[]> {
  const { actor, catalogue, db } = context;
  const taught = await db<{ personId: string; classId: string }[]>`
    select person_id as "personId", class_id as "classId" from course_class_teachers taught
    where account_id = ${actor.accountId} and person_id = any(${[...removedIds]}::uuid[])
      and not exists (select from course_class_teachers own
        where own.account_id = taught.account_id and own.class_id = taught.class_id and own.person_id = ${keptId})`;
  const classes = definitionOf(catalogue, "course-classes");
  const gained: Appointment[] = [];
  for (const { classId, personId } of taught)
    gained.push({ personId, mayGive: await mayReach(context, atCourse, classes, classId) });
  return gained;
}
