import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const meetingStatuses = ["scheduled", "held", "not-held", "cancelled"] as const;

export type MeetingStatus = (typeof meetingStatuses)[number];

const reporter = "`cell-meetings:report`";
const planner = "`cell-meetings:write`";

export const meetingChanges: readonly StatusChange<MeetingStatus>[] = [
  { from: "scheduled", to: ["held", "not-held"], by: reporter },
  { from: "scheduled", to: ["cancelled"], by: planner },
  { from: "held", to: ["not-held"], by: reporter },
  { from: "not-held", to: ["held"], by: reporter },
  { from: "cancelled", to: ["scheduled"], by: planner },
];

export const meetingTransitions = transitionsOf(meetingStatuses, meetingChanges);
