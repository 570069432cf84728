import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** V8's report about a script. The first function is the module itself, which runs when it is loaded. */
interface Script {
  url: string;
  functions: { ranges: { count: number }[] }[];
}

/** Observes which files of this repository run a function, in this process and in the Node processes that it starts. */
export async function startCoverage(root: string) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Counts make each report start from zero.
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const children = mkdtempSync(join(tmpdir(), "vestry-coverage-"));

  return {
    /** Where processes write their reports when they end. A killed process writes none. */
    children,
    /** The files that ran a function since the last call, as paths from the root. */
    async take(): Promise<string[]> {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const reports = readdirSync(children).map((name) => join(children, name));
      const ofChildren = reports.flatMap(
        (path) => (JSON.parse(readFileSync(path, "utf8")) as { result: Script[] }).result,
      );
      for (const path of reports) rmSync(path);
      return [...new Set([...(result as Script[]), ...ofChildren].flatMap(pathOf))];
    },
    stop(): void {
      session.disconnect();
      rmSync(children, { recursive: true });
    },
  };

  function pathOf({ functions, url }: Script): string[] {
    if (!url.startsWith("file:") || url.includes("/node_modules/")) return [];
    const ran = functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    return ran ? [relative(root, fileURLToPath(url))] : [];
  }
}
