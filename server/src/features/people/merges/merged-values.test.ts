import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CustomFields } from "../../../jsonapi/definition/custom-fields.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import { people } from "../definition.ts";
import { mergedValues, type PersonRecord } from "./merged-values.ts";

const { attributes } = people;
const customFields = new CustomFields("people", {
  size: { type: "string" },
  skills: { type: "multi-select", options: [] },
  mentor: { type: "person" },
});

const merge = (
  [kept, ...removed]: readonly Record<string, unknown>[],
  choices: Record<string, string> = {},
) =>
  mergedValues({
    attributes,
    customFields,
    kept: record("kept", kept),
    removed: removed.map((person, place) => record(`removed-${place}`, person)),
    choices: new Map(Object.entries(choices)),
    mayFillEmail: true,
  });

/** A row as PostgreSQL returns it: a column without a value is null, or has its default. */
const record = (id: string, columns: Record<string, unknown> = {}): PersonRecord => ({
  ...Object.fromEntries(
    Object.entries(attributes).map(([name, { mode, storage }]) => [
      columnOf(name, attributes[name as keyof typeof attributes]),
      storage === "json" && (mode === "defaulted" || name === "consents") ? empty(name) : null,
    ]),
  ),
  ...columns,
  id,
});
const empty = (name: string) =>
  ["phones", "other-emails", "identity-documents", "consents"].includes(name) ? [] : {};

const word = fc.constantFrom("Baker", "Clerk", "Nurse", null);

test("each value of a text remains, or is reported as dropped", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), (words) => {
      const { conflicts, values } = merge(words.map((occupation) => ({ occupation })));
      const given = new Set(words.filter((one) => one !== null));
      const remaining = values.has("occupation") ? values.get("occupation") : (words[0] ?? null);
      const dropped = conflicts.map((one) => one.dropped);
      assert.deepEqual(new Set([remaining, ...dropped].filter((one) => one !== null)), given);
      assert.equal(dropped.length, new Set(dropped).size);
      if (words[0] !== null) assert.equal(remaining, words[0]);
    }),
  );
});

const address = fc.constantFrom("a@x.org", "A@X.org", "b@x.org", "c@x.org", "d@x.org", "e@x.org");

test("each e-mail address remains once, or is reported beyond the limit", () => {
  const person = fc.record({
    email: fc.option(address),
    other_emails: fc.uniqueArray(address, { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(person, { minLength: 2, maxLength: 6 }), (all) => {
      const { conflicts, values } = merge(all);
      const kept = all[0] as { email: string | null; other_emails: string[] };
      const email = (values.has("email") ? values.get("email") : kept.email) as string | null;
      const others = (
        values.has("other_emails") ? values.get("other_emails") : kept.other_emails
      ) as string[];
      const dropped = conflicts.map((one) => one.dropped as string);
      const fold = (these: readonly (string | null)[]) =>
        these.filter((one) => one !== null).map((one) => one.toLowerCase());
      const remaining = fold([email, ...others, ...dropped]);
      assert.equal(remaining.length, new Set(remaining).size);
      const given = all.flatMap((one) => [one.email, ...one.other_emails]);
      assert.deepEqual(new Set(remaining), new Set(fold(given)));
      assert.ok(others.length <= 5);
      assert.equal(email, kept.email ?? all.map((one) => one.email).find((one) => one) ?? null);
    }),
  );
});

test("a merge of equal people changes nothing", () => {
  const person = {
    occupation: "Baker",
    phones: [{ "number": "+351910000099", "is-primary": true }],
    birthdate: "1984-05-17",
    email: null,
    custom_properties: { size: "M", skills: ["piano"] },
  };
  const { conflicts, values } = merge([person, person]);
  assert.deepEqual([[...values], conflicts], [[], []]);
});

test("a custom field that named a removed person names the kept one", () => {
  const { values } = merge([{}, { custom_properties: { mentor: "removed-1" } }, {}]);
  assert.deepEqual(values.get("custom_properties"), { mentor: "kept" });
});

test("a chosen date that contradicts the others is reported by its name", () => {
  const chosen = { "baptism-date": "removed-0" };
  const { impossible } = merge(
    [{ birthdate: "1990-01-01" }, { baptism_date: "1980-01-01" }],
    chosen,
  );
  assert.deepEqual([...impossible.keys()], ["baptism-date"]);
});

test("a chosen birthdate replaces a birthday without a year", () => {
  const { values } = merge([{ birth_month_day: "05-17" }, { birthdate: "1984-06-01" }], {
    birthdate: "removed-0",
  });
  assert.deepEqual([values.get("birthdate"), values.get("birth_month_day")], ["1984-06-01", null]);
});
