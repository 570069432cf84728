import { lockPeople } from "../../../access/locks.ts";
import { fail } from "../../../base/errors.ts";
import { raw } from "../../../store/sql.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";

/** A session that this transaction has locked, so that writes of its attendances follow each other. */
export interface LockedSession {
  id: string;
  courseId: string;
  classId: string;
  lessonId: string | null;
  date: string;
  status: "planned" | "held" | "cancelled";
}

export async function lockSession(
  { actor, db }: WriteContext,
  sessionId: string,
  lock: "for no key update" | "for update" = "for no key update",
): Promise<LockedSession | undefined> {
  const { accountId } = actor;
  // Attendances refer to all three rows. The deletion of a course or a class locks them in this order.
  await db`
    select from courses where account_id = ${accountId}
      and id = (select course_id from course_sessions where account_id = ${accountId} and id = ${sessionId})
    for key share`;
  await db`
    select from course_classes where account_id = ${accountId}
      and id = (select class_id from course_sessions where account_id = ${accountId} and id = ${sessionId})
    for key share`;
  const [session] = await db<LockedSession[]>`
    select id, course_id as "courseId", class_id as "classId", lesson_id as "lessonId", date::text, status
    from course_sessions where account_id = ${accountId} and id = ${sessionId} ${raw(lock)}`;
  return session;
}

/** Locks the session of the document. */
export async function lockNamedSession(
  context: WriteContext,
  sessionId: string,
): Promise<LockedSession> {
  const session = await lockSession(context, sessionId);
  if (session) return session;
  throw absentTarget(context.resource, "session");
}

export function assertNotCancelled({ status }: LockedSession): void {
  if (status === "cancelled")
    throw fail("session-cancelled", "The session is cancelled.", {
      pointer: "/data/relationships/session/data",
    });
}

/** An enrollment that this transaction has locked, so that its status stays. */
export interface LockedEnrollment {
  id: string;
  personId: string;
  /** Whether the enrollment takes attendances of the session. */
  takesPart: boolean;
}

/** Locks those of the enrollments that belong to the class of the session. */
export async function lockEnrollments(
  { actor, db }: WriteContext,
  { classId, date }: LockedSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedEnrollment>> {
  const { accountId } = actor;
  // Attendances refer to people. A merge or the deletion of a person locks people first.
  const people = db`
    select person_id from course_enrollments where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`;
  await lockPeople(db, accountId, people, "key share");
  const locked = await db<LockedEnrollment[]>`
    select id, person_id as "personId",
      is_student(status) or (status in ('withdrawn', 'failed')
        and ${date}::date <= (status_changed_at at time zone time_zone_of(account_id))::date) as "takesPart"
    from course_enrollments
    where account_id = ${accountId} and class_id = ${classId} and id = any(${[...ids]}::uuid[])
    order by id for no key update`;
  return new Map(locked.map((enrollment) => [enrollment.id, enrollment]));
}

/** Locks the session and the enrollment of an attendance. */
export async function lockAttendance(
  context: WriteContext,
  id: string,
): Promise<{ session: LockedSession; enrollmentId: string } | undefined> {
  const { actor, db } = context;
  const [row] = await db<{ sessionId: string; enrollmentId: string }[]>`
    select session_id as "sessionId", enrollment_id as "enrollmentId" from course_attendances
    where account_id = ${actor.accountId} and id = ${id}`;
  const session = row && (await lockSession(context, row.sessionId));
  if (!session) return undefined;
  await lockEnrollments(context, session, [row.enrollmentId]);
  return { session, enrollmentId: row.enrollmentId };
}
