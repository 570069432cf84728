import type { Transitions } from "../../../base/transitions.ts";

export const completionStatuses = ["submitted", "accepted", "rejected", "returned"] as const;

export type CompletionStatus = (typeof completionStatuses)[number];

/** The statuses that a review sets. Work that was rejected or returned is `submitted` when it is handed in again. */
export const reviewTransitions: Transitions<CompletionStatus> = {
  submitted: ["accepted", "rejected", "returned"],
  accepted: ["returned"],
  rejected: [],
  returned: [],
};
