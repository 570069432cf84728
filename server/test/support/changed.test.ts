import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { affectedTests } from "./changed.ts";
import { root } from "./run-files.ts";

/** The rule of `npm test -- --changed`, with files of this repository. */

const tests = globSync(["server/src/**/*.test.ts", "server/test/**/*.test.ts"], { cwd: root });
const affectedBy = (...changed: string[]) => new Set(affectedTests(root, tests, changed));

const house = "server/test/tidy.test.ts";
const pure = "server/src/base/networks.test.ts";
const served = "server/test/service.test.ts";
const example = "server/test/conformance/types.test.ts";

test("a changed test file runs, with the tests that read the whole repository", () => {
  const affected = affectedBy(pure);
  for (const each of [pure, house]) assert.ok(affected.has(each), each);
  assert.ok(!affected.has(example));
});

test("a changed source affects the tests that import it, directly or through others", () => {
  const affected = affectedBy("server/src/features/tags/feature.ts");
  for (const each of [served, example]) assert.ok(affected.has(each), each);
  assert.ok(!affected.has(pure));
});

test("a file that is read affects the tests that name it, and those of a support file that names it", () => {
  const affected = affectedBy("server/test/conformance/prayer-requests/table.sql");
  assert.ok(affected.has(example));
  assert.ok(!affected.has(pure));
});

test("a migration, the packages and the runner affect every test", () => {
  for (const path of [
    "server/migrations/0001_baseline.sql",
    "package-lock.json",
    "server/test/run.ts",
  ])
    assert.equal(affectedBy(path).size, tests.length, path);
});
