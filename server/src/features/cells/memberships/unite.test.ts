import assert from "node:assert/strict";
import { test } from "node:test";
import { type StoredMembership, uniteMemberships } from "./unite.ts";

/** `from–to as role of person`. Without an end the membership is active. */
function membership(id: string, text: string): StoredMembership {
  const [, from = "", to = "", cellRole, personId = ""] =
    /^(\S+)–(\S*) as (\S+) of (\S+)$/.exec(text) ?? [];
  return {
    id,
    cellId: "cell",
    personId,
    cellRole: cellRole as StoredMembership["cellRole"],
    isActive: to === "",
    joinedOn: from,
    leftOn: to === "" ? null : to,
    leftReason: to === "" ? null : `of ${id}`,
  };
}

const united = (...texts: string[]) =>
  uniteMemberships(
    texts.map((text, n) => membership(String(n), text)),
    "kept",
  ).map(
    ({ cellRole, id, joinedOn, leftOn, leftReason }) =>
      `${id}: ${joinedOn}–${leftOn ?? ""} as ${cellRole}${leftReason === null ? "" : ` ${leftReason}`}`,
  );

test("memberships that overlap have the earliest beginning, the highest role and the latest end", () => {
  assert.deepEqual(
    united("2024-01-01–2024-06-01 as host of kept", "2024-05-01–2024-08-01 as visitor of other"),
    ["0: 2024-01-01–2024-08-01 as host of 1"],
  );
  assert.deepEqual(
    united("2024-01-01– as visitor of kept", "2023-01-01–2024-02-01 as leader of other"),
    ["0: 2023-01-01– as leader"],
  );
});

test("the row of the active membership with the highest role stays, and else that of the kept person", () => {
  assert.deepEqual(united("2024-01-01– as visitor of kept", "2025-01-01– as host of other"), [
    "1: 2024-01-01– as host",
  ]);
  assert.deepEqual(united("2024-01-01– as host of other", "2025-01-01– as host of kept"), [
    "1: 2024-01-01– as host",
  ]);
});

test("three memberships that follow each other without a gap are one", () => {
  assert.deepEqual(
    united(
      "2024-03-01–2024-09-01 as host of kept",
      "2024-01-01–2024-04-01 as visitor of other",
      "2024-08-01– as participant of third",
    ),
    ["2: 2024-01-01– as host"],
  );
});

test("memberships with a gap, of other cells and of one person stay as they are", () => {
  assert.deepEqual(
    united("2024-01-01–2024-02-01 as host of kept", "2024-02-01– as visitor of other"),
    ["0: 2024-01-01–2024-02-01 as host of 0", "1: 2024-02-01– as visitor"],
  );
  assert.equal(
    united("2024-01-01–2024-06-01 as host of kept", "2024-05-01–2024-08-01 as host of kept").length,
    2,
  );
  const elsewhere = { ...membership("1", "2024-01-01– as host of other"), cellId: "elsewhere" };
  const here = membership("0", "2024-01-01– as host of kept");
  assert.equal(uniteMemberships([here, elsewhere], "kept").length, 2);
});
