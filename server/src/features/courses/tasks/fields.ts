import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  integer,
  optional,
  lines,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { due } from "./due.ts";

export const assignees = ["student", "teacher"] as const;

export const taskFields = {
  attributes: {
    ...timestamps,
    "name": example("Read John 3", named(200)),
    "instructions": optional(lines({ maxLength: 20_000 })),
    "is-mandatory": describe(defaulted(boolean()), {
      description: "A student graduates after all mandatory tasks for students are accepted.",
    }),
    "assigned-to": defaulted(choice(assignees)),
    "submission-type": defaulted(choice(["none", "text", "url", "file"])),
    "due": due(),
    "points": example(10, optional(integer({ minimum: 0, maximum: 10_000 }))),
    "order": example(1, optional(integer({ minimum: 0, maximum: 1_000_000 }))),
  },
  relationships: {
    ...authorship,
    course: toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    lesson: toOne("course-lessons", { column: "lesson_id" }),
  },
};

export type TaskFields = typeof taskFields;
