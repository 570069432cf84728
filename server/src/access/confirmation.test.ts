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
const held: Assignment = {
  permissions: ["courses:read", "courses:write"],
  scopeType: "course",
  scopeIds: ["x", "y"],
};

test("whoever keeps or gains still holds what they held", () => {
  for (const [before, now] of [
    [actor("none"), actor("none")],
    [actor("none"), actor("administrator")],
    [actor("none", held), actor("none", { ...held }, held)],
    [actor("none", held), actor("none", { ...held, scopeIds: ["z", "y", "x"] })],
    [actor("none", held), actor("none", { ...held, permissions: [...held.permissions, "z:read"] })],
    // The roles of a full administrator are not read.
    [actor("administrator", held), actor("full-administrator")],
  ] as const)
    assert.equal(stillHolds(before, now), true, JSON.stringify(now));
});

test("whoever lost a rank, a role, a permission or a row it reaches does not", () => {
  for (const [before, now] of [
    [actor("full-administrator"), actor("administrator", held)],
    [actor("full-administrator"), actor("none")],
    [actor("administrator"), actor("none")],
    [actor("none", held), actor("none")],
    [actor("none", held), actor("administrator")],
    [actor("none", held), actor("none", { ...held, scopeIds: ["x"] })],
    [actor("none", held), actor("none", { ...held, scopeType: "cell" })],
    [actor("none", held), actor("none", { ...held, permissions: ["courses:read"] })],
  ] as const)
    assert.equal(stillHolds(before, now), false, JSON.stringify(now));
});
