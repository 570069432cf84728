import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { choice, readOnly, timestamp } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

export const courseRequirements = resource({
  type: "course-requirements",
  description: "A condition for enrolling in a course.",
  table: "course_requirements",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    kind: readOnly(
      choice(["course", "membership-status", "baptized", "minimum-age", "cell-member"]),
    ),
  },
  relationships: {
    ...authorship,
    "course": linkOnly(toOne("courses", { column: "course_id" })),
    "required-course": linkOnly(toOne("courses", { column: "required_course_id" })),
  },
  filters: { course: { match: "id", column: "course_id" } },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "id",
  operations: {
    list: can("course-requirements:read"),
    read: can("course-requirements:read"),
  },
  reach: { course: column("course_id") },
});
