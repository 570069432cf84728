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
  /** Distinguishes an item from the others. The choice depends on the seed and on this name alone. */
  nameOf: (item: T) => string;
  /** Items that run with every seed. */
  always?: (item: T) => boolean;
}

/** The items that this run checks, in their order. */
export function sample<T>(all: readonly T[], { always, count, nameOf }: Sampling<T>): T[] {
  if (whole) return [...all];
  const [kept, rest] = [
    all.filter((item) => always?.(item)),
    all.filter((item) => !always?.(item)),
  ];
  const chosen = rest
    .map((item) => ({ item, rank: rankOf(nameOf(item)) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count);
  const chosenItems = new Set([...kept, ...chosen.map(({ item }) => item)]);
  return all.filter((item) => chosenItems.has(item));
}

/** The same number of runs as always in the whole check, and a part of them otherwise. */
export const runsOf = ({ part, whole: all }: { part: number; whole: number }): number =>
  whole ? all : part;

const rankOf = (name: string): string =>
  createHash("sha256").update(`${seed} ${name}`).digest("hex");
