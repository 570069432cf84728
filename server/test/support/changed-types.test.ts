import assert from "node:assert/strict";
import { test } from "node:test";
import { describedCatalogue } from "../../src/catalogue.ts";
import { isOf } from "./changed-types.ts";

const types = [...describedCatalogue.resources.keys()];
const typesOf = (path: string): string[] => types.filter((type) => isOf(type, path));

test("a file belongs to the types whose definition is in its folder, or in the nearest folder above", () => {
  const features = "server/src/features";
  assert.deepEqual(typesOf(`${features}/cells/closings/close-cell.ts`), [
    "cell-closings",
    "cell-reopenings",
  ]);
  assert.deepEqual(typesOf(`${features}/people/merges/definition.ts`), ["person-merges"]);
  assert.deepEqual(typesOf(`${features}/people/import/links.ts`), ["people"]);
});

test("a file above the folders of a feature's types belongs to all of them", () => {
  assert.deepEqual(
    typesOf("server/src/features/cells/facts.sql"),
    types.filter((type) => /^cells?(-|$)/.test(type)),
  );
});

test("a file of the kernel belongs to no type", () => {
  assert.deepEqual(typesOf("server/src/jsonapi/sql/write.ts"), []);
});
