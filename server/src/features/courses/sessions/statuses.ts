import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const sessionStatuses = ["planned", "held", "cancelled"] as const;

export type SessionStatus = (typeof sessionStatuses)[number];

const staff = "`course-sessions:write`";

export const sessionChanges: readonly StatusChange<SessionStatus>[] = [
  { from: "planned", to: ["held"], by: `${staff}, or the first attendance` },
  { from: "planned", to: ["cancelled"], by: staff },
  { from: "held", to: ["planned"], by: staff },
  { from: "cancelled", to: ["planned"], by: staff },
];

export const sessionTransitions = transitionsOf(sessionStatuses, sessionChanges);
