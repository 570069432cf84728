/**
 * `npm test [-- files or options of node --test]`
 *
 * Starts one PostgreSQL that is thrown away afterwards, migrates a template, and runs the test files, each in a process
 * of its own with databases cloned from the template (support/database.ts). Ends as the tests end, and leaves no process
 * and no file behind, also when it is interrupted.
 *
 * TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin runs the same against another PostgreSQL.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { startTestServer } from "./support/postgres.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const everything = ["server/src/**/*.test.ts", "server/test/**/*.test.ts"];

/** No test waits for time, so none takes this long; one that hangs is reported by its name. */
const TEST_MS_MAX = 120_000;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.abort(signal));

const server = await startTestServer((line) => process.stderr.write(`${line}\n`));
try {
  process.exitCode = interrupted.signal.aborted ? 1 : await runTests(process.argv.slice(2));
} finally {
  await server.stop();
}

async function runTests(given: string[]): Promise<number> {
  const files = given.some((each) => !each.startsWith("-")) ? given : [...given, ...everything];
  const options = [
    // One more than there are processors: some files wait for a receiver or a killed process most of their time.
    `--test-concurrency=${availableParallelism() + 1}`,
    `--test-timeout=${TEST_MS_MAX}`,
  ];
  const child = spawn(process.execPath, ["--test", ...options, ...files], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_ADMIN_URL: server.adminUrl,
      TEST_TEMPLATE_URL: server.templateUrl,
    },
  });
  interrupted.signal.addEventListener("abort", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
