import type { TestMap } from "./map.ts";
import { type Importers, partsWith } from "./parts.ts";
import { coreOf, GALLERY, isPlanned, type Test } from "./plan.ts";

/** No test in a browser depends on these files. */
const OTHERS =
  /^(docs|examples|\.ci)\/|^server\/test\/(?!support\/mail-server)|\.md$|\.test\.tsx?$|^web\/test\/choice\//;

/** More tests than these take longer than a change can wait for. */
const AFFECTED_MAX = 40;

/**
 * The tests that a change of these files can affect: those in changed files, and those whose pages load a changed part of the
 * app. If they are more tests than a person waits for, only those of CI run.
 */
export function affected(
  tests: readonly Test[],
  changed: readonly string[],
  map: TestMap,
  importers: Importers,
  hashes: ReadonlyMap<string, string>,
  seed: string,
): Test[] {
  const known = new Set(map.parts);
  const needed = new Set<string>();
  let isEverywhere = false;
  for (const file of changed.filter((one) => !OTHERS.test(one))) {
    const parts = file.startsWith("web/src/") ? partsWith(file, importers, known) : undefined;
    isEverywhere ||= parts === undefined;
    for (const part of parts ?? []) needed.add(String(map.parts.indexOf(part)));
  }
  const hasComponents = changed.some((file) => file.startsWith("web/src/ui/"));
  const isAffected = ({ file, title }: Test) => {
    if (isEverywhere || (hasComponents && file === GALLERY)) return true;
    const known = map.files[file];
    // A test that changed since the map was written may visit other screens.
    const loaded = known?.hash === hashes.get(file) ? known?.tests[title] : undefined;
    return loaded === undefined
      ? needed.size > 0
      : loaded.split(" ").some((one) => needed.has(one));
  };
  const all = tests.filter(isPlanned);
  const found = all.filter(isAffected);
  const chosen = new Set(found.length > AFFECTED_MAX ? coreOf(found, seed) : found);
  return all.filter((test) => chosen.has(test) || changed.includes(`web/test/${test.file}`));
}
