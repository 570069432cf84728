import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createEnrollment } from "./create-enrollment.ts";
import { deleteEnrollment } from "./delete-enrollment.ts";
import { enrollmentStatuses } from "./statuses.ts";
import { updateEnrollment } from "./update-enrollment.ts";
import { paymentStatuses, enrollmentFields } from "./fields.ts";
import { alreadyEnrolled } from "./admission.ts";
import { onRow } from "../../../jsonapi/definition/row-conditions.ts";
import {
  isIneligible,
  mayAccept,
  mayAcceptEnrollment,
  mayApprove,
  mayWithdraw,
  refusesStudents,
} from "./may.ts";
import { customValuesSize } from "../../../jsonapi/definition/custom-fields.ts";

const personName = `(select person.name_folded from person_facts person
  where person.account_id = course_enrollments.account_id and person.person_id = course_enrollments.person_id)`;

export const courseEnrollments = resource({
  type: "course-enrollments",
  description: "The enrollment of a person in a class, with the progress towards graduation.",
  table: "course_enrollments",
  ...enrollmentFields,
  filters: {
    "course": { match: "id", column: "course_id" },
    "class": { match: "id", column: "class_id" },
    "person": { match: "id", column: "person_id" },
    "status": { match: "one-of", column: "status", values: enrollmentStatuses },
    "eligible": { match: "boolean", column: "is_eligible_to_graduate" },
    "enrolled-since": { match: "since", column: "enrolled_at" },
    "payment-status": { match: "one-of", column: "payment_status", values: paymentStatuses },
  },
  sorts: {
    ...timeSorts,
    "enrolled-at": { column: "enrolled_at" },
    "person": { column: personName, nullable: true },
    "progress": { column: "progress" },
  },
  defaultSort: "enrolled-at",
  operations: {
    list: can("course-enrollments:read"),
    read: can("course-enrollments:read"),
    create: {
      allow: can("course-enrollments:write"),
      anyScope: ["course-enrollments:write", "course-enrollments:approve"],
      description:
        "People enroll themselves by the `enrollment-policy` of the course. `data.meta.unmet` lists unmet requirements that only warn.",
      refuses: [
        "already-exists",
        "class-full",
        "class-not-open",
        "enrollment-closed",
        "requirements-unmet",
      ],
      run: createEnrollment,
    },
    update: {
      allow: can("course-enrollments:write", "course-enrollments:approve"),
      description:
        "When the enrollment leaves `requested`, `data.meta.unmet` lists unmet requirements that only warn. The person or the office accepts an enrollment by `is-accepted`.",
      refuses: [
        "person-anonymized",
        "already-exists",
        "class-full",
        "class-not-open",
        "enrollment-closed",
        "invalid-transition",
        "not-eligible-to-graduate",
        "requirements-unmet",
      ],
      changesIf: {
        "status": onRow`course_enrollments.status not in ('completed', 'failed') or ${mayApprove}`,
        "is-accepted": mayAcceptEnrollment,
        "requirements-waived": onRow`${mayApprove}`,
        "graduation-waived": onRow`${mayApprove}`,
        "waiver-note": onRow`${mayApprove}`,
      },
      run: updateEnrollment,
    },
    delete: { allow: can("course-enrollments:approve"), run: deleteEnrollment },
  },
  actions: {
    accept: { sets: { status: "active" }, allowedIf: mayAccept, refusedIf: refusesStudents },
    decline: { sets: { status: "cancelled" }, allowedIf: mayWithdraw },
    withdraw: { sets: { status: "withdrawn" }, allowedIf: mayWithdraw },
    graduate: {
      sets: { status: "completed" },
      allowedIf: onRow`${mayApprove}`,
      refusedIf: { "not-eligible-to-graduate": isIneligible },
    },
    fail: { sets: { status: "failed" }, allowedIf: onRow`${mayApprove}` },
  },
  place: "class",
  reach: {
    "self": column("person_id"),
    "course": column("course_id"),
    "course-class": column("class_id"),
  },
  customProperties: true,
  captures: { updated: "course-enrollment.updated", deleted: "course-enrollment.deleted" },
  constraints: {
    course_enrollments_current_key: alreadyEnrolled,
    course_enrollments_waiver_has_note: {
      pointer: "/data/attributes/waiver-note",
      code: "missing-attribute",
      breaks: { rule: "required", hint: "A waiver requires a note." },
    },
    ...customValuesSize("course_enrollments"),
  },
});
