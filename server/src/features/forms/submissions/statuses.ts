import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const submissionStatuses = ["new", "processed", "rejected", "spam", "archived"] as const;

export type SubmissionStatus = (typeof submissionStatuses)[number];

const staff = "`form-submissions:write`";

export const submissionChanges: readonly StatusChange<SubmissionStatus>[] = [
  { from: "new", to: ["processed"], by: `${staff}, or the service` },
  { from: "new", to: ["rejected", "spam", "archived"], by: staff },
  { from: "spam", to: ["new", "archived"], by: staff },
  { from: "rejected", to: ["new", "archived", "spam"], by: staff },
  { from: "processed", to: ["archived"], by: staff },
];

export const submissionTransitions = transitionsOf(submissionStatuses, submissionChanges);
