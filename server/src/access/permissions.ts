/** Every permission. Each feature adds its own with `declare module`, next to the permissions of its manifest. */
export interface Permissions {}

/** `people:read`. A role is a set of these. */
export type Permission = keyof Permissions;

export const actions = [
  "read",
  "write",
  "delete",
  "report",
  "approve",
  "export",
  "merge",
  "admin",
] as const;
