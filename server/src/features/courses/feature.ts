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
    "pastor": permissions,
    "secretary": [
      "courses:read",
      "course-lessons:read",
      "course-classes:read",
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
};
