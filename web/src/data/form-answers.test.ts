import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerText,
  firstAnswer,
  nameInAnswers,
  type Question,
  shownQuestions,
} from "./form-answers.ts";

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

const asked: Question[] = [
  { key: "name", type: "text", label: "Name", "maps-to": "full-name" },
  { key: "mail", type: "email", label: "E-mail", "maps-to": "email" },
  { key: "source", type: "hidden", label: "Source" },
  {
    key: "days",
    type: "multi-select",
    label: "Days",
    options: [{ value: "sat", label: "Saturday" }],
  },
  { key: "why", type: "long-text", label: "Why" },
];

test("the first answer is what the visitor wants, and neither a name nor a hidden value", () => {
  const answers = { name: "Ana", mail: "a@example.org", source: "leaflet" };
  assert.equal(firstAnswer(asked, answers), "");
  assert.equal(
    firstAnswer(asked, { ...answers, why: "I would\nlike to  sing" }),
    "I would like to sing",
  );
  assert.equal(firstAnswer(asked, { ...answers, days: ["sat"], why: "To sing" }), "Saturday");
});

test("an answer is a text with the words of its choices", () => {
  const words = { yes: "yes", no: "no" };
  const [, , , days] = asked;
  assert.equal(answerText(days as Question, ["sat", "gone"], words), "Saturday, gone");
  assert.equal(answerText({}, false, words), "no");
  assert.equal(answerText({}, 1.5, words), "1.5");
  assert.equal(answerText({}, { street: "Rua", city: "Olinda" }, words), "Rua, Olinda");
  assert.equal(answerText({}, undefined, words), "");
});
