import assert from "node:assert/strict";
import { test } from "node:test";
import { impossibleDates } from "./dates.ts";

const now = Date.parse("2026-03-01T23:30:00Z");
const impossible = (...[sent, kept]: [object, object?]) =>
  impossibleDates(sent, kept ?? {}, now).map(([name]) => name);

test("a birth or a death may be a day ahead of us, and not two; other days may be planned", () => {
  for (const name of ["birthdate", "deathdate"]) {
    assert.deepEqual(impossible({ [name]: "2026-03-02" }), []);
    assert.deepEqual(impossible({ [name]: "2026-03-03" }), [name]);
  }
  assert.deepEqual(impossible({ "wedding-date": "2027-06-01", "baptism-date": "2027-06-01" }), []);
});

test("nothing of a life comes before its beginning, but may come on the same day", () => {
  const birthdate = "1984-05-17";
  const days = [
    "deathdate",
    "wedding-date",
    "member-since",
    "decision-date",
    "baptism-date",
    "left-at",
  ];
  for (const name of days) {
    assert.deepEqual(impossible({ birthdate, [name]: "1984-05-17" }), []);
    assert.deepEqual(impossible({ birthdate, [name]: "1984-05-16" }), [name]);
    assert.deepEqual(impossible({ [name]: "1984-05-16" }, { birthdate }), [name]);
    assert.deepEqual(impossible({ birthdate }, { [name]: "1984-05-16" }), ["birthdate"]);
  }
});

test("removed dates contradict nothing, and stored dates are not checked again", () => {
  const kept = { "birthdate": "1984-05-17", "deathdate": "1980-01-01" };
  assert.deepEqual(impossible({ birthdate: null }, kept), []);
  assert.deepEqual(impossible({ deathdate: null }, kept), []);
  assert.deepEqual(impossible({ "wedding-date": "2004-01-01" }, kept), []);
  assert.deepEqual(impossible({ "left-at": "2004-01-01" }, { birthdate: null }), []);
});
