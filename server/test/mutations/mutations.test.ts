import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/root.ts";
import { KILLED_MIN, mutations } from "./mutations.ts";

test("each mutation changes one place of a source", () => {
  const wrong = mutations
    .filter(({ file, from, to }) => {
      const places = readFileSync(join(root, file), "utf8").split(from).length - 1;
      return places !== 1 || from === to || !file.startsWith("server/src/");
    })
    .map(({ file, from, name }) => `${name}: ${file} contains once: ${from}`);
  assert.deepEqual(wrong, [], "choose a place in the new code that breaks the same promise");
});

test("mutations have names of their own, in order", () => {
  const names = mutations.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)].sort());
});

test("no more mutations are expected to be noticed than there are", () => {
  assert.ok(KILLED_MIN.sample <= KILLED_MIN.whole && KILLED_MIN.whole <= mutations.length);
});
