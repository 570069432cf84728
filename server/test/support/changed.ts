import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** No name in a test leads to these files, and every test needs them. */
const forAll =
  /^(server\/(migrations|test\/run\.ts|test\/support\/groups\.ts)|package(-lock)?\.json)/;

/** The tests directly in this folder read the repository as a whole. */
const always = "server/test";

const git = (root: string, ...args: string[]): string[] =>
  execFileSync("git", ["-C", root, ...args, "-z"], { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\0")
    .filter(Boolean);

/** The files that differ between the commit before the last one and the working tree. */
export const changedFiles = (root: string): string[] => [
  ...git(root, "diff", "--name-only", "--no-renames", "HEAD~1"),
  ...git(root, "ls-files", "--others", "--exclude-standard"),
];

/**
 * The test files that a change of some files can affect. A file depends on each file whose path it contains in double
 * quotes, from its own folder or from the root, and on the files of a folder in docs/ or examples/ that it names so. Imports
 * are such names. Tests directly in server/test depend on everything. All paths are from the root.
 */
export function affectedTests(
  root: string,
  tests: readonly string[],
  changed: readonly string[],
): string[] {
  if (changed.some((path) => forAll.test(path))) return [...tests];
  const users = usersOf(root);
  const reached = new Set(changed);
  // The loop also visits the paths that it adds.
  for (const path of reached)
    for (const user of [...(users.get(path) ?? []), ...(users.get(dirname(path)) ?? [])])
      reached.add(user);
  return tests.filter((path) => reached.has(path) || dirname(path) === always);
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
