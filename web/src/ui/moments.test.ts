import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf, wallOf } from "./moments.ts";

test("a wall time comes back as it was typed, on both sides of a change of the clock", () => {
  for (const zone of ["Europe/Lisbon", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Auckland"])
    for (const wall of [
      "2026-03-29T00:30",
      "2026-03-29T03:00",
      "2026-10-25T03:00",
      "2026-12-31T23:59",
      "2026-07-01T00:00",
    ])
      assert.equal(wallOf(momentOf(wall, zone), zone), wall, `${wall} ${zone}`);
});

test("a wall time is a moment of its zone", () => {
  assert.equal(momentOf("2026-07-01T09:00", "Europe/Lisbon"), "2026-07-01T08:00:00.000Z");
  assert.equal(momentOf("2026-12-01T09:00", "Europe/Lisbon"), "2026-12-01T09:00:00.000Z");
  assert.equal(momentOf("2026-12-01T09:00", "America/Sao_Paulo"), "2026-12-01T12:00:00.000Z");
});
