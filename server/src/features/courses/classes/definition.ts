import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { choice, readOnly, text, timestamp } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

export const courseClasses = resource({
  type: "course-classes",
  description: "A class of a course, with its teachers and its students.",
  table: "course_classes",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    name: readOnly(text({ maxLength: 200 })),
    status: readOnly(choice(["draft", "open", "in-progress", "finished", "cancelled"])),
  },
  relationships: {
    ...authorship,
    course: linkOnly(toOne("courses", { column: "course_id" })),
    teachers: linkOnly(
      toMany("people", { table: "course_class_teachers", from: "class_id", to: "person_id" }),
    ),
    enrollments: linkOnly(
      toMany("course-enrollments", { table: "course_enrollments", from: "class_id", to: "id" }),
    ),
  },
  filters: {
    course: { match: "id", column: "course_id" },
    teacher: {
      needs: "people:read",
      match: "related",
      table: "course_class_teachers",
      from: "class_id",
      to: "person_id",
    },
    status: {
      match: "one-of",
      column: "status",
      values: ["draft", "open", "in-progress", "finished", "cancelled"],
    },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
    name: { column: "name_folded" },
  },
  defaultSort: "name",
  operations: { list: can("course-classes:read"), read: can("course-classes:read") },
  reach: { "course": column("course_id"), "course-class": column("id") },
});
