import assert from "node:assert/strict";
import { test } from "node:test";
import { type Changed, isStale } from "./stale.ts";

const changed = (...records: [type: string, id: string][]): Changed =>
  new Map(records.map(([type, id]) => [type, new Set([id])]));

const is = (queryKey: readonly unknown[], by: Changed, data: unknown = {}) =>
  isStale({ queryKey, data }, by, "ana");

test("a change makes the record and the lists of its type stale, and no other record", () => {
  const rui = changed(["people", "rui"]);
  assert.equal(is(["people", "one", "rui", "screen"], rui), true);
  assert.equal(is(["people", "list", { q: "x" }, 3], rui), true);
  assert.equal(is(["people", "found", "x"], rui), true);
  assert.equal(is(["people", "one", "ana", "screen"], rui), false);
  assert.equal(is(["people", "one", "me", "groups"], rui), false);
  assert.equal(is(["cells", "list", {}], rui), false);
  assert.equal(is(["people", "one", "me", "groups"], changed(["people", "ana"])), true);
});

test("a change makes stale what contains the record", () => {
  const rui = changed(["people", "rui"]);
  const members = { pages: [{ items: [{ id: "1", person: { $type: "people", id: "rui" } }] }] };
  assert.equal(is(["cell-memberships", "list", {}], rui, members), true);
  assert.equal(is(["cell-memberships", "list", {}], changed(["people", "eva"]), members), false);
  assert.equal(is(["cell-memberships", "list", {}], changed(["tags", "rui"]), members), false);
});

test("a new membership makes the counts of groups and the groups of people stale", () => {
  const joined = changed(["cell-memberships", "new"]);
  assert.equal(is(["cells", "page", {}, 1], joined), true);
  assert.equal(is(["people", "one", "rui", "screen"], joined), true);
  assert.equal(is(["households", "one", "h", "screen"], joined), false);
});

test("the session follows rights and the own record, the history follows everything, the device nothing", () => {
  assert.equal(is(["session"], changed(["role-assignments", "1"])), true);
  assert.equal(is(["session"], changed(["people", "ana"])), true);
  assert.equal(is(["session"], changed(["people", "rui"])), false);
  assert.equal(is(["audit-entries", "list", {}], changed(["notes", "1"])), true);
  assert.equal(is(["device", "sheets", "ana"], changed(["people", "ana"])), false);
});
