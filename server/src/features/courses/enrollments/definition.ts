import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { choice, readOnly, timestamp } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

const enrollmentStatuses = [
  "requested",
  "waitlisted",
  "active",
  "completed",
  "failed",
  "withdrawn",
  "cancelled",
] as const;

export const courseEnrollments = resource({
  type: "course-enrollments",
  description: "The enrollment of a person in a course or one of its classes.",
  table: "course_enrollments",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    status: readOnly(choice(enrollmentStatuses)),
  },
  relationships: {
    ...authorship,
    course: linkOnly(toOne("courses", { column: "course_id" })),
    class: linkOnly(toOne("course-classes", { column: "class_id" })),
    person: linkOnly(toOne("people", { column: "person_id" })),
  },
  filters: {
    course: { match: "id", column: "course_id" },
    class: { match: "id", column: "class_id" },
    person: { match: "id", column: "person_id" },
    status: { match: "one-of", column: "status", values: enrollmentStatuses },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "id",
  operations: { list: can("course-enrollments:read"), read: can("course-enrollments:read") },
  reach: {
    "self": column("person_id"),
    "course": column("course_id"),
    "course-class": column("class_id"),
  },
});
