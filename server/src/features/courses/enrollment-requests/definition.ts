import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { notAllowedHere } from "../../../base/errors.ts";
import { at, onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { enrollmentRequestFields } from "./fields.ts";
import { requestStatuses } from "./statuses.ts";
import { updateEnrollmentRequest } from "./update-request.ts";

const mayDecide = onRow`${at("course-enrollments:write")}`;

export const courseEnrollmentRequests = resource({
  type: "course-enrollment-requests",
  description: "A request of a visitor of a website to enroll in a class.",
  table: "course_enrollment_requests",
  ...enrollmentRequestFields,
  filters: {
    class: { match: "id", column: "class_id" },
    course: { match: "id", column: "course_id" },
    status: { match: "one-of", column: "status", values: requestStatuses },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("course-enrollments:write"),
    read: can("course-enrollments:write"),
    update: {
      allow: can("course-enrollments:write"),
      refuses: [
        "invalid-transition",
        "already-exists",
        "class-full",
        "class-not-open",
        "enrollment-closed",
        "requirements-unmet",
      ],
      run: updateEnrollmentRequest,
    },
  },
  actions: {
    accept: { sets: { status: "approved" }, allowedIf: mayDecide },
    decline: { sets: { status: "declined" }, allowedIf: mayDecide },
    cancel: { sets: { status: "cancelled" }, allowedIf: mayDecide },
  },
  place: "class",
  reach: {
    "course": column("course_id"),
    "course-class": column("class_id"),
  },
  constraints: {
    course_enrollment_requests_names_someone: {
      pointer: "/data/attributes/status",
      breaks: notAllowedHere("A pending request has a contact or a person."),
    },
  },
});
