import type { Transitions } from "../../../base/transitions.ts";

export const multiplicationStatuses = ["proposed", "rejected", "done"] as const;

/** `approved` is only sent. An approved multiplication is carried out at once and is then `done`. */
export type MultiplicationStatus = (typeof multiplicationStatuses)[number] | "approved";

export const multiplicationTransitions: Transitions<MultiplicationStatus> = {
  proposed: ["approved", "rejected"],
  approved: [],
  rejected: [],
  done: [],
};
