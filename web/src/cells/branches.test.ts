import assert from "node:assert/strict";
import { test } from "node:test";
import { branchesOf } from "./branches.ts";

const nodes = [
  { "id": "sector", "members-count": 1 },
  { "id": "a", "parent": { id: "sector" }, "members-count": 8 },
  { "id": "b", "parent": { id: "sector" }, "members-count": 5 },
  { "id": "lone", "parent": { id: "hidden" }, "members-count": 3 },
];

test("a branch counts the members below it", () => {
  const [sector] = branchesOf(nodes);
  assert.equal(sector?.members, 14);
  assert.deepEqual(
    sector?.children.map(({ node }) => node.id),
    ["a", "b"],
  );
});

test("a group below one that the caller cannot see is a root", () => {
  assert.deepEqual(
    branchesOf(nodes).map(({ node }) => node.id),
    ["sector", "lone"],
  );
});
