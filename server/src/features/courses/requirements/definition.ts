import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { requirementKinds } from "./kinds.ts";
import { createRequirement, updateRequirement } from "./write-requirement.ts";
import { requirementFields } from "./fields.ts";

export const courseRequirements = resource({
  type: "course-requirements",
  description: "A condition for enrolling in a course.",
  table: "course_requirements",
  ...requirementFields,
  filters: {
    course: { match: "id", column: "course_id" },
    kind: { match: "one-of", column: "kind", values: requirementKinds },
  },
  sorts: timeSorts,
  defaultSort: "id",
  operations: {
    list: can("course-requirements:read"),
    read: can("course-requirements:read"),
    create: {
      allow: can("course-requirements:write"),
      refuses: ["limit-reached", "missing-relationship"],
      run: createRequirement,
    },
    update: { allow: can("course-requirements:write"), run: updateRequirement },
    delete: can("course-requirements:write"),
  },
  place: "course",
  reach: { course: column("course_id") },
  constraints: {
    course_requirements_names_a_course: {
      pointer: "/data/relationships/required-course",
      code: "invalid-relationship",
      breaks: notAllowedHere("Only the kind course names a course."),
    },
  },
});
