import {
  boolean,
  defaulted,
  describe,
  example,
  integer,
  optional,
  lines,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";

export const lessonFields = {
  attributes: {
    ...timestamps,
    "name": example("The nature of God", named(200)),
    "number": describe(integer({ minimum: 1, maximum: 500 }), {
      example: 12,
      description: "Unique in the course.",
    }),
    "description": optional(lines({ maxLength: 20_000 })),
    "is-mandatory": describe(defaulted(boolean()), {
      description: "A student graduates after attending all mandatory lessons.",
    }),
    "is-active": describe(defaulted(boolean()), {
      description: "Only active lessons count for graduation.",
    }),
    "duration-minutes": example(60, optional(integer({ minimum: 1, maximum: 1_440 }))),
    "content-url": optional(webAddress()),
  },
  relationships: {
    ...authorship,
    course: toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    materials: linkOnly(
      toMany("course-materials", { table: "course_materials", from: "lesson_id", to: "id" }),
    ),
    tasks: linkOnly(toMany("course-tasks", { table: "course_tasks", from: "lesson_id", to: "id" })),
  },
};

export type LessonFields = typeof lessonFields;
