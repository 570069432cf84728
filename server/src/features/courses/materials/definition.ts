import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { choice, readOnly, text, timestamp } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

export const courseMaterials = resource({
  type: "course-materials",
  description: "Course material for students or for teachers.",
  table: "course_materials",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    title: readOnly(text({ maxLength: 200 })),
    audience: readOnly(choice(["student", "teacher"])),
  },
  relationships: { ...authorship, course: linkOnly(toOne("courses", { column: "course_id" })) },
  filters: {
    course: { match: "id", column: "course_id" },
    audience: { match: "one-of", column: "audience", values: ["student", "teacher"] },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "id",
  operations: { list: can("course-materials:read"), read: can("course-materials:read") },
  reach: { course: column("course_id") },
});
