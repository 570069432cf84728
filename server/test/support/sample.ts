import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * `npm test` runs a sample of the checks that repeat themselves for every type, chosen by a seed that it prints. With --whole, as in
 * `npm run check:full`, all of them run. test/run.ts sets the variables.
 */
const whole = process.env["TEST_WHOLE"] === "1";
const seed = process.env["TEST_SEED"] ?? "1";

const changedFile = process.env["TEST_CHANGED"];

/** The paths, from the root, of the files that changed since the last whole run. */
export const changedPaths: readonly string[] =
  changedFile === undefined ? [] : (JSON.parse(readFileSync(changedFile, "utf8")) as string[]);

interface Sampling<T> {
  /** How many of them run, besides those that always run. */
  count: number;
  /** The items, in the plural, for the line that says how many run. */
  what: string;
  /** Distinguishes an item from the others. The choice depends on the seed, on `what` and on this name alone. */
  nameOf: (item: T) => string;
  /** The count is that of each group of items with the same value, such as a type. */
  groupOf?: (item: T) => string;
  /** Items that run with every seed. */
  always?: (item: T) => boolean;
  /** If more items of a group than this would always run, the seed chooses among them, too. */
  alwaysMax?: number;
  /** The count in the whole check, where all of them would take too long. */
  wholeCount?: number;
}

/** The items that this run checks, in their order. */
export function sample<T>(all: readonly T[], sampling: Sampling<T>): readonly T[] {
  const { count, wholeCount } = sampling;
  if (whole && wholeCount === undefined) return all;
  const chosen = sampleBy(seed, all, { ...sampling, count: (whole && wholeCount) || count });
  console.error(`${chosen.length} of ${all.length} ${sampling.what}, by the seed ${seed}`);
  return chosen;
}

/** The items that a seed chooses, in their order. */
export function sampleBy<T>(of: string, all: readonly T[], sampling: Sampling<T>): readonly T[] {
  const { always = () => false, alwaysMax = all.length, count, groupOf = () => "" } = sampling;
  const ranked = all
    .map((item) => ({ item, rank: digest(`${of} ${sampling.what} ${sampling.nameOf(item)}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
  const chosen = [...Map.groupBy(ranked, groupOf).values()].flatMap((group) => [
    ...group.filter((item) => always(item)).slice(0, alwaysMax),
    ...group.filter((item) => !always(item)).slice(0, count),
  ]);
  const run = new Set(chosen);
  return all.filter((item) => run.has(item));
}

/** The same number of runs as always in the whole check, and a part of them otherwise. */
export const runsOf = ({ part, whole: all }: { part: number; whole: number }): number =>
  whole ? all : part;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The seed as fast-check takes it. */
export const seedOfRuns: number = Number.parseInt(digest(`${seed} runs`).slice(0, 7), 16);
