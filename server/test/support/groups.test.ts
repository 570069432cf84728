import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf } from "./groups.ts";

test("every file is in a group, also files whose seconds are not known", () => {
  assert.deepEqual(
    groupsOf(["one", "two"], () => 0),
    [["one", "two"]],
  );
  const seconds = new Map([
    ["one", 30],
    ["two", 0],
  ]);
  const groups = groupsOf(["one", "two"], (path) => seconds.get(path) ?? 0);
  assert.deepEqual(groups.flat().sort(), ["one", "two"]);
});
