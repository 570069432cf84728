/**
 * The roles every account starts with. Each feature says in its manifest which of its permissions they have. These are
 * not stored, so a new version that adds a type changes the roles of every account at once.
 */
export const presetRoles = [
  {
    code: "administrator",
    name: "Administrator",
    description:
      "Everything except webhooks, client tokens, administrative status, deletion of people and export.",
  },
  { code: "pastor", name: "Pastor", description: "Reads and edits people, courses and cells." },
  { code: "secretary", name: "Secretary", description: "Keeps the people's records." },
  {
    code: "cell-supervisor",
    name: "Cell supervisor",
    description: "Cares for the cells of a tree.",
  },
  { code: "cell-leader", name: "Cell leader", description: "Leads a cell." },
  { code: "cell-trainee", name: "Cell trainee", description: "Learns to lead a cell." },
  {
    code: "course-coordinator",
    name: "Course coordinator",
    description: "Edits a course and sees its enrollments.",
  },
  { code: "teacher", name: "Teacher", description: "Teaches a class." },
  { code: "form-manager", name: "Form manager", description: "Keeps forms and their submissions." },
  { code: "auditor", name: "Auditor", description: "Reads the audit trail." },
  { code: "member", name: "Member", description: "Rights of every person." },
] as const;

declare module "../../access/rights.ts" {
  interface PresetRoles extends Record<(typeof presetRoles)[number]["code"], true> {}
}
