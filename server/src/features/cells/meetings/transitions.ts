import type { Transitions } from "../../../base/transitions.ts";

export const meetingStatuses = ["scheduled", "held", "not-held", "cancelled"] as const;

export type MeetingStatus = (typeof meetingStatuses)[number];

export const meetingTransitions: Transitions<MeetingStatus> = {
  "scheduled": ["held", "not-held", "cancelled"],
  "held": ["not-held"],
  "not-held": ["held"],
  "cancelled": ["scheduled"],
};
