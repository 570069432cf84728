import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const multiplicationStatuses = ["proposed", "rejected", "done"] as const;

/** `approved` is only sent. An approved multiplication is carried out at once and is then `done`. */
export type MultiplicationStatus = (typeof multiplicationStatuses)[number] | "approved";

const approver = "`cell-multiplications:approve`";

export const multiplicationChanges: readonly StatusChange<MultiplicationStatus>[] = [
  { from: "proposed", to: ["approved"], by: approver, becomes: "done" },
  { from: "proposed", to: ["rejected"], by: approver },
];

export const multiplicationTransitions = transitionsOf<MultiplicationStatus>(
  [...multiplicationStatuses, "approved"],
  multiplicationChanges,
);
