import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const completionStatuses = ["submitted", "accepted", "rejected", "returned"] as const;

export type CompletionStatus = (typeof completionStatuses)[number];

const reviewer = "`course-task-completions:write`";
const student = "the student, by sending other work";

export const completionChanges: readonly StatusChange<CompletionStatus>[] = [
  { from: "submitted", to: ["accepted", "rejected", "returned"], by: reviewer },
  { from: "accepted", to: ["returned"], by: reviewer },
  { from: "rejected", to: ["submitted"], by: student, follows: true },
  { from: "returned", to: ["submitted"], by: student, follows: true },
];

/** The statuses that a review sets. */
export const reviewTransitions = transitionsOf(completionStatuses, completionChanges);
