/**
 * `npm test [-- --changed] [files] [options of node --test]`
 *
 * Starts one PostgreSQL that is thrown away afterwards, migrates a template, and runs the test files. The files of a
 * folder share a process and a database that is cloned from the template (support/groups.ts, support/database.ts). Ends
 * as the tests end, and leaves no process and no file behind, also when it is interrupted.
 *
 * With --changed, only those test files run that the last commit and the uncommitted changes can affect
 * (support/changed.ts).
 *
 * TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin runs the same against another PostgreSQL.
 */
import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { affectedTests, changedFiles } from "./support/changed.ts";
import { groupsOf } from "./support/groups.ts";
import { startTestServer } from "./support/postgres.ts";
import { root } from "./support/run-files.ts";

const everything = ["sdk/src", "server/src", "server/test", "web/src"].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** No test waits for time, so none takes this long, even on a busy machine. One that hangs is reported by its name. */
const TEST_MS_MAX = 300_000;
const SLOWEST = 10;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.abort(signal));

const { files, isWhole, options } = parse(process.argv.slice(2));
if (files.length === 0) {
  console.error("No test file has this name.");
  process.exit(1);
}
const server = await startTestServer((line) => process.stderr.write(`${line}\n`));
const directory = await mkdtemp(join(tmpdir(), "vestry-tests-"));
const times = join(directory, "times");
try {
  process.exitCode = interrupted.signal.aborted ? 1 : await runTests();
  printSlowest();
  if (isWhole) console.error("The tests in a browser: npm run test:web");
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}

/** Options of node that have a value keep it, also when it is an argument of its own. */
function parse(args: string[]): { files: string[]; isWhole: boolean; options: string[] } {
  const withValue = ["name-pattern", "skip-pattern", "reporter", "reporter-destination", "timeout"];
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: {
      changed: { type: "boolean" },
      ...Object.fromEntries(withValue.map((name) => [`test-${name}`, { type: "string" as const }])),
    },
  });
  const named = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const given = tokens.filter((token) => token.kind === "option");
  const found = globSync(named.length > 0 ? named : everything, { cwd: root });
  const isLimited = given.some(({ name }) => name === "changed");
  const chosen = isLimited ? affectedTests(root, found, changedFiles(root)) : found;
  if (isLimited) console.error(`${chosen.length} of ${found.length} test files can be affected.`);
  return {
    files: chosen.map((file) => resolve(root, file)),
    isWhole: named.length === 0,
    options: given
      .filter(({ name }) => name !== "changed")
      .map(({ rawName, value }) => (value === undefined ? rawName : `${rawName}=${value}`)),
  };
}

async function runTests(): Promise<number> {
  const groups = await Promise.all(groupsOf(files).map(writeEntry));
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
        TEST_TIMES: times,
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
    `await runFiles(${JSON.stringify(group, undefined, 2)});`,
  ];
  await writeFile(entry, lines.join("\n"));
  return entry;
}

/** On standard error, so that the output of reporters stays as tools expect it. */
function printSlowest(): void {
  // An interrupted run may have finished no file.
  if (!existsSync(times)) return;
  const ran = readFileSync(times, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; seconds: number; processor: number })
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  const column = (seconds: number) => `${seconds.toFixed(1).padStart(6)} s`;
  console.error("The slowest files, and the processor time of each in its process:");
  for (const { name, processor, seconds } of ran)
    console.error(`${column(seconds)} ${column(processor)}  ${name}`);
}
