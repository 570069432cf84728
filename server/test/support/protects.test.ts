import assert from "node:assert/strict";
import { test } from "node:test";
import { presentSources } from "./map.ts";
import { protects } from "./protects.ts";
import { root } from "./root.ts";

test("expensive test files exist, and the map of a whole run has the files that they protect", () => {
  const mapped = [...presentSources(root).keys()];
  const isMapped = (path: string) =>
    mapped.some((one) => one === path || (path.endsWith("/") && one.startsWith(path)));
  const wrong = Object.entries(protects).flatMap(([file, paths]) =>
    [file, ...paths].filter((path) => !isMapped(path)).map((path) => `${file}: ${path}`),
  );
  assert.deepEqual(wrong, []);
});
