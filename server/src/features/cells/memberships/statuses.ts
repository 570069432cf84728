import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const membershipStatuses = ["active", "left"] as const;

export type MembershipStatus = (typeof membershipStatuses)[number];

/** A person who returns gets a new membership, so that the history stays as it was. */
export const membershipChanges: readonly StatusChange<MembershipStatus>[] = [
  { from: "active", to: ["left"], by: "`cell-memberships:write`, or the person" },
  { from: "left", to: ["active"], by: "`DELETE /v1/cell-transfers/:id`", follows: true },
];

export const membershipTransitions = transitionsOf(membershipStatuses, membershipChanges);
