import type { Permission } from "./policy.ts";

/**
 * The roles every church starts with. Their permissions live here, not in the church's rows, so that an upgrade that
 * adds a resource reaches every church at once. A church makes roles of its own for anything else.
 */
export interface PresetRole {
  code: string;
  name: string;
  description: string;
  permissions: readonly Permission[];
}

const staff: readonly Permission[] = [
  "people:read",
  "person-details:read",
  "people:write",
  "people:merge",
  "courses:read",
  "courses:write",
  "courses:delete",
  "course-lessons:read",
  "course-classes:read",
  "course-materials:read",
  "course-requirements:read",
  "course-enrollments:read",
  "cells:read",
  "cell-memberships:read",
  "roles:read",
  "role-assignments:read",
  "role-assignments:write",
  "role-assignments:delete",
  "accounts:read",
];

export const presetRoles: readonly PresetRole[] = [
  {
    code: "administrator",
    name: "Administrator",
    description:
      "Everything but webhooks, client tokens, administrative status, deletion and export.",
    permissions: [...staff, "accounts:write", "roles:write", "roles:delete"],
  },
  {
    code: "pastor",
    name: "Pastor",
    description: "Reads and edits people, courses and cells.",
    permissions: staff,
  },
  {
    code: "secretary",
    name: "Secretary",
    description: "Keeps the people's records.",
    permissions: [
      "people:read",
      "person-details:read",
      "people:write",
      "people:merge",
      "courses:read",
      "course-lessons:read",
      "course-classes:read",
      "course-enrollments:read",
      "cells:read",
      "cell-memberships:read",
      "roles:read",
      "role-assignments:read",
    ],
  },
  {
    code: "cell-supervisor",
    name: "Cell supervisor",
    description: "Cares for the cells of a tree.",
    permissions: ["people:read", "cells:read", "cell-memberships:read"],
  },
  {
    code: "cell-leader",
    name: "Cell leader",
    description: "Leads a cell.",
    permissions: ["people:read", "cells:read", "cell-memberships:read"],
  },
  {
    code: "cell-trainee",
    name: "Cell trainee",
    description: "Learns to lead a cell.",
    permissions: ["cells:read", "cell-memberships:read"],
  },
  {
    code: "course-coordinator",
    name: "Course coordinator",
    description: "Edits a course and sees who is enrolled.",
    permissions: [
      "courses:read",
      "courses:write",
      "course-lessons:read",
      "course-classes:read",
      "course-materials:read",
      "course-requirements:read",
      "course-enrollments:read",
    ],
  },
  {
    code: "teacher",
    name: "Teacher",
    description: "Teaches a class.",
    permissions: [
      "courses:read",
      "course-lessons:read",
      "course-classes:read",
      "course-materials:read",
      "course-enrollments:read",
    ],
  },
  {
    code: "form-manager",
    name: "Form manager",
    description: "Keeps forms and what people submit.",
    permissions: ["forms:read", "forms:write", "form-submissions:read", "form-submissions:write"],
  },
  {
    code: "auditor",
    name: "Auditor",
    description: "Reads what was done by whom.",
    permissions: ["audit-entries:read"],
  },
  { code: "member", name: "Member", description: "What every person may do.", permissions: [] },
];

export const permissionsOfPreset: ReadonlyMap<string, readonly Permission[]> = new Map(
  presetRoles.map((role) => [role.code, role.permissions]),
);

/** Administrative status `administrator` is the preset of that name for the whole church. */
export const administratorPermissions: ReadonlySet<Permission> = new Set(
  permissionsOfPreset.get("administrator"),
);

/** What every active person may do: in the whole church, or with what is their own. */
export const memberPermissions: Readonly<Partial<Record<Permission, "account" | "self">>> = {
  "accounts:read": "account",
  "courses:read": "account",
  "course-lessons:read": "account",
  "course-classes:read": "account",
  "course-requirements:read": "account",
  "roles:read": "account",
  "people:read": "self",
  "person-details:read": "self",
  "people:write": "self",
  "course-enrollments:read": "self",
  "cell-memberships:read": "self",
  "role-assignments:read": "self",
};
