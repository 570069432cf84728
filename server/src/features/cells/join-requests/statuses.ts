import type { Transitions } from "../../../base/transitions.ts";

export const requestStatuses = ["pending", "approved", "declined", "cancelled"] as const;

export type RequestStatus = (typeof requestStatuses)[number];

export const requestTransitions: Transitions<RequestStatus> = {
  pending: ["approved", "declined", "cancelled"],
  approved: [],
  declined: [],
  cancelled: [],
};
