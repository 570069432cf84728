import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const enrollmentStatuses = [
  "requested",
  "waitlisted",
  "active",
  "completed",
  "failed",
  "withdrawn",
  "cancelled",
] as const;

export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

const staff = "`course-enrollments:write`";
const staffOrPerson = `${staff}, or the person`;
const approver = "`course-enrollments:approve`";

/** A person who returns gets a new enrollment, so that the history stays as it was. */
export const enrollmentChanges: readonly StatusChange<EnrollmentStatus>[] = [
  { from: "requested", to: ["active", "waitlisted"], by: staff },
  { from: "requested", to: ["cancelled"], by: staffOrPerson },
  { from: "waitlisted", to: ["active"], by: `${staff}, or the service when a seat is free` },
  { from: "waitlisted", to: ["cancelled"], by: staffOrPerson },
  { from: "active", to: ["withdrawn"], by: staffOrPerson },
  { from: "active", to: ["failed"], by: approver },
  { from: "active", to: ["completed"], by: `${approver}, or the service` },
  { from: "completed", to: ["active"], by: `${approver}, as a correction` },
  { from: "failed", to: ["active"], by: `${approver}, as a correction` },
];

export const enrollmentTransitions = transitionsOf(enrollmentStatuses, enrollmentChanges);

type Setter = "staff" | "staff or the person" | "approver";

/** The caller who may change one status to another. Approvers decide about results, and correct them. */
export function setterOf(from: EnrollmentStatus, to: EnrollmentStatus): Setter {
  if ([from, to].some((status) => status === "completed" || status === "failed")) return "approver";
  return to === "withdrawn" || to === "cancelled" ? "staff or the person" : "staff";
}
