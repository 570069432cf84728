import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Question } from "../data/form-answers.ts";
import {
  asField,
  conditionsFor,
  isBroken,
  keyFrom,
  moved,
  newName,
  targetsOf,
  withKeys,
} from "./questions.ts";

const KEY = /^[a-z][a-z0-9-]{0,62}$/;
const question = (key: string, more: Partial<Question> = {}): Question => ({
  key,
  type: "text",
  label: key,
  ...more,
});

test("a move keeps every entry and the order of the others", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 20 }),
      fc.nat(19),
      fc.nat(19),
      (entries, one, other) => {
        const [from, to] = [one % entries.length, other % entries.length];
        const after = moved(entries, from, to);
        const entry = entries[from];
        assert.equal(after[to], entry);
        assert.deepEqual(
          after.filter((each) => each !== entry),
          entries.filter((each) => each !== entry),
        );
        assert.deepEqual(moved(after, to, from), entries);
      },
    ),
  );
});

test("every label makes a key that the service takes, and no key twice", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 120 })), (labels) => {
      const taken = new Set<string>();
      for (const label of labels) {
        const key = keyFrom(label, "question", taken);
        assert.match(key, KEY);
        assert.ok(!taken.has(key));
        taken.add(key);
      }
    }),
  );
  assert.equal(keyFrom("E-mail address?", "question", new Set()), "e-mail-address");
  assert.equal(
    keyFrom("Data de nascimento, você", "question", new Set()),
    "data-de-nascimento-voce",
  );
  assert.equal(keyFrom("2. Name", "question", new Set(["name"])), "name-2");
  assert.equal(keyFrom("名前", "question", new Set()), "question");
});

test("new questions get the keys of their labels, and conditions follow", () => {
  const saved = question("size", { type: "select", options: [{ value: "s", label: "Small" }] });
  const first = {
    ...question(newName(["size"])),
    label: "Bring a friend?",
    type: "boolean" as const,
  };
  const second = question(newName(["size", first.key]), {
    "label": "Name",
    "show-if": { field: first.key, equals: true },
  });
  assert.notEqual(first.key, second.key);
  const settled = withKeys([saved, first, second]);
  assert.deepEqual(
    settled.map(({ key }) => key),
    ["size", "bring-a-friend", "name"],
  );
  assert.deepEqual(settled[2]?.["show-if"], { field: "bring-a-friend", equals: true });
});

test("a condition on a new option follows its value", () => {
  const settled = withKeys([
    question("new:1", {
      type: "select",
      label: "Size",
      options: [{ value: "new:1", label: "Another one" }],
    }),
    question("new:2", { "label": "Which", "show-if": { field: "new:1", equals: "new:1" } }),
  ]);
  assert.deepEqual(settled[0]?.options, [{ value: "another-one", label: "Another one" }]);
  assert.deepEqual(settled[1]?.["show-if"], { field: "size", equals: "another-one" });
});

test("a question that was saved keeps its key and its values under a new label", () => {
  const [after] = withKeys([
    question("size", {
      type: "select",
      label: "Shirt size",
      options: [
        { value: "s", label: "Little" },
        { value: "new:1", label: "S" },
        { value: "new:2", label: " " },
      ],
    }),
  ]);
  assert.equal(after?.key, "size");
  assert.deepEqual(after?.options, [
    { value: "s", label: "Little" },
    { value: "s-2", label: "S" },
  ]);
});

test("a question depends on earlier questions with known answers alone", () => {
  const questions = [
    question("lunch", { type: "boolean" }),
    question("name"),
    question("diet", { "show-if": { field: "lunch", equals: true } }),
  ];
  assert.deepEqual(
    conditionsFor(questions, 2).map(({ key }) => key),
    ["lunch"],
  );
  assert.equal(isBroken(questions, 2), false);
  assert.equal(isBroken(moved(questions, 0, 2), 1), true);
  assert.equal(isBroken(questions.slice(1), 1), true);
});

test("the service gets no members that the type does not have", () => {
  const changed = question("name", {
    "type": "heading",
    "help": "",
    "required": true,
    "options": [{ value: "s", label: "Small" }],
    "max-length": 30,
    "min": 2,
    "maps-to": "full-name",
    "show-if": null,
  });
  assert.deepEqual(asField(changed), { key: "name", type: "heading", label: "name" });
  const kept = question("n", { type: "number", required: true, min: 0, max: 9 });
  assert.deepEqual(asField(kept), kept);
});

test("a question fills in what has its kind", () => {
  const custom = [
    ["shirt", { type: "select" }],
    ["motto", { type: "string" }],
  ] as const;
  assert.deepEqual(targetsOf("select", custom), [
    "sex",
    "marital-status",
    "custom-properties.shirt",
  ]);
  assert.ok(targetsOf("text", custom).includes("custom-properties.motto"));
  assert.deepEqual(targetsOf("heading", custom), []);
});
