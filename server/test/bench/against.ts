import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./routes.ts";

/** The checkout that this file belongs to. */
export const here = fileURLToPath(new URL("../../../", import.meta.url));

/** A number of a bench, under the labels that lead to it in the JSON. */
type Figures = ReadonlyMap<string, number>;

export interface Compared {
  readonly what: string;
  readonly other: number;
  readonly here: number;
  /** The median of the ratios of the turns. */
  readonly ratio: number;
}

/**
 * Runs the same bench here and in a checkout of another commit, in turns, because the speed of a machine changes from one
 * minute to the next. The state that goes first in one turn goes second in the next.
 */
export async function benchAgainst(
  commit: string,
  options: readonly string[],
  turns: number,
  say: (line: string) => void,
): Promise<readonly Compared[]> {
  return withCheckout(commit, async (there) => {
    const pairs: { other: Figures; here: Figures }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      say(`Turn ${turn + 1} of ${turns}.`);
      const first = await bench(turn % 2 === 0 ? there : here, options);
      const second = await bench(turn % 2 === 0 ? here : there, options);
      pairs.push(turn % 2 === 0 ? { other: first, here: second } : { other: second, here: first });
    }
    return compare(pairs);
  });
}

/** Uses a checkout of a commit, which is removed afterwards. */
export async function withCheckout<T>(
  commit: string,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "vestry-against-"));
  const there = join(directory, "checkout");
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", here, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  try {
    git("worktree", "add", "--detach", there, commit);
    // The launcher then does not build the web app, which no bench uses.
    await rm(join(there, "web/sources.mjs"), { force: true });
    return await use(there);
  } finally {
    git("worktree", "remove", "--force", there);
    await rm(directory, { recursive: true, force: true });
  }
}

/** The launcher of the checkout installs the packages of that commit. */
async function bench(checkout: string, options: readonly string[]): Promise<Figures> {
  const script = ["server/bin/launch.mjs", "server/test/bench/run.ts", ...options, "--json"];
  const child = spawn(process.execPath, script, {
    cwd: checkout,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`The bench in ${checkout} failed.`);
  return new Map(figuresIn(JSON.parse(output), []));
}

/** Every number of a result. Entries of a list have the label that they show in tables. */
function* figuresIn(value: unknown, path: readonly string[]): Generator<[string, number]> {
  if (typeof value === "number") yield [path.join(" · "), value];
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) {
      const { title, what } = (one ?? {}) as { title?: unknown; what?: unknown };
      const label = [what, title].find((word) => typeof word === "string");
      yield* figuresIn(one, [...path, (label as string | undefined) ?? key]);
    }
}

/** Figures that only one of the commits has are left out. */
function compare(pairs: readonly { other: Figures; here: Figures }[]): readonly Compared[] {
  const [first] = pairs;
  const known = [...(first?.here.keys() ?? [])].filter(
    (what) => !what.startsWith("machine") && first?.other.has(what),
  );
  return known.map((what) => {
    const values = pairs.map((pair) => ({
      here: pair.here.get(what) ?? Number.NaN,
      other: pair.other.get(what) ?? Number.NaN,
    }));
    return {
      what,
      here: median(values.map((pair) => pair.here)),
      other: median(values.map((pair) => pair.other)),
      ratio: median(values.map((pair) => pair.here / pair.other)),
    };
  });
}
