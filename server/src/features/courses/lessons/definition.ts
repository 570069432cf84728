import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { integer, readOnly, text, timestamp } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

export const courseLessons = resource({
  type: "course-lessons",
  description: "A lesson of a course.",
  table: "course_lessons",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    name: readOnly(text({ maxLength: 200 })),
    number: readOnly(integer({ minimum: 1, maximum: 500 })),
  },
  relationships: { ...authorship, course: linkOnly(toOne("courses", { column: "course_id" })) },
  filters: { course: { match: "id", column: "course_id" } },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
    number: { column: "number" },
  },
  defaultSort: "number",
  operations: { list: can("course-lessons:read"), read: can("course-lessons:read") },
  reach: { course: column("course_id") },
});
