import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  boolean,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createLesson, deleteLesson, updateLesson } from "./write-lesson.ts";

export const courseLessons = resource({
  type: "course-lessons",
  description: "A lesson of a course.",
  table: "course_lessons",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("The nature of God", named(200)),
    "number": describe(integer({ minimum: 1, maximum: 500 }), {
      example: 3,
      description: "Unique in the course.",
    }),
    "description": optional(text({ maxLength: 20_000 })),
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
  filters: {
    "course": { match: "id", column: "course_id" },
    "is-active": { match: "boolean", column: "is_active" },
    "is-mandatory": { match: "boolean", column: "is_mandatory" },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
    "number": { column: "number" },
    "name": { column: "name_folded" },
  },
  defaultSort: "number",
  operations: {
    list: can("course-lessons:read"),
    read: can("course-lessons:read"),
    create: {
      allow: can("course-lessons:write"),
      refuses: ["already-exists"],
      run: createLesson,
    },
    update: {
      allow: can("course-lessons:write"),
      refuses: ["already-exists"],
      run: updateLesson,
    },
    delete: { allow: can("course-lessons:write"), run: deleteLesson },
  },
  place: "course",
  reach: { course: column("course_id") },
  captures: {
    created: "course-lesson.created",
    updated: "course-lesson.updated",
    deleted: "course-lesson.deleted",
  },
  constraints: {
    course_lessons_number_range: {
      pointer: "/data/attributes/number",
      detail: "Must be from 1 to 500.",
    },
    // The operations name the lesson that has the number. Two requests at once fail here.
    course_lessons_number_key: {
      pointer: "/data/attributes/number",
      code: "already-exists",
      detail: "A lesson of the course has this number.",
    },
  },
});
