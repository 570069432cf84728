import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Assignment } from "./actor.ts";
import { stillHolds } from "./confirmation.ts";

const actor = (
  administrativeStatus: Actor["administrativeStatus"],
  ...assignments: Assignment[]
): Actor => ({
  accountId: "a",
  accountVersion: 1,
  personId: "p",
  tokenId: "t",
  administrativeStatus,
  assignments,
});
const assigned: Assignment = {
  permissions: ["courses:read", "courses:write"],
  scopeType: "course",
  scopeIds: ["x", "y"],
};

test("rights are confirmed when they are unchanged or extended", () => {
  for (const [before, now] of [
    [actor("none"), actor("none")],
    [actor("none"), actor("administrator")],
    [actor("none", assigned), actor("none", { ...assigned }, assigned)],
    [actor("none", assigned), actor("none", { ...assigned, scopeIds: ["z", "y", "x"] })],
    [
      actor("none", assigned),
      actor("none", { ...assigned, permissions: [...assigned.permissions, "z:read"] }),
    ],
    // The roles of a full administrator are not read.
    [actor("administrator", assigned), actor("full-administrator")],
  ] as const)
    assert.equal(stillHolds(before, now), true, JSON.stringify(now));
});

test("rights are not confirmed after a rank, role, permission or scope was lost", () => {
  for (const [before, now] of [
    [actor("full-administrator"), actor("administrator", assigned)],
    [actor("full-administrator"), actor("none")],
    [actor("administrator"), actor("none")],
    [actor("none", assigned), actor("none")],
    [actor("none", assigned), actor("administrator")],
    [actor("none", assigned), actor("none", { ...assigned, scopeIds: ["x"] })],
    [actor("none", assigned), actor("none", { ...assigned, scopeType: "cell" })],
    [actor("none", assigned), actor("none", { ...assigned, permissions: ["courses:read"] })],
  ] as const)
    assert.equal(stillHolds(before, now), false, JSON.stringify(now));
});
