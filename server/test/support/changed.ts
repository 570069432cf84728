import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { HASH, hashOf, isSource, type TestMap } from "./map.ts";

/** No name in a test leads to these files, and every test needs them. */
const forAll =
  /^(server\/(migrations|test\/run\.ts|test\/support\/(groups|run-files)\.ts)|package(-lock)?\.json)/;

/** All test files but those in a browser, as patterns. */
export const testFiles = ["sdk/src", "server/src", "server/test", "web/src", "web/test/choice"].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** These tests read the repository as a whole. */
const always = ["tidy", "generated-files", "docs-links", "schema", "mutations/mutations"].map(
  (name) => `server/test/${name}.test.ts`,
);

const git = (root: string, ...args: string[]): string[] =>
  execFileSync("git", ["-C", root, ...args, "-z"], { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\0")
    .filter(Boolean);

/** The files that differ between the commit before the last one and the working tree. */
export const changedFiles = (root: string): string[] => [
  ...git(root, "diff", "--name-only", "--no-renames", "HEAD~1"),
  ...git(root, "ls-files", "--others", "--exclude-standard"),
];

/** The hashes of the files of the commit before the last one. */
export const earlierFiles = (root: string): Map<string, string> =>
  new Map(
    git(root, "ls-tree", "-r", "HEAD~1").map((line) => {
      const [, hash = "", path = ""] = /^\S+ \S+ (\S+)\t(.*)$/s.exec(line) ?? [];
      return [path, hash.slice(0, HASH)];
    }),
  );

/**
 * The test files that a change of some files can affect. The map says which tests ran a source, if it knows the source as it was
 * before or after the change. Otherwise a file depends on each file whose path it contains in double quotes, from its own folder or
 * from the root, and on the files of a folder in docs/ or examples/ that it names so. Imports are such names. All paths are from
 * the root.
 */
export function affectedTests(
  root: string,
  tests: readonly string[],
  { changed, earlier, map }: Change,
): string[] {
  if (changed.some((path) => forAll.test(path))) return [...tests];
  const isKnown = (path: string): boolean => {
    const hash = isSource(path) ? map.sources.get(path) : undefined;
    return hash !== undefined && (hash === earlier.get(path) || hash === presentHash(root, path));
  };
  const known = changed.filter(isKnown);
  const named = reachedByNames(
    root,
    changed.filter((path) => !known.includes(path)),
  );
  // The map does not know what newer tests run.
  const newer = known.length === 0 ? [] : tests.filter((path) => !map.tests.has(path));
  const chosen = new Set([
    ...always,
    ...known.flatMap((path) => testsOf(map, path)),
    ...named,
    ...newer,
  ]);
  return tests.filter((path) => chosen.has(path));
}

export interface Change {
  readonly changed: readonly string[];
  /** The hashes of all files before the change. */
  readonly earlier: ReadonlyMap<string, string>;
  readonly map: TestMap;
}

/**
 * The tests that ran a function of the source. If none did, the source is data. Then the tests of the smallest folder around it
 * count.
 */
function testsOf(map: TestMap, source: string): string[] {
  for (let path = source; path !== "."; path = dirname(path)) {
    const isInside = (one: string) => one === path || one.startsWith(`${path}/`);
    const tests = [...map.tests].filter(([, { sources }]) => sources.some(isInside));
    if (tests.length > 0) return tests.map(([name]) => name);
  }
  return [...map.tests.keys()];
}

function presentHash(root: string, path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? hashOf(readFileSync(file)) : undefined;
}

/** The changed files, and all that name them directly or through others. */
function reachedByNames(root: string, changed: readonly string[]): Set<string> {
  const reached = new Set(changed);
  if (changed.length === 0) return reached;
  const users = usersOf(root);
  // The loop also visits the paths that it adds.
  for (const path of reached)
    for (const user of [...(users.get(path) ?? []), ...(users.get(dirname(path)) ?? [])])
      reached.add(user);
  return reached;
}

/** For each named file and folder, the files that name it. */
function usersOf(root: string): Map<string, string[]> {
  const files = git(root, "ls-files", "--cached", "--others", "--exclude-standard");
  const users = new Map<string, string[]>();
  for (const path of files)
    for (const each of [path, dirname(path)])
      if (each === path || /^(docs|examples)\//.test(each)) users.set(each, []);
  for (const file of files.filter((path) => /^(sdk|server|web)\/.*\.(tsx?|mjs|js)$/.test(path))) {
    const names = readFileSync(join(root, file), "utf8").matchAll(/"([\w./-]*[./][\w./-]*)"/g);
    const paths = [...names].flatMap(([, name = ""]) => [name, join(dirname(file), name)]);
    for (const path of new Set(paths.map((each) => normalize(each).replace(/\/$/, ""))))
      if (path !== file) users.get(path)?.push(file);
  }
  return users;
}
