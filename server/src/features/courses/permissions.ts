import type { PresetCode } from "../../access/rights.ts";

/** The permissions of courses, and the preset roles that have them. */

const teacher = [
  "courses:read",
  "course-lessons:read",
  "course-classes:read",
  "course-classes:write",
  "course-sessions:read",
  "course-sessions:write",
  "course-enrollments:read",
  "course-enrollments:write",
  "course-attendances:read",
  "course-attendances:write",
  "course-materials:read",
  "course-materials:write",
  "course-tasks:read",
  "course-task-completions:read",
  "course-task-completions:write",
] as const;

const coordinator = [
  ...teacher,
  "courses:write",
  "course-lessons:write",
  "course-requirements:read",
  "course-requirements:write",
  "course-enrollments:approve",
  "course-tasks:write",
] as const;

export const permissions = [...coordinator, "courses:delete"] as const;

export const presets = {
  "administrator": permissions,
  "pastor": coordinator,
  "secretary": [
    "courses:read",
    "course-lessons:read",
    "course-requirements:read",
    "course-classes:read",
    "course-enrollments:read",
    "course-enrollments:write",
    "course-attendances:read",
  ],
  "course-coordinator": coordinator,
  "teacher": teacher,
} as const satisfies Partial<Record<PresetCode, readonly (typeof permissions)[number][]>>;
