import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { mock, suite } from "node:test";
import { pathToFileURL } from "node:url";
import { setPasswordCost } from "../../src/access/passwords.ts";
import { startCoverage } from "./coverage.ts";
import { cheapCost } from "./passwords.ts";
import { root } from "./root.ts";
import { endShared } from "./shared.ts";

/** The report of a process to test/run.ts about each file, as a line of JSON. */
export interface FileReport {
  name: string;
  seconds: number;
  processor: number;
  /** The sources that ran. Only a run that writes the map observes them. */
  ran?: string[];
}

/**
 * Runs test files one after the other in this process, each as a suite with the name of the file. The hooks at the top
 * of a file belong to its suite, and a file that cannot be loaded fails alone.
 */
export async function runFiles(paths: readonly string[]): Promise<void> {
  const reports = process.env["TEST_REPORTS"];
  const coverage = process.env["TEST_COVERAGE"] ? await startCoverage(root) : undefined;
  if (coverage) {
    // Otherwise, the first file would seem to run everything that runs once at the start.
    await (await import("./service.ts")).startService();
    await coverage.take();
    process.env["NODE_V8_COVERAGE"] = coverage.children;
  }
  const environment = { ...process.env };
  for (const path of paths) {
    const name = relative(root, path);
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    setPasswordCost(cheapCost);
    await suite(name, () => import(pathToFileURL(path).href));
    mock.reset();
    mock.timers.reset();
    for (const added of Object.keys(process.env))
      if (!(added in environment)) delete process.env[added];
    Object.assign(process.env, environment);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { system, user } = process.cpuUsage(usedBefore);
    const report: FileReport = {
      name,
      seconds,
      processor: (system + user) / 1_000_000,
      ...(coverage && { ran: await coverage.take() }),
    };
    if (reports !== undefined) appendFileSync(reports, `${JSON.stringify(report)}\n`);
  }
  coverage?.stop();
  await endShared();
}
