/**
 * `npm test [-- --changed] [--whole] [--seed <number>] [files] [options of node --test]`
 *
 * Starts one PostgreSQL that is thrown away afterwards, migrates a template, and runs the test files. Neighbors share a process and
 * a database that is cloned from the template (support/groups.ts, support/database.ts). Ends as the tests end, and leaves no process
 * and no file behind, also when it is interrupted.
 *
 * The tests that hold for every type check a sample (support/sample.ts), and expensive tests run if what they protect has changed
 * (support/protects.ts). With --whole, all of it runs. If it passes, the run is written to map.json (support/map.ts).
 * With --changed, only those test files run that the last commit and the uncommitted changes can affect (support/changed.ts).
 *
 * TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin runs the same against another PostgreSQL.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { affectedTests, changedFiles, earlierFiles, testFiles } from "./support/changed.ts";
import { groupsOf } from "./support/groups.ts";
import { changedSince, presentSources, readMap, writeMap } from "./support/map.ts";
import { startTestServer } from "./support/postgres.ts";
import { protects } from "./support/protects.ts";
import { root } from "./support/root.ts";
import type { FileReport } from "./support/run-files.ts";

/** No test waits for time, so none takes this long, even on a busy machine. One that hangs is reported by its name. */
const TEST_MS_MAX = 300_000;
const SLOWEST = 10;
/** The assumed time of a test file that the map does not know. */
const SECONDS_UNKNOWN = 2;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.abort(signal));

const map = readMap(root);
const sources = presentSources(root);
const changed = changedSince(map, sources);
const { files, isAll, isWhole, options, seed } = parse(process.argv.slice(2));
if (files.length === 0) {
  console.error("No test file has this name.");
  process.exit(1);
}
console.error(
  isWhole
    ? "Every check runs, and no sample."
    : `The samples have the seed ${seed}. --whole runs everything.`,
);
const server = await startTestServer((line) => process.stderr.write(`${line}\n`));
const directory = await mkdtemp(join(tmpdir(), "vestry-tests-"));
const reportsFile = join(directory, "reports");
const changedFile = join(directory, "changed.json");
await writeFile(changedFile, JSON.stringify(changed));
try {
  process.exitCode = interrupted.signal.aborted ? 1 : await runTests();
  const reports = readReports();
  printSlowest(reports);
  printProcessorTime(reports);
  if (isAll && isWhole && process.exitCode === 0) saveMap(reports);
  if (process.exitCode !== 0 && !isWhole)
    console.error(`To repeat a file with the same samples: npm test -- --seed ${seed} <file>`);
  if (isAll) console.error("The tests in a browser: npm run test:web");
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}

/** Options of node that have a value keep it, also when it is an argument of its own. */
function parse(args: string[]) {
  const withValue = ["name-pattern", "skip-pattern", "reporter", "reporter-destination", "timeout"];
  const { tokens, values } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: {
      changed: { type: "boolean" },
      whole: { type: "boolean" },
      seed: { type: "string" },
      ...Object.fromEntries(withValue.map((name) => [`test-${name}`, { type: "string" as const }])),
    },
  });
  const named = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const given = tokens.filter((token) => token.kind === "option");
  const found = globSync(named.length > 0 ? named : testFiles, { cwd: root });
  const isWhole = values["whole"] === true;
  const isAll = named.length === 0 && values["changed"] !== true;
  return {
    files: chosen(found, { isAll, isLimited: values["changed"] === true, isWhole }),
    isAll,
    isWhole,
    options: given
      .filter(({ name }) => !["changed", "seed", "whole"].includes(name))
      .map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`)),
    seed: typeof values["seed"] === "string" ? values["seed"] : String(randomInt(1_000_000)),
  };
}

/** A test that is named always runs. */
function chosen(
  found: string[],
  { isAll, isLimited, isWhole }: { isAll: boolean; isLimited: boolean; isWhole: boolean },
): string[] {
  if (isLimited) {
    const change = { changed: changedFiles(root), earlier: earlierFiles(root), map };
    const affected = affectedTests(root, found, change).filter(
      (path) => isWhole || isDue(path, change.changed),
    );
    console.error(`${affected.length} of ${found.length} test files can be affected.`);
    return affected;
  }
  if (!isAll || isWhole) return found;
  const due = found.filter((path) => isDue(path, changed));
  const left = found.filter((path) => !due.includes(path));
  if (left.length > 0)
    console.error(
      `These tests protect what has not changed since the last whole run: ${left.join(", ")}`,
    );
  return due;
}

/** Whether a change can break the promises of an expensive test. All other tests are always due. */
function isDue(test: string, changes: readonly string[]): boolean {
  const paths = protects[test];
  return (
    paths === undefined ||
    changes.some((changed) => [test, ...paths].some((path) => changed.startsWith(path)))
  );
}

async function runTests(): Promise<number> {
  const secondsOf = (path: string) => map.tests.get(path)?.seconds ?? SECONDS_UNKNOWN;
  const groups = await Promise.all(groupsOf(files, secondsOf).map(writeEntry));
  const child = spawn(
    process.execPath,
    [
      "--test",
      // One more than there are processors: some files wait for a receiver or a killed process most of their time.
      `--test-concurrency=${availableParallelism() + 1}`,
      `--test-timeout=${TEST_MS_MAX}`,
      ...options,
      ...groups,
    ],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        TEST_ADMIN_URL: server.adminUrl,
        TEST_TEMPLATE_URL: server.templateUrl,
        TEST_REPORTS: reportsFile,
        TEST_SEED: seed,
        TEST_CHANGED: changedFile,
        ...(isWhole && { TEST_WHOLE: "1" }),
        ...(isAll && isWhole && { TEST_COVERAGE: "1" }),
      },
    },
  );
  interrupted.signal.addEventListener("abort", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Node runs one file per process, in the order of their names. This one runs the files of a group. */
async function writeEntry(group: string[], index: number): Promise<string> {
  const entry = join(directory, `group-${String(index + 1).padStart(2, "0")}.mjs`);
  const runner = new URL("support/run-files.ts", import.meta.url);
  const lines = [
    `import { runFiles } from ${JSON.stringify(runner.href)};`,
    `await runFiles(${JSON.stringify(
      group.map((path) => resolve(root, path)),
      undefined,
      2,
    )});`,
  ];
  await writeFile(entry, lines.join("\n"));
  return entry;
}

function readReports(): FileReport[] {
  // An interrupted run may have finished no file.
  if (!existsSync(reportsFile)) return [];
  const lines = readFileSync(reportsFile, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as FileReport);
}

/** On standard error, so that the output of reporters stays as tools expect it. */
function printSlowest(reports: FileReport[]): void {
  if (reports.length === 0) return;
  const column = (seconds: number) => `${seconds.toFixed(1).padStart(6)} s`;
  console.error("The slowest files, and the processor time of each in its process:");
  for (const { name, processor, seconds } of reports
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST))
    console.error(`${column(seconds)} ${column(processor)}  ${name}`);
}

function printProcessorTime(reports: FileReport[]): void {
  const files = reports.reduce((sum, { processor }) => sum + processor, 0);
  const postgres = server.processorSeconds();
  console.error(
    `Processor time: ${Math.round(files)} s in the processes of the files` +
      (postgres === undefined ? "." : `, ${Math.round(postgres)} s in PostgreSQL.`),
  );
}

function saveMap(reports: FileReport[]): void {
  const tests = reports.map(
    ({ name, ran = [], seconds }) => [name, { seconds, sources: ran }] as const,
  );
  writeMap(root, { sources, tests: new Map(tests) });
}
