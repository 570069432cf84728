/**
 * `npm run mutations [-- --whole] [--seed 1] [--only <name>] [--tests <glob>]`
 *
 * Breaks one promise of the kernel, of rights or of the rules at a time (mutations.ts), in a copy of the repository, and runs the
 * tests that ran the file in the last whole run (support/map.ts), or the tests of the glob. Prints the first test that fails. A
 * mutation that no test notices has survived. Ends with 1 if fewer are noticed than before (KILLED_MIN). Takes hours.
 *
 * The tests must pass without a mutation. Otherwise, a test that always fails would seem to notice each one.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { affectedTests, testFiles } from "../support/changed.ts";
import { presentSources, readMap } from "../support/map.ts";
import { root } from "../support/root.ts";
import { KILLED_MIN, type Mutation, mutations } from "./mutations.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    whole: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    tests: { type: "string", multiple: true },
  },
});

/** They compare files of the repository with each other, so each mutation would fail some of them, whatever it does. */
const ofRepository =
  /\/(add-a-type|changed|docs-links|generated-files|mutations|set-up|tidy)\.test\.ts$/;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.abort(signal));

const map = readMap(root);
const earlier = presentSources(root);
const chosen = mutations.filter(({ name }) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error("No mutation has this name.");
const copy = await mkdtemp(join(tmpdir(), "vestry-mutations-"));
try {
  await copyRepository();
  const killed = await killedAmong(chosen);
  console.log(`${killed} of ${chosen.length} killed, with the seed ${values.seed}`);
  const isAll = values.only === undefined && values.tests === undefined;
  const least = values.whole ? KILLED_MIN.whole : KILLED_MIN.sample;
  if (interrupted.signal.aborted || (isAll && killed < least)) process.exitCode = 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function killedAmong(those: readonly Mutation[]): Promise<number> {
  let killed = 0;
  for (const mutation of those) {
    const startedAt = performance.now();
    const by = await firstFailure(mutation);
    if (interrupted.signal.aborted) break;
    if (by !== undefined) killed += 1;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const verdict = by === undefined ? "SURVIVED" : "killed  ";
    console.log(`${verdict} ${seconds} s  ${mutation.name}  ${by ?? ""}`);
  }
  return killed;
}

/** The files that Git knows and the new ones, with links to the packages and to Node. */
async function copyRepository(): Promise<void> {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const paths = execFileSync("git", ["-C", root, ...listed], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  // Git also lists files that were deleted since the last commit.
  for (const path of new Set(paths.split("\0").filter(Boolean)))
    if (existsSync(join(root, path))) await cp(join(root, path), join(copy, path));
  for (const folder of ["", "sdk", "server", "web"])
    await linkPackages(join(folder, "node_modules"));
  for (const folder of [".runtime", "web/dist"])
    if (existsSync(join(root, folder))) await symlink(join(root, folder), join(copy, folder));
}

/** Links within the packages lead to the workspaces. They stay relative, so that they lead to those of the copy. */
async function linkPackages(folder: string): Promise<void> {
  if (!existsSync(join(root, folder))) return;
  await mkdir(join(copy, folder));
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isFolderOfPackages = entry.name === ".bin" || entry.name.startsWith("@");
    if (entry.isSymbolicLink()) await symlink(await readlink(join(root, path)), join(copy, path));
    else if (isFolderOfPackages) await linkPackages(path);
    else await symlink(join(root, path), join(copy, path));
  }
}

/** The first test that fails with a mutation, or undefined. */
async function firstFailure({ file, from, to }: Mutation): Promise<string | undefined> {
  const path = join(copy, file);
  const text = await readFile(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain this once: ${from}`);
  const tests = testsOf(file);
  if (tests.length === 0) return undefined;
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  try {
    return await runUntilFailure(tests);
  } finally {
    await writeFile(path, text);
  }
}

function testsOf(file: string): readonly string[] {
  const all = globSync(values.tests ?? testFiles, { cwd: root }).filter(
    (path) => !ofRepository.test(path),
  );
  return values.tests ? all : affectedTests(root, all, { changed: [file], earlier, map });
}

async function runUntilFailure(tests: readonly string[]): Promise<string | undefined> {
  const how = [`--seed=${values.seed}`, "--test-reporter=tap"];
  if (values.whole) how.push("--whole");
  const run = [join(copy, "server/bin/launch.mjs"), "server/test/run.ts", ...how, ...tests];
  const child = spawn(process.execPath, run, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => child.kill("SIGINT");
  interrupted.signal.addEventListener("abort", stop);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let said = "";
  child.stderr.on("data", (part) => (said = `${said}${part}`.slice(-2_000)));
  let failure: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // The innermost test that failed is reported first, and its place after it.
    failure ??= /^\s*not ok \d+ - (.*)$/.exec(line)?.[1];
    const place = /^\s*location: '(.*)'$/.exec(line)?.[1];
    if (failure === undefined || place === undefined) continue;
    failure = `${relative(copy, place)}  ${failure}`;
    stop();
    break;
  }
  child.stdout.resume();
  const code = await ended;
  interrupted.signal.removeEventListener("abort", stop);
  if (failure === undefined && code !== 0 && !interrupted.signal.aborted)
    throw new Error(`The tests could not run:\n${said}`);
  return failure;
}
