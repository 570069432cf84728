import { lockPeople } from "../../../access/locks.ts";
import { notThrough } from "../../../access/policy.ts";
import { ApiError, fail, notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { mayReach } from "../../../jsonapi/sql/reach.ts";

interface Task {
  courseId: string;
  submissionType: "none" | "text" | "url" | "file";
  points: number | null;
}

/** A task and the enrollment whose student does it. The enrollment is locked. */
export interface LockedWork {
  enrollmentId: string;
  courseId: string;
  classId: string;
  personId: string;
  isActive: boolean;
  task: Task | null;
  /** Whether work that is handed in now is on time. Null if the task has no last day. */
  isOnTime: boolean | null;
}

/** The task and the enrollment of a completion. */
export async function placeOf(
  { actor, db }: WriteContext,
  id: string,
): Promise<{ enrollmentId: string; taskId: string } | undefined> {
  const [place] = await db<{ enrollmentId: string; taskId: string }[]>`
    select enrollment_id as "enrollmentId", task_id as "taskId" from course_task_completions
    where account_id = ${actor.accountId} and id = ${id}`;
  return place;
}

/** The file of a completion, if it has one. */
export async function fileOf({ actor, db }: WriteContext, id: string): Promise<string | null> {
  const [completion] = await db<{ fileId: string | null }[]>`
    select file_id as "fileId" from course_task_completions
    where account_id = ${actor.accountId} and id = ${id}`;
  return completion?.fileId ?? null;
}

/** Locks the course, the class, the person and the enrollment. */
export async function lockWork(
  { actor, db }: WriteContext,
  { enrollmentId, taskId }: { enrollmentId: string; taskId: string },
): Promise<LockedWork | undefined> {
  const { accountId } = actor;
  // Completions refer to the course and the class. A deletion of these locks them first.
  await db`
    select from courses where account_id = ${accountId}
      and id = (select course_id from course_enrollments where account_id = ${accountId} and id = ${enrollmentId})
    for key share`;
  await db`
    select from course_classes where account_id = ${accountId}
      and id = (select class_id from course_enrollments where account_id = ${accountId} and id = ${enrollmentId})
    for key share`;
  const person = db`
    select person_id from course_enrollments where account_id = ${accountId} and id = ${enrollmentId}`;
  await lockPeople(db, accountId, person, "key share");
  await db`
    select from course_enrollments where account_id = ${accountId} and id = ${enrollmentId} for no key update`;
  const [work] = await db<LockedWork[]>`
    select enrollment.id as "enrollmentId", enrollment.course_id as "courseId", enrollment.class_id as "classId",
      enrollment.person_id as "personId", is_student(enrollment.status) as "isActive",
      case when task.id is not null then
        json_build_object('courseId', task.course_id, 'submissionType', task.submission_type, 'points', task.points)
        end as task,
      today_in(${accountId}) <= case task.due ->> 'criterion'
        when 'date' then (task.due ->> 'value')::date
        when 'class-start-offset' then
          (class.starts at time zone time_zone_of(${accountId}))::date + (task.due ->> 'value')::integer
        when 'enrollment-offset' then
          (enrollment.enrolled_at at time zone time_zone_of(${accountId}))::date + (task.due ->> 'value')::integer
        end as "isOnTime"
    from course_enrollments enrollment
    join course_classes class on class.account_id = enrollment.account_id and class.id = enrollment.class_id
    left join course_tasks task on task.account_id = enrollment.account_id and task.id = ${taskId}
    where enrollment.account_id = ${accountId} and enrollment.id = ${enrollmentId}`;
  return work;
}

/** Reviewers reach the work through its class or its course. Students reach only their own. */
export const reviewers = notThrough("self", "course-task-completions:write");

export const mayReview = (context: WriteContext, enrollmentId: string): Promise<boolean> =>
  mayReach(context, reviewers, definitionOf(context.catalogue, "course-enrollments"), enrollmentId);

export function assertActive({ isActive }: LockedWork): void {
  if (!isActive)
    throw fail("enrollment-not-active", "The enrollment is not active.", {
      pointer: "/data/relationships/enrollment/data",
    });
}

/** Rejects what does not fit the task: work that lacks what the task asks for, and more points than the task has. */
export function assertFitsTask(
  { task }: LockedWork,
  {
    handedIn,
    points,
  }: { handedIn: Readonly<Record<string, unknown>> | undefined; points: unknown },
): void {
  const problems: Problem[] = [];
  const { points: most = null, submissionType = "none" } = task ?? {};
  const asksFor =
    submissionType === "text" || submissionType === "url" ? submissionType : undefined;
  if (handedIn && asksFor && (handedIn[asksFor] ?? null) === null)
    refuse(
      problems,
      "missing-attribute",
      { rule: "required", hint: `The task asks for ${asksFor}.` },
      `/data/attributes/${asksFor}`,
    );
  if (typeof points === "number" && (most === null || points > most))
    refuse(
      problems,
      "invalid-attribute",
      most === null ? notAllowedHere("The task has no points.") : { rule: "max", limit: most },
      "/data/attributes/points-earned",
    );
  if (problems.length > 0) throw new ApiError(problems);
}
