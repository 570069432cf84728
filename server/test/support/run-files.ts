import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { mock, suite } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { endShared } from "./shared.ts";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Runs test files one after the other in this process, each as a suite with the name of the file. The hooks at the top
 * of a file belong to its suite, and a file that cannot be loaded fails alone.
 */
export async function runFiles(paths: readonly string[]): Promise<void> {
  const environment = { ...process.env };
  for (const path of paths) {
    const name = relative(root, path);
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    await suite(name, () => import(pathToFileURL(path).href));
    mock.reset();
    mock.timers.reset();
    for (const added of Object.keys(process.env))
      if (!(added in environment)) delete process.env[added];
    Object.assign(process.env, environment);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { system, user } = process.cpuUsage(usedBefore);
    const line = JSON.stringify({ name, seconds, processor: (system + user) / 1_000_000 });
    const times = process.env["TEST_TIMES"];
    if (times !== undefined) appendFileSync(times, `${line}\n`);
  }
  await endShared();
}
