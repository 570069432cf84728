import assert from "node:assert/strict";
import { test } from "node:test";
import type { Values } from "../data/conflict.ts";
import {
  changesIn,
  formAfter,
  type FormEvent,
  type FormState,
  isUnsaved,
  startOf,
} from "./form-state.ts";

type State = FormState<Values>;

const opened: State = startOf({ base: { name: "Ana", city: "Porto" }, etag: "1" }, undefined);

const after = (state: State, ...events: FormEvent<Values>[]): State =>
  events.reduce((before, event) => formAfter<Values>(before, event), state);

const typed = (values: Values): FormEvent<Values> => ({ type: "typed", values });
const changed = (base: Values, etag = "2"): FormEvent<Values> => ({
  type: "record-changed",
  version: { base, etag },
  by: "Rui",
});

test("a form starts from its draft, over the version that the draft was begun with", () => {
  const draft = { values: { name: "Anna" }, base: { name: "Ana" }, etag: "0" };
  const state = startOf({ base: { name: "Ana Maria" }, etag: "1" }, draft);
  assert.deepEqual(state.values, { name: "Anna" });
  assert.deepEqual(state.over, { base: { name: "Ana" }, etag: "0" });
  assert.deepEqual(changesIn(state), { name: "Anna" });
});

test("a form says when its draft was kept, and starts empty at the wish of the person", () => {
  const version = { base: { name: "", phone: "" } };
  const draft = { values: { name: "", phone: "912 345 678" }, base: version.base, at: 1_000 };
  const state: State = startOf(version, draft);
  assert.equal(state.continuedFrom, 1_000);
  // What is typed next does not make the rest its own.
  assert.equal(after(state, typed({ name: "Ana", phone: "912 345 678" })).continuedFrom, 1_000);
  const empty = after(state, { type: "emptied", version });
  assert.deepEqual(empty.values, version.base);
  assert.equal(empty.draft, undefined);
  assert.equal(empty.continuedFrom, undefined);
});

test("what is typed is a draft until it is saved or canceled", () => {
  const state = after(opened, typed({ name: "Anna", city: "Porto" }));
  assert.deepEqual(state.draft?.values, { name: "Anna", city: "Porto" });
  assert.equal(state.draft?.etag, "1");
  assert.equal(isUnsaved(state), true);
  for (const end of [{ type: "saved" }, { type: "canceled" }] as const) {
    assert.equal(after(state, end).draft, undefined);
    assert.equal(isUnsaved(after(state, end)), false);
  }
  assert.equal(isUnsaved(after(state, { type: "saved" }, typed({ name: "Bea" }))), true);
});

test("spaces around a text are no change", () => {
  assert.equal(isUnsaved(after(opened, typed({ name: " Ana ", city: "Porto" }))), false);
});

test("an untouched form follows the record, and keeps no draft", () => {
  const state = after(opened, changed({ name: "Ana", city: "Braga", other: 1 }));
  assert.deepEqual(state.values, { name: "Ana", city: "Braga" });
  assert.deepEqual(state.over, { base: { name: "Ana", city: "Braga" }, etag: "2" });
  assert.deepEqual(state.news, { by: "Rui", taken: ["city"], conflicts: [] });
  assert.equal(state.draft, undefined);
});

test("values that were typed stay when a colleague changes others", () => {
  const state = after(
    opened,
    typed({ name: "Anna", city: "Porto" }),
    changed({ name: "Ana", city: "Braga" }),
  );
  assert.deepEqual(state.values, { name: "Anna", city: "Braga" });
  assert.deepEqual(changesIn(state), { name: "Anna" });
  assert.equal(state.draft?.etag, "2");
});

test("a value that both changed is written over the old version, so that the write asks", () => {
  const state = after(
    opened,
    typed({ name: "Anna", city: "Porto" }),
    changed({ name: "Anita", city: "Porto" }),
  );
  assert.equal(state.values["name"], "Anna");
  assert.equal(state.over.etag, "1");
  assert.deepEqual(state.news, { by: "Rui", taken: [], conflicts: ["name"] });
});

test("the same version, or one that arrives after the form is saved, changes nothing", () => {
  assert.equal(after(opened, changed({ name: "Bea" }, "1")), opened);
  const saved = after(opened, { type: "saved" });
  assert.equal(after(saved, changed({ name: "Bea" })), saved);
});

test("a colleague's values are taken over, or shown beside those that were typed", () => {
  const state = after(opened, typed({ name: "Anna", city: "Lisboa" }));
  const version = { base: { name: "Anita", city: "Porto" }, etag: "2" };
  const theirs = { name: "Anita" };

  const over = after(state, { type: "taken-over", version });
  assert.deepEqual(over.values, { name: "Anita", city: "Lisboa" });
  assert.equal(over.over.etag, "2");
  assert.deepEqual(over.draft?.values, over.values);

  const asking = after(state, { type: "compared", version, theirs });
  assert.deepEqual(asking.values, state.values);
  assert.deepEqual(asking.conflict?.changes, { city: "Lisboa" });
  assert.deepEqual(
    asking.conflict?.conflicts.map(({ name }) => name),
    ["name"],
  );
  assert.equal(asking.conflict?.theirs, theirs);
  assert.equal(after(asking, { type: "dismissed" }).conflict, undefined);
});

test("a decision is written over the version of the colleague", () => {
  const state = after(opened, typed({ name: "Anna", city: "Lisboa" }));
  const decided = after(state, {
    type: "decided",
    version: { base: { name: "Anita", city: "Porto" }, etag: "2" },
    wanted: { city: "Lisboa" },
  });
  assert.deepEqual(decided.values, { name: "Anita", city: "Lisboa" });
  assert.deepEqual(changesIn(decided), { city: "Lisboa" });
  assert.equal(decided.over.etag, "2");
});

test("the same body keeps its key until it is saved, and the draft has it", () => {
  const send = (name: string, newKey: string) =>
    ({ type: "sending", body: { name }, newKey }) as const;
  const state = after(opened, typed({ name: "Anna" }), send("Anna", "a"), send("Anna", "b"));
  assert.equal(state.intent.key, "a");
  assert.equal(state.draft?.intent?.key, "a");
  assert.equal(state.isBusy, true);
  assert.equal(after(state, send("Bea", "c")).intent.key, "c");
  assert.equal(after(state, { type: "saved" }, send("Anna", "d")).intent.key, "d");
  assert.equal(after(state, { type: "canceled" }, send("Anna", "d")).intent.key, "a");
  assert.equal(after(state, { type: "answered" }).isBusy, false);
});

test("a form that is sent again shows its prepared values and no old errors", () => {
  const refused = after(opened, {
    type: "refused",
    placed: { fields: new Map([["name", []]]), others: [] },
    summary: [{ words: "Too long" }],
  });
  assert.equal(refused.placed.fields.size, 1);
  const again = after(refused, { type: "submitted", values: { name: "Anna", city: "Porto" } });
  assert.equal(again.placed.fields.size, 0);
  assert.deepEqual(again.summary, []);
  assert.equal(again.draft?.values["name"], "Anna");
  assert.equal(after(refused, { type: "submitted", values: refused.values }).draft, undefined);
});
