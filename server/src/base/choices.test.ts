import assert from "node:assert/strict";
import { test } from "node:test";
import { describedCatalogue } from "../catalogue.ts";
import { choicesFor } from "./choices.ts";

const { declared } = describedCatalogue;

const many = Object.keys(declared.events);
const all = `${many.length} values that the reference lists`;

test("a short list is shown whole", () => {
  for (const given of ["off", "", 7, null])
    assert.equal(choicesFor(["active", "paused"], given), "active, paused");
});

for (const [given, near] of [
  ["person.create", ["person.created"]],
  ["PERSON.CREATED", ["person.created"]],
  ["people.created", ["person.created"]],
  ["course.lesson.created", ["course-lesson.created"]],
] as const)
  test(`a long list is replaced by the values similar to ${given}`, () => {
    const told = choicesFor(many, given);
    assert.ok(told.startsWith(`${all}, such as ${near.join(", ")}`), told);
    assert.ok(told.split(", ").length <= 4, told);
  });

for (const given of ["ping", "", "x".repeat(1_000_000), 7, null, undefined])
  test(`nothing resembles ${String(given).slice(0, 10)}`, () =>
    assert.equal(choicesFor(many, given), all));
