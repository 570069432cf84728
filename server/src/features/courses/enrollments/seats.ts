import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";
import type { Tx } from "../../../store/db.ts";

/**
 * Seats are counted one transaction after the other, because each of them holds the class. The order of locks is course,
 * class, enrollments by id.
 */

export interface LockedClass {
  id: string;
  courseId: string;
  status: "draft" | "open" | "in-progress" | "finished" | "cancelled";
  waitlistEnabled: boolean;
  /** Now is between `enrollment-opens-at` and `enrollment-closes-at`. */
  isTimeToEnroll: boolean;
  courseIsActive: boolean;
  enrollmentPolicy: "open" | "request" | "closed";
  hasPrice: boolean;
}

/** Keeps a course from being deleted until the transaction ends. */
export const lockCourse = (tx: Tx, accountId: string, courseId: string): Promise<unknown> => tx`
  select from courses where account_id = ${accountId} and id = ${courseId} for key share`;

/** Reads a class and its course, and locks the class until the transaction ends. */
export async function lockClass(
  tx: Tx,
  { accountId, classId }: { accountId: string; classId: string },
): Promise<LockedClass | undefined> {
  // Enrollments refer to the course, and deleting a course deletes its classes.
  await tx`
    select from courses
    where account_id = ${accountId}
      and id = (select course_id from course_classes where account_id = ${accountId} and id = ${classId})
    for key share`;
  const [locked] = await tx<LockedClass[]>`
    select class.id, class.course_id as "courseId", class.status, class.waitlist_enabled as "waitlistEnabled",
      coalesce(class.enrollment_opens_at <= now(), true) and coalesce(class.enrollment_closes_at > now(), true)
        as "isTimeToEnroll",
      course.is_active as "courseIsActive", course.enrollment_policy as "enrollmentPolicy",
      coalesce(course.price > 0, false) as "hasPrice"
    from course_classes class
    join courses course on course.account_id = class.account_id and course.id = class.course_id
    where class.account_id = ${accountId} and class.id = ${classId} for no key update of class`;
  return locked;
}

/** The number of free seats in a locked class. Infinity if the class has no limit. */
export async function freeSeats(
  tx: Tx,
  { accountId, classId }: { accountId: string; classId: string },
): Promise<number> {
  const [row] = await tx<{ free: number | null }[]>`
    select class.seats - (
      select count(*) from course_enrollments
      where account_id = class.account_id and class_id = class.id and takes_seat(status)) as free
    from course_classes class where class.account_id = ${accountId} and class.id = ${classId}`;
  return Math.max(0, row?.free ?? Infinity);
}

/**
 * Passes the free seats of a class that the caller holds to the enrollments that have waited longest. A class that is over
 * admits no more people.
 */
export async function admitWaiting(context: WriteContext, classId: string): Promise<void> {
  const { actor, db } = context;
  const { accountId } = actor;
  const free = await freeSeats(db, { accountId, classId });
  if (free === 0) return;
  const admitted = await db<{ id: string }[]>`
    with next as (
      select waiting.id from course_enrollments waiting
      join course_classes class on class.account_id = waiting.account_id and class.id = waiting.class_id
      where waiting.account_id = ${accountId} and waiting.class_id = ${classId} and waiting.status = 'waitlisted'
        and class.status not in ('finished', 'cancelled')
      order by waiting.created_at, waiting.id
      limit ${free === Infinity ? null : free}::bigint
    ), held as (
      select id from course_enrollments
      where account_id = ${accountId} and id in (select id from next)
      order by id for no key update)
    update course_enrollments set status = 'active', status_changed_at = now(), ${revisedBy(actor)}
    where account_id = ${accountId} and id in (select id from held)
    returning id`;
  const ids = admitted.map(({ id }) => id).sort();
  await captureRows(context, "course-enrollments", "course-enrollment.updated", ids, ["status"]);
}

/**
 * Locks the courses, classes and sessions that show people, and holds the classes in which they have seats. The returned function
 * passes the seats on, after the people were deleted or merged. It also holds classes in which no person waits yet, because a
 * person can enroll in the meantime.
 */
export async function lockCoursesOf(
  { actor, db, ...context }: WriteContext,
  personIds: readonly string[],
): Promise<() => Promise<void>> {
  const { accountId } = actor;
  const people = db`any(${[...personIds]}::uuid[])`;
  await db`
    select from courses where account_id = ${accountId} and id in (
      select course_id from course_teachers where account_id = ${accountId} and person_id = ${people}
      union select course_id from course_enrollments where account_id = ${accountId} and person_id = ${people})
    order by id for no key update`;
  const classes = await db<{ id: string; hasSeat: boolean }[]>`
    select id, seats is not null and exists (select from course_enrollments seat
        where seat.account_id = ${accountId} and seat.class_id = course_classes.id and seat.person_id = ${people}
          and takes_seat(seat.status)) as "hasSeat"
    from course_classes where account_id = ${accountId} and id in (
      select class_id from course_class_teachers where account_id = ${accountId} and person_id = ${people}
      union select class_id from course_enrollments where account_id = ${accountId} and person_id = ${people})
    order by id for no key update`;
  await db`
    select from course_sessions where account_id = ${accountId} and teacher_id = ${people}
    order by id for no key update`;
  return async () => {
    for (const { hasSeat, id } of classes)
      if (hasSeat) await admitWaiting({ ...context, actor, db }, id);
  };
}
