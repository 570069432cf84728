import assert from "node:assert/strict";
import { after, test } from "node:test";
import { configureFormats, formatDate, formatNumber, weekdays } from "./format.ts";

after(() => configureFormats({ language: "en" }));

const kilometers = () => formatNumber(1234.9, { style: "unit", unit: "kilometer" });

test("dates follow the country of the account, and numbers the language of the words", () => {
  configureFormats({ language: "en", country: "PT" });
  assert.equal(formatDate("2026-11-23"), "23 Nov 2026");
  assert.equal(kilometers(), "1,234.9 km");
  configureFormats({ language: "es", country: "MX" });
  assert.equal(kilometers(), "1,234.9 km");
  configureFormats({ language: "es", country: "PT" });
  assert.equal(kilometers(), "1234,9 km");
  configureFormats({ language: "pt-BR", country: "PT" });
  assert.equal(kilometers(), "1.234,9 km");
});

test("a week begins with the first weekday of the account, and with Sunday if it names none", () => {
  const first = () => weekdays().map(({ day }) => day);
  configureFormats({ language: "en" });
  assert.deepEqual(first(), [0, 1, 2, 3, 4, 5, 6]);
  configureFormats({ language: "en", firstWeekday: 1 });
  assert.deepEqual(first(), [1, 2, 3, 4, 5, 6, 0]);
  assert.equal(weekdays().at(-1)?.name, "Sunday");
});
