import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createLesson, deleteLesson, updateLesson, numberTaken } from "./write-lesson.ts";
import { lessonFields } from "./fields.ts";

export const courseLessons = resource({
  type: "course-lessons",
  description: "A lesson of a course.",
  table: "course_lessons",
  ...lessonFields,
  filters: {
    "course": { match: "id", column: "course_id" },
    "is-active": { match: "boolean", column: "is_active" },
    "is-mandatory": { match: "boolean", column: "is_mandatory" },
  },
  sorts: {
    ...timeSorts,
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
      breaks: { rule: "max", limit: 500 },
    },
    // The operations name the lesson that has the number. Two requests at once fail here.
    course_lessons_number_key: numberTaken,
  },
});
