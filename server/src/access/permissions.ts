/** Every permission. Each feature adds its own with `declare module`, next to the permissions of its manifest. */
export interface Permissions {}

/** `people:read`. A role is a set of these. */
export type Permission = keyof Permissions;
