import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Assignment } from "../../../access/actor.ts";
import { abilitiesOf } from "./abilities.ts";

const declared = new Set(["people:read", "people:write", "cells:read", "cells:approve"]);
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
const inCells = (permissions: string[], scopeIds: string[], isDerived: boolean): Assignment => ({
  permissions,
  scopeType: "cell",
  scopeIds,
  isDerived,
});
const short = (of: Actor) =>
  abilitiesOf(of, declared).map((one) => [
    one.permission,
    one["scope-type"],
    one.ids?.join("") ?? null,
    one["is-derived"],
  ]);

test("writing includes reading, and equal scopes are united in a stable order", () => {
  const assigned = [
    inCells(["people:write"], ["c", "a"], true),
    inCells(["people:read", "gone:read"], ["b", "a"], true),
    inCells(["people:read"], ["d"], false),
  ];
  const expected = [
    ["people:read", "cell", "d", false],
    ["people:read", "cell", "abc", true],
    ["people:write", "cell", "ac", true],
  ];
  assert.deepEqual(short(actor("none", ...assigned)), expected);
  assert.deepEqual(short(actor("none", ...assigned.reverse())), expected);
});

test("a full administrator holds everything in the account", () => {
  assert.deepEqual(
    short(actor("full-administrator")),
    [...declared].sort().map((permission) => [permission, "account", "", false]),
  );
});

test("more than 1,000 ids are left out", () => {
  const many = Array.from({ length: 1_001 }, (_, index) => String(index));
  assert.deepEqual(short(actor("none", inCells(["cells:read"], many, false))), [
    ["cells:read", "cell", null, false],
  ]);
  const [ability] = abilitiesOf(
    actor("none", inCells(["cells:read"], many.slice(1), false)),
    declared,
  );
  assert.equal(ability?.ids?.length, 1_000);
});
