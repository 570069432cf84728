import type { Transitions } from "../../../base/transitions.ts";

export const sessionStatuses = ["planned", "held", "cancelled"] as const;

export type SessionStatus = (typeof sessionStatuses)[number];

export const sessionTransitions: Transitions<SessionStatus> = {
  planned: ["held", "cancelled"],
  held: ["planned"],
  cancelled: ["planned"],
};
