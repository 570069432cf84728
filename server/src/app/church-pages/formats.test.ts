import assert from "node:assert/strict";
import { test } from "node:test";
import { Formats } from "./formats.ts";

test("dates follow the country, and numbers the language of the words", () => {
  const english = new Formats("en", { country: "PT" });
  assert.equal(english.day("2026-11-23T12:00:00Z", "UTC"), "23 November 2026");
  assert.equal(english.kilometers(0.9), "0.9 km");
  assert.equal(english.price(3_050, "EUR"), "€30.50");
  assert.equal(new Formats("pt-BR", { country: "PT" }).kilometers(0.9), "0,9 km");
  assert.equal(new Formats("es", { country: "MX" }).kilometers(0.9), "0.9 km");
  assert.equal(new Formats("es", {}).kilometers(0.9), "0,9 km");
});

test("a week begins with the first weekday of the account, and with Sunday if it names none", () => {
  assert.deepEqual(new Formats("en", {}).weekdays, [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(new Formats("en", { "first-weekday": 6 }).weekdays, [6, 0, 1, 2, 3, 4, 5]);
});
