import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { affectedTests } from "./changed.ts";
import { hashOf, type TestMap } from "./map.ts";
import { root } from "./root.ts";

/** The rule of `npm test -- --changed`, with files of this repository and a map of this test. */

const tests = globSync(["server/src/**/*.test.ts", "server/test/**/*.test.ts"], { cwd: root });
const house = "server/test/tidy.test.ts";
const pure = "server/src/base/networks.test.ts";
const served = "server/test/service.test.ts";
const example = "server/test/conformance/types.test.ts";
const written = "server/src/features/notes/write-note.ts";
const data = "server/src/features/tags/feature.ts";

const sourceOf = (path: string, state = "present") =>
  [path, state === "present" ? hashOf(readFileSync(join(root, path))) : state] as const;
const mapOf = (...sources: (readonly [string, string])[]): TestMap => ({
  sources: new Map(sources),
  tests: new Map(
    tests.map((path) => [
      path,
      {
        seconds: 1,
        sources: path === served ? [written, "server/src/features/tags/rules.ts"] : [],
      },
    ]),
  ),
});
const empty = mapOf();

const affectedBy = (map: TestMap, earlier: ReadonlyMap<string, string>, ...changed: string[]) =>
  new Set(affectedTests(root, tests, { changed, earlier, map }));
const byNames = (...changed: string[]) => affectedBy(empty, new Map(), ...changed);

test("a changed test file runs, with the tests that read the whole repository", () => {
  const affected = byNames(pure);
  for (const each of [pure, house]) assert.ok(affected.has(each), each);
  assert.ok(!affected.has(example));
});

test("a changed source affects the tests that ran it", () => {
  const affected = affectedBy(mapOf(sourceOf(written)), new Map(), written);
  for (const each of [served, house]) assert.ok(affected.has(each), each);
  for (const each of [example, pure]) assert.ok(!affected.has(each), each);
});

test("a map that knows the source before the change is young enough, and an older one is not", () => {
  const map = mapOf(sourceOf(written, "0123456789"));
  const before = affectedBy(map, new Map([[written, "0123456789"]]), written);
  assert.ok(!before.has(example));
  const older = affectedBy(map, new Map([[written, "9876543210"]]), written);
  assert.ok(older.has(example), "imports lead from the source to it");
});

test("a changed source without functions affects the tests that ran others of its folder", () => {
  const affected = affectedBy(mapOf(sourceOf(data)), new Map(), data);
  assert.ok(affected.has(served));
  assert.ok(!affected.has(example));
});

test("a source that the map does not know affects the tests that import it, directly or through others", () => {
  const affected = byNames(data);
  for (const each of [served, example]) assert.ok(affected.has(each), each);
  assert.ok(!affected.has(pure));
});

test("a file that is read affects the tests that name it, and those of a support file that names it", () => {
  const affected = byNames("server/test/conformance/prayer-requests/table.sql");
  assert.ok(affected.has(example));
  assert.ok(!affected.has(pure));
});

test("a migration, the packages and the runner affect every test", () => {
  for (const path of [
    "server/migrations/0001_baseline.sql",
    "package-lock.json",
    "server/test/run.ts",
  ])
    assert.equal(byNames(path).size, tests.length, path);
});
