import type { Feature } from "../../jsonapi/definition/feature.ts";
import { courses } from "./definition.ts";
import {
  courseClasses,
  courseEnrollments,
  courseLessons,
  courseMaterials,
  courseRequirements,
} from "./related.ts";
import { eventExamples, events } from "./events.ts";
import { linked } from "../../jsonapi/sql/merge.ts";
import { mergeEnrollments } from "./merge.ts";

const permissions = [
  "courses:read",
  "courses:write",
  "courses:delete",
  "course-lessons:read",
  "course-classes:read",
  "course-materials:read",
  "course-requirements:read",
  "course-enrollments:read",
] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

export const coursesFeature: Feature = {
  types: [
    courses,
    courseLessons,
    courseClasses,
    courseMaterials,
    courseRequirements,
    courseEnrollments,
  ],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions.filter((one) => one !== "courses:delete"),
    "secretary": [
      "courses:read",
      "course-lessons:read",
      "course-classes:read",
      "course-requirements:read",
      "course-enrollments:read",
    ],
    "course-coordinator": [
      "courses:read",
      "courses:write",
      "course-lessons:read",
      "course-classes:read",
      "course-materials:read",
      "course-requirements:read",
      "course-enrollments:read",
    ],
    "teacher": [
      "courses:read",
      "course-lessons:read",
      "course-classes:read",
      "course-materials:read",
      "course-enrollments:read",
    ],
  },
  everyone: {
    "courses:read": "account",
    "course-lessons:read": "account",
    "course-classes:read": "account",
    "course-requirements:read": "account",
    "course-enrollments:read": "self",
  },
  events,
  eventExamples,
  personColumns: {
    "course_teachers.person_id": linked("course_teachers", "course_id"),
    "course_class_teachers.person_id": linked("course_class_teachers", "class_id"),
    "course_enrollments.person_id": mergeEnrollments,
  },
  tables: ["course_tags", "course_teachers", "course_class_teachers"],
  demo: async (account) => (await import("./demo.ts")).addDemo(account),
  seed: async (account) => (await import("./seed.ts")).addSeed(account),
};
