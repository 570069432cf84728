import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  choice,
  defaulted,
  describe,
  example,
  readOnly,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { requirementKinds, requirementValue } from "./kinds.ts";
import { createRequirement, updateRequirement } from "./write-requirement.ts";

export const courseRequirements = resource({
  type: "course-requirements",
  description: "A condition for enrolling in a course.",
  table: "course_requirements",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "kind": describe(choice(requirementKinds), { onlyCreated: true, example: "minimum-age" }),
    "enforcement": describe(defaulted(choice(["block", "warn"])), {
      example: "warn",
      description: "An unmet requirement prevents the enrollment, or only warns.",
    }),
    "relation": describe(defaulted(choice(["prerequisite", "corequisite"])), {
      description: "A `corequisite` is also met while the person is active in the course.",
    }),
    "value": example(16, requirementValue()),
  },
  relationships: {
    ...authorship,
    "course": toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    "required-course": toOne("courses", {
      column: "required_course_id",
      onlyCreated: true,
      cascades: true,
    }),
  },
  filters: {
    course: { match: "id", column: "course_id" },
    kind: { match: "one-of", column: "kind", values: requirementKinds },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
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
      detail: "Only the kind course names a course.",
    },
  },
});
