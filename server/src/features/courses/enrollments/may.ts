import { notThrough } from "../../../access/policy.ts";
import { at, caller, inAccount, onRow } from "../../../jsonapi/definition/row-conditions.ts";

/** The rules of `update-enrollment.ts`, as `meta.may` shows them. */

export const mayApprove = at("course-enrollments:approve");

const isStaff = at(notThrough("self", "course-enrollments:write"));

/** Approvers correct results, and staff let people into the class. */
const isResult = onRow`course_enrollments.status in ('completed', 'failed')`;

export const mayAccept = onRow`case when ${isResult} then ${mayApprove} else ${isStaff} end`;

export const mayWithdraw = onRow`${isStaff} or course_enrollments.person_id = ${caller}`;

export const mayAcceptEnrollment = onRow`not course_enrollments.is_accepted
  and (course_enrollments.person_id = ${caller} or ${inAccount("course-enrollments:write")})`;

export const isIneligible = onRow`not course_enrollments.is_eligible_to_graduate and not course_enrollments.graduation_waived`;

const classWhere = (
  condition: string,
) => onRow`not ${isResult} and exists (select from course_classes class
  join courses course on course.account_id = class.account_id and course.id = class.course_id
  where class.account_id = course_enrollments.account_id and class.id = course_enrollments.class_id and ${condition})`;

/** The class, or its course, takes no students. */
export const refusesStudents = {
  "class-not-open": classWhere("class.status not in ('open', 'in-progress')"),
  "enrollment-closed": classWhere("not course.is_active"),
  "class-full": classWhere(`class.seats <= (select count(*) from course_enrollments student
    where student.account_id = class.account_id and student.class_id = class.id and takes_seat(student.status))`),
};
