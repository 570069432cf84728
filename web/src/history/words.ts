import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type {
  AuditEntryCause,
  CellAttendanceStatus,
  CellMembershipLeftReason,
  CellMembershipStatus,
  CellStatus,
  CourseAttendanceStatus,
  CourseEnrollmentRequestStatus,
  CourseEnrollmentStatus,
  CourseTaskCompletionStatus,
  FormSubmissionStatus,
  NoteFollowUpStatus,
  RoleAssignmentScopeType,
} from "@vestry/sdk";
import {
  administrativeStatuses,
  cellRoles,
  householdRoles,
  noteVisibilities,
  pickUpRights,
} from "../records/enums.ts";

type Words = Readonly<Record<string, MessageDescriptor>>;

/** The kinds of records that stand in a history beside the record that it is about. */
export const kinds: Words = {
  "cell-attendances": msg`an attendance`,
  "cell-join-requests": msg`a request to join a group`,
  "cell-memberships": msg`a membership in a group`,
  "course-attendances": msg`an attendance in a course`,
  "course-enrollment-requests": msg`a request to enroll`,
  "course-enrollments": msg`an enrollment in a course`,
  "course-task-completions": msg`the work on a task`,
  "form-submissions": msg`an answered form`,
  "household-memberships": msg`a place in a household`,
  "import-rows": msg`a row of an imported list`,
  "notes": msg`a note`,
  "person-anonymizations": msg`an anonymization`,
  "person-invitations": msg`an invitation`,
  "role-assignments": msg`a role`,
};

/** The members of those records, and members that no form shows. */
export const members: Words = {
  "about": msg`About`,
  "access-tokens": msg`Log-ins`,
  "administrative-status": msg`Administrative status`,
  "assignee": msg`Assigned to`,
  "cell": msg`Group`,
  "cell-role": msg`Role`,
  "class": msg`Class`,
  "completed-at": msg`Completed on`,
  "contact": msg`Contact`,
  "course": msg`Course`,
  "decided-at": msg`Decided on`,
  "decided-by": msg`Decided by`,
  "decline-reason": msg`Reason`,
  "external-ids": msg`Numbers in other systems`,
  "follow-up-on": msg`Follow-up on`,
  "follow-up-status": msg`Follow-up`,
  "household": msg`Household`,
  "household-role": msg`Role`,
  "is-active": msg`Active`,
  "is-primary": msg`Main household`,
  "joined-on": msg`Since`,
  "last-login-at": msg`Last log-in`,
  "left-on": msg`Left on`,
  "left-reason": msg`Reason for leaving`,
  "may-pick-up": msg`Picking up the children`,
  "message": msg`Message`,
  "note": msg`Note`,
  "photo-url": msg`Photo`,
  "progress": msg`Progress`,
  "role": msg`Role`,
  "scope-ids": msg`Scope`,
  "scope-type": msg`Kind of scope`,
  "status": msg`Status`,
  "tags": msg`Tags`,
  "text": msg`Text`,
  "valid-from": msg`Valid from`,
  "valid-until": msg`Valid until`,
  "visibility": msg`Visibility`,
};

type WordsOf<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

const statuses: WordsOf<
  | CellStatus
  | CellAttendanceStatus
  | CellMembershipStatus
  | CourseAttendanceStatus
  | CourseEnrollmentRequestStatus
  | CourseEnrollmentStatus
  | CourseTaskCompletionStatus
  | FormSubmissionStatus
> = {
  "absent": msg`missing`,
  "accepted": msg`accepted`,
  "active": msg`active`,
  "approved": msg`approved`,
  "archived": msg`archived`,
  "cancelled": msg`canceled`,
  "closed": msg`closed`,
  "completed": msg`completed`,
  "declined": msg`declined`,
  "excused": msg`excused`,
  "failed": msg`not passed`,
  "in-recess": msg`in recess`,
  "late": msg`came late`,
  "left": msg`left`,
  "missed": msg`missing`,
  "new": msg({ message: "new", context: "status" }),
  "not-applicable": msg`does not apply`,
  "online": msg`came online`,
  "pending": msg`waits for a decision`,
  "planned": msg`planned`,
  "present": msg`came`,
  "processed": msg`decided`,
  "rejected": msg`rejected`,
  "requested": msg`requested`,
  "returned": msg`handed back`,
  "spam": msg`spam`,
  "submitted": msg`handed in`,
  "waitlisted": msg`on the waiting list`,
  "withdrawn": msg`withdrawn`,
};

const leftReasons: WordsOf<CellMembershipLeftReason> = {
  "cell-closed": msg`the group was closed`,
  "left-church": msg`left the church`,
  "moved-cell": msg`went to another group`,
  "multiplied": msg`the group multiplied`,
  "other": msg`another reason`,
};

const scopes: WordsOf<RoleAssignmentScopeType> = {
  "account": msg`the whole church`,
  "cell": msg`groups`,
  "cell-tree": msg`groups and those below`,
  "course": msg`courses`,
  "course-class": msg`classes`,
  "self": msg`the own record`,
};

const followUps: WordsOf<NoteFollowUpStatus> = {
  "done": msg`done`,
  "open": msg({ message: "open", context: "follow-up" }),
};

/** The words for values of the members that are a choice. A code says nothing to a reader. */
export const choices: Readonly<Record<string, Words>> = {
  "administrative-status": administrativeStatuses,
  "cell-role": cellRoles,
  "follow-up-status": followUps,
  "household-role": householdRoles,
  "left-reason": leftReasons,
  "may-pick-up": pickUpRights,
  "scope-type": scopes,
  "status": statuses,
  "visibility": noteVisibilities,
};

/** The way of a change, unless it was made in the app. The sentence itself names the service. */
export const causes: Partial<Record<AuditEntryCause, MessageDescriptor>> = {
  "api": msg`by a program`,
  "form": msg`by a public form`,
  "import": msg`by an import`,
  "merge": msg`by a merge`,
};

/** Members that only repeat another one when both change. */
export const REPEATED: Readonly<Record<string, string>> = {
  "birth-month-day": "birthdate",
  "deactivated-at": "is-active",
  "first-name": "full-name",
  "last-name": "full-name",
  "membership-status-changed-at": "membership-status",
  "status-changed-at": "status",
};
