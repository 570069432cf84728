import { lockPeople } from "../../../access/locks.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { HeldSession } from "./held-session.ts";

/** An enrollment that this transaction has locked, so that its status stays. */
export interface HeldEnrollment {
  id: string;
  personId: string;
  /** Whether the enrollment takes attendances of the session. */
  takesPart: boolean;
}

/** Locks those of the enrollments that belong to the class of the session. */
export async function holdEnrollments(
  { actor, db }: WriteContext,
  { classId, date }: HeldSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HeldEnrollment>> {
  const { accountId } = actor;
  // Attendances refer to people. A merge or the deletion of a person locks people first.
  const people = db`
    select person_id from course_enrollments where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`;
  await lockPeople(db, accountId, people, "key share");
  const held = await db<HeldEnrollment[]>`
    select id, person_id as "personId",
      is_student(status) or (status in ('withdrawn', 'failed')
        and ${date}::date <= (status_changed_at at time zone time_zone_of(account_id))::date) as "takesPart"
    from course_enrollments
    where account_id = ${accountId} and class_id = ${classId} and id = any(${[...ids]}::uuid[])
    order by id for no key update`;
  return new Map(held.map((enrollment) => [enrollment.id, enrollment]));
}
