import assert from "node:assert/strict";
import { test } from "node:test";
import { nameInAnswers, type Question, shownQuestions } from "./form-answers.ts";

const choice = (label: string) => ({ value: label, label });
const questions: Question[] = [
  { key: "size", type: "select", label: "Size", options: [choice("s"), choice("other")] },
  {
    key: "which",
    type: "select",
    label: "Which",
    options: [choice("xl"), choice("none")],
    "show-if": { field: "size", equals: "other" },
  },
  { key: "why", type: "text", label: "Why", "show-if": { field: "which", equals: "none" } },
  { key: "days", type: "multi-select", label: "Days", options: [choice("sat"), choice("sun")] },
  { key: "lunch", type: "boolean", label: "Lunch", "show-if": { field: "days", equals: "sun" } },
];
const shown = (answers: Record<string, unknown>) =>
  shownQuestions(questions, answers).map(({ key }) => key);

test("a question appears with the answer that it waits for", () => {
  assert.deepEqual(shown({}), ["size", "days"]);
  assert.deepEqual(shown({ size: "other" }), ["size", "which", "days"]);
  assert.deepEqual(shown({ size: "s" }), ["size", "days"]);
});

test("a question that waits for a hidden one is hidden", () => {
  assert.deepEqual(shown({ size: "other", which: "none" }), ["size", "which", "why", "days"]);
  assert.deepEqual(shown({ size: "s", which: "none" }), ["size", "days"]);
});

test("one of several chosen values is enough", () => {
  assert.deepEqual(shown({ days: ["sat", "sun"] }), ["size", "days", "lunch"]);
  assert.deepEqual(shown({ days: ["sat"] }), ["size", "days"]);
});

test("a box that was not ticked says no", () => {
  const asked: Question[] = [
    { key: "well", type: "boolean", label: "Well?" },
    { key: "why", type: "text", label: "Why", "show-if": { field: "well", equals: false } },
  ];
  const seen = (answers: Record<string, unknown>) => shownQuestions(asked, answers).length;
  assert.deepEqual([seen({}), seen({ well: false }), seen({ well: true })], [2, 2, 1]);
});

test("a submission has the name of the visitor, or else its first text", () => {
  const asked: Question[] = [
    { key: "subject", type: "text", label: "Subject" },
    { key: "given", type: "text", label: "First name", "maps-to": "first-name" },
    { key: "family", type: "text", label: "Last name", "maps-to": "last-name" },
    { key: "whole", type: "text", label: "Name", "maps-to": "full-name" },
  ];
  const answers = { subject: "Choir", given: "Ana", family: "Lima" };
  assert.equal(nameInAnswers(asked, { ...answers, whole: " Ana B. Lima " }), "Ana B. Lima");
  assert.equal(nameInAnswers(asked, answers), "Ana Lima");
  assert.equal(nameInAnswers(asked, { subject: "Choir" }), "Choir");
  assert.equal(nameInAnswers(asked, {}), "");
});
