import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCursor, includeTree, parametersOf, withQuery } from "./query.ts";

const address = (type: string, query: Parameters<typeof parametersOf>[1]) =>
  decodeURIComponent(withQuery("", parametersOf(type, query)));

test("arrays join with commas, and undefined members are left out", () => {
  assert.equal(
    address("people", {
      filter: { "membership-status": ["member", "visitor"], "is-active": false, "q": undefined },
      sort: ["-full-name", "id"],
      include: [],
      fields: { people: undefined },
      page: { number: 2, size: undefined },
    }),
    "?filter[membership-status]=member,visitor&filter[is-active]=false&sort=-full-name,id&page[number]=2",
  );
});

test("an empty query leaves the path as it is", () => {
  assert.equal(withQuery("/v1/people", parametersOf("people", {})), "/v1/people");
});

test("text of a filter keeps every character", () => {
  const text = "50% & più=#?,+ \u{1f600}";
  const query = withQuery("/v1/people", parametersOf("people", { filter: { q: text } }));
  assert.equal(new URL(query, "http://localhost").searchParams.get("filter[q]"), text);
});

test("an empty cursor begins a walk, and may is asked for only when it is true", () => {
  assert.equal(
    address("people", { page: { cursor: "" }, meta: { may: true } }),
    "?page[after]=&meta[may]=true",
  );
  assert.equal(address("people", { meta: { may: false } }), "");
});

test("chosen fields contain the relationships along the include paths", () => {
  const fields = { "people": ["full-name"], "cell-memberships": ["cell-role"], "cells": ["name"] };
  assert.equal(
    address("people", { include: ["cell-memberships.cell", "tags"], fields }),
    "?include=cell-memberships.cell,tags&fields[people]=full-name,cell-memberships,tags" +
      "&fields[cell-memberships]=cell-role,cell&fields[cells]=name",
  );
});

test("a relationship that leads to several types is added to the fields of its own type", () => {
  assert.equal(
    address("notes", { include: ["about"], fields: { notes: ["text"], cells: ["name"] } }),
    "?include=about&fields[notes]=text,about&fields[cells]=name",
  );
});

test("a path makes a tree, and shared steps are one branch", () => {
  assert.deepEqual(includeTree(["cells.leaders", "cells.host", "tags"]), {
    cells: { leaders: {}, host: {} },
    tags: {},
  });
});

test("a list walks by cursor unless its order can be null or has several attributes", () => {
  assert.ok(hasCursor("people", {}));
  assert.ok(hasCursor("people", { sort: "-modified-at" }));
  assert.ok(!hasCursor("people", { sort: "birthdate" }));
  assert.ok(!hasCursor("people", { sort: ["full-name", "id"] }));
  assert.ok(!hasCursor("people", { page: { number: 3 } }));
  // The default order of classes is their start, which a class may not have yet.
  assert.ok(!hasCursor("course-classes", {}));
  assert.ok(!hasCursor("cell-report-totals", {}));
});
