import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import type {
  CellFrequency,
  CellMeetingReportStatus,
  CellMeetingStatus,
  CellMembershipCellRole,
  CellMembershipLeftReason,
  CellStatus,
} from "@vestry/sdk";
import type { Tone } from "../ui/chip.tsx";

type Words<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

export const cellStatuses: Words<CellStatus> = {
  "planned": msg({ message: "Planned", context: "group" }),
  "active": msg({ message: "Active", context: "group" }),
  "in-recess": msg`In recess`,
  "closed": msg`Closed`,
};

export const cellRoles: Words<CellMembershipCellRole> = {
  "leader": msg`Leader`,
  "co-leader": msg`Co-leader`,
  "trainee": msg`In training`,
  "host": msg`Host`,
  "secretary": msg`Secretary`,
  "participant": msg`Participant`,
  "visitor": msg`Visitor`,
};

export const frequencies: Words<CellFrequency> = {
  "weekly": msg`Every week`,
  "fortnightly": msg`Every two weeks`,
  "monthly": msg`Every month`,
  "irregular": msg`Irregularly`,
};

/** The reasons that a person chooses. The service sets the others. */
export const leftReasons = {
  "left-church": msg`Left the church`,
  "moved-cell": msg`Goes to another group`,
  "other": msg`Another reason`,
} satisfies Partial<Words<CellMembershipLeftReason>>;

export const reportStatuses: Words<CellMeetingReportStatus> = {
  "not-due": msg`Planned`,
  "due": msg`Waits for the report`,
  "overdue": msg`Overdue`,
  "submitted": msg`Reported`,
  "late": msg`Reported late`,
};

export const reportTones: Partial<Record<CellMeetingReportStatus, Tone>> = {
  due: "info",
  overdue: "warn",
};

export const meetingStatuses: Words<CellMeetingStatus> = {
  "scheduled": msg`Planned`,
  "held": msg`Met`,
  "not-held": msg`Did not meet`,
  "cancelled": msg`Canceled`,
};
