import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const requestStatuses = ["pending", "approved", "declined", "cancelled"] as const;

export type RequestStatus = (typeof requestStatuses)[number];

const staff = "`course-enrollments:write`";

export const requestChanges: readonly StatusChange<RequestStatus>[] = [
  { from: "pending", to: ["approved"], by: `${staff}, or the service` },
  { from: "pending", to: ["declined"], by: staff },
  { from: "pending", to: ["cancelled"], by: `${staff}, for a visitor who no longer wants to come` },
];

export const requestTransitions = transitionsOf(requestStatuses, requestChanges);
