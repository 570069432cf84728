import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const requestStatuses = ["pending", "approved", "declined", "cancelled"] as const;

export type RequestStatus = (typeof requestStatuses)[number];

export const requestChanges: readonly StatusChange<RequestStatus>[] = [
  { from: "pending", to: ["approved", "declined"], by: "`cell-join-requests:approve`" },
  { from: "pending", to: ["cancelled"], by: "the requester" },
];

export const requestTransitions = transitionsOf(requestStatuses, requestChanges);
