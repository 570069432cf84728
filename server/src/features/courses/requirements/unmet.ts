import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";

/** A requirement that a person does not meet, as `meta.unmet` shows it. */
export interface Unmet {
  "requirement": string;
  "kind": string;
  "required-course"?: string;
  "detail": string;
}

interface Row {
  id: string;
  kind: "course" | "membership-status" | "baptized" | "minimum-age" | "cell-member";
  blocks: boolean;
  requiredCourse: string | null;
  courseName: string | null;
  value: unknown;
}

/**
 * 422 for requirements that block the enrollment of a person, unless they are waived. Returns the unmet requirements that
 * only warn.
 */
export async function assertRequirementsMet(
  context: WriteContext,
  enrolling: { courseId: string; personId: string; areWaived: boolean },
): Promise<readonly Unmet[]> {
  const rows = await unmetRows(context, enrolling);
  const blocking = rows.filter(({ blocks }) => blocks);
  if (blocking.length > 0 && !enrolling.areWaived)
    throw fail(
      "requirements-unmet",
      "The person does not meet the requirements of the course.",
      { pointer: "/data" },
      { unmet: blocking.map(describeUnmet) },
    );
  return rows.filter(({ blocks }) => !blocks).map(describeUnmet);
}

const unmetRows = (
  { actor, db }: WriteContext,
  { courseId, personId }: { courseId: string; personId: string },
): Promise<Row[]> => db<Row[]>`
  select requirement.id, requirement.kind, requirement.enforcement = 'block' as blocks,
    requirement.required_course_id as "requiredCourse", required.name as "courseName", requirement.value
  from course_requirements requirement
  join person_facts person on person.account_id = requirement.account_id and person.person_id = ${personId}
  left join courses required
    on required.account_id = requirement.account_id and required.id = requirement.required_course_id
  where requirement.account_id = ${actor.accountId} and requirement.course_id = ${courseId}
    and not coalesce(case requirement.kind
      when 'course' then exists (
        select from course_enrollments taken
        where taken.account_id = person.account_id and taken.person_id = person.person_id
          and taken.course_id = requirement.required_course_id
          and (taken.status = 'completed' or requirement.relation = 'corequisite' and taken.status = 'active'))
      when 'membership-status' then requirement.value ? person.membership_status
      when 'baptized' then person.is_baptized
      when 'minimum-age' then person.age >= (requirement.value #>> '{}')::integer
      when 'cell-member' then exists (
        select from active_cell_memberships membership
        where membership.account_id = person.account_id and membership.person_id = person.person_id
          and membership.is_member)
    end, false)
  order by requirement.created_at, requirement.id`;

const describeUnmet = ({ courseName, id, kind, requiredCourse, value }: Row): Unmet => {
  const details: Record<Row["kind"], string> = {
    "course": `Has not completed ${courseName}.`,
    "membership-status": `The membership status is not ${[value].flat().join(" or ")}.`,
    "baptized": "Is not recorded as baptized.",
    "minimum-age": `Is not recorded as ${String(value)} years old.`,
    "cell-member": "Is not a member of a cell.",
  };
  return {
    "requirement": id,
    kind,
    ...(requiredCourse !== null && { "required-course": requiredCourse }),
    "detail": details[kind],
  };
};
