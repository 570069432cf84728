import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { here, withCheckout } from "./against.ts";
import { benchPath } from "./path.ts";
import { hasProcessorTimes } from "./processes.ts";

/**
 * Compares the processor time of a delivered change with a baseline, which docs/benchmarks.md names. The baseline does not move
 * with each landing, so that many small losses do not pass one by one.
 */

/** Wider than the noise: three ratios of the same two commits have differed by 0.12. */
export const RATIO_MAX = 1.15;
export const PAIRS_MAX = 3;

/** Sources of the path. A landing that changes none of them is not measured. */
const pathSources = [
  "server/migrations",
  ...["access", "events", "features/journal", "jsonapi", "store", "webhooks"].map(
    (room) => `server/src/${room}`,
  ),
];

/** Each ratio is from one pair of measurements. A real loss shows in every pair, so one good pair is enough. */
export function verdictOn(ratios: readonly number[]): "passed" | "failed" | undefined {
  if (ratios.some((ratio) => ratio <= RATIO_MAX)) return "passed";
  return ratios.length < PAIRS_MAX ? undefined : "failed";
}

export async function readBaseline(): Promise<string> {
  const text = await readFile(join(here, "docs/benchmarks.md"), "utf8");
  const [, commit] = /^Baseline of the path: `([0-9a-f]{40})`/m.exec(text) ?? [];
  if (commit === undefined) throw new Error("docs/benchmarks.md names no baseline of the path.");
  return commit;
}

interface GuardOptions {
  readonly directory: string;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** Returns whether the working tree may land. */
export async function guardPath(options: GuardOptions): Promise<boolean> {
  const baseline = await readBaseline();
  const obstacle = obstacleTo(baseline);
  if (obstacle !== undefined) {
    options.say(`SKIPPED: the processor time of a change, because ${obstacle}.`);
    return true;
  }
  const { path } = await withCheckout(baseline, (there) =>
    benchPath({
      ...options,
      checkouts: [there, here],
      only: ["delivered"],
      turns: PAIRS_MAX,
      until: (ratios) => verdictOn(ratios) !== undefined,
    }),
  );
  const ratios = path.flatMap((one) => one.ratios);
  const isPassed = verdictOn(ratios) === "passed";
  const measured = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  options.say(
    `A delivered change takes ${measured} times the processor time of ${baseline.slice(0, 8)}. The limit is ${RATIO_MAX}.`,
  );
  if (!isPassed)
    options.say(
      "Make the change cheaper, or write the figure and the reason into docs/benchmarks.md and raise the baseline there.",
    );
  return isPassed;
}

function obstacleTo(baseline: string): string | undefined {
  if (!hasProcessorTimes) return "this system has no /proc";
  const git = (...words: readonly string[]) =>
    spawnSync("git", ["-C", here, ...words], { stdio: "ignore" }).status === 0;
  if (!git("cat-file", "-e", `${baseline}^{commit}`))
    return `the baseline ${baseline} is not in this repository. A shallow clone lacks it`;
  if (git("diff", "--quiet", baseline, "--", ...pathSources))
    return "no source of the path differs from the baseline";
  return undefined;
}
