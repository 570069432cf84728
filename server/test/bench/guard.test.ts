import assert from "node:assert/strict";
import { test } from "node:test";
import { readBaseline, verdictOn } from "./guard.ts";

test("one pair within the limit passes at once, and three pairs above it fail", () => {
  assert.equal(verdictOn([]), undefined);
  assert.equal(verdictOn([0.9]), "passed");
  assert.equal(verdictOn([1.15]), "passed");
  assert.equal(verdictOn([1.16]), undefined);
  assert.equal(verdictOn([1.16, 1.3]), undefined);
  assert.equal(verdictOn([1.16, 1.3, 1.15]), "passed");
  assert.equal(verdictOn([1.16, 1.3, 1.2]), "failed");
});

test("a pair that was not measured does not pass", () => {
  assert.equal(verdictOn([Number.NaN]), undefined);
  assert.equal(verdictOn([Number.NaN, 2, 2]), "failed");
});

test("the documents name a baseline", async () => {
  assert.match(await readBaseline(), /^[0-9a-f]{40}$/);
});
