import {
  choice,
  defaulted,
  describe,
  example,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { requirementKinds, requirementValue } from "./kinds.ts";

export const requirementFields = {
  attributes: {
    ...timestamps,
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
};

export type RequirementFields = typeof requirementFields;
