import { raw } from "sql-template-tag";
import { notFound } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { type LockedClass, lockClass } from "./seats.ts";
import type { EnrollmentStatus } from "./statuses.ts";

export interface LockedEnrollment {
  id: string;
  personId: string;
  status: EnrollmentStatus;
  isAccepted: boolean;
  "requirements-waived": boolean;
  "graduation-waived": boolean;
  "waiver-note": string | null;
}

/**
 * Locks the class of an enrollment, then the enrollment together with the next one that waits, in the order of their ids.
 * A seat can then pass without another lock. A deletion locks `for update`, because a stronger lock later could deadlock.
 */
export async function lockEnrollment(
  { actor, db }: WriteContext,
  id: string,
  lock: "for no key update" | "for update",
): Promise<{ lockedClass: LockedClass; enrollment: LockedEnrollment }> {
  const { accountId } = actor;
  const [place] = await db<{ classId: string }[]>`
    select class_id as "classId" from course_enrollments where account_id = ${accountId} and id = ${id}`;
  const lockedClass = place && (await lockClass(db, { accountId, classId: place.classId }));
  if (!lockedClass) throw notFound();
  const locked = await db<LockedEnrollment[]>`
    select id, person_id as "personId", status, is_accepted as "isAccepted", requirements_waived as "requirements-waived",
      graduation_waived as "graduation-waived", waiver_note as "waiver-note"
    from course_enrollments
    where account_id = ${accountId} and (id = ${id} or id = (
      select id from course_enrollments
      where account_id = ${accountId} and class_id = ${lockedClass.id} and status = 'waitlisted'
      order by created_at, id limit 1))
    order by id ${raw(lock)}`;
  const enrollment = locked.find((one) => one.id === id);
  if (!enrollment) throw notFound();
  return { lockedClass, enrollment };
}
