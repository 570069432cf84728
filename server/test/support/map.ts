import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The last whole run of the tests (`npm test -- --whole`, a part of `npm run check:full`) writes down what each test file ran, how
 * long it took, and the state of the sources. `--changed` finds the tests of a source there, the groups have equal lengths by it, and
 * what changed since then is tested as a whole and not by sample.
 */
export interface TestMap {
  /** The paths of the sources from the root, with the hashes that Git gives their contents. */
  readonly sources: ReadonlyMap<string, string>;
  readonly tests: ReadonlyMap<string, Ran>;
}

export interface Ran {
  /** Wall time, beside the other processes. */
  readonly seconds: number;
  /** The sources of which at least one function ran. */
  readonly sources: readonly string[];
}

const FILE = "server/test/map.json";

/** Their contents decide what a run tests as a whole. */
const mapped = [
  "server/{bin,migrations,src,test}/**/*.{ts,mjs,json,sql,txt}",
  "server/*.{sql,txt,json}",
  "sdk/{src/**/*.ts,*.json,*.ts}",
  "package{,-lock}.json",
  "web/{build.ts,sources.mjs}",
  "examples/website/**/*.{ts,js,mjs,html,css}",
  "CONTRIBUTING.md",
  "docs/{interface.md,guides/*.md}",
];

/** Whether the map says which tests run this file. Imports lead to all others, such as those that only tests use. */
export const isSource = (path: string): boolean =>
  /^(server|sdk)\/src\/.*(?<!\.test)\.ts$/.test(path);

/** The first digits of the hash that Git gives to a file with this content. */
export const hashOf = (content: Buffer): string =>
  createHash("sha1")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex")
    .slice(0, HASH);

export const HASH = 10;

/** The files that decide what a run tests as a whole, with their present hashes. */
export function presentSources(root: string): Map<string, string> {
  const paths = globSync(mapped, {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", FILE],
  });
  return new Map(
    paths.sort().map((path) => [path, hashOf(readFileSync(join(root, path)))] as const),
  );
}

/** The files that were changed, added or removed since the map was made. */
export function changedSince(map: TestMap, present: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...map.sources.keys(), ...present.keys()]);
  return [...paths].filter((path) => map.sources.get(path) !== present.get(path)).sort();
}

/** A map that does not exist yet knows nothing, so everything counts as changed. */
export function readMap(root: string): TestMap {
  const path = join(root, FILE);
  if (!existsSync(path)) return { sources: new Map(), tests: new Map() };
  const { sources, tests } = JSON.parse(readFileSync(path, "utf8")) as {
    sources: Record<string, string>;
    tests: Record<string, [seconds: number, ran: string]>;
  };
  const run = Object.keys(sources).filter(isSource);
  return {
    sources: new Map(Object.entries(sources)),
    tests: new Map(
      Object.entries(tests).map(([name, [seconds, ran]]) => {
        const bits = Buffer.from(ran, "base64");
        const has = (index: number) => ((bits[index >> 3] ?? 0) >> (index & 7)) & 1;
        return [name, { seconds, sources: run.filter((_, index) => has(index) === 1) }];
      }),
    ),
  };
}

/** One line per file, so that the differences can be read. */
export function writeMap(root: string, { sources, tests }: TestMap): void {
  const run = new Map([...sources.keys()].filter(isSource).map((path, index) => [path, index]));
  const bitsOf = (paths: readonly string[]): string => {
    const bits = Buffer.alloc(Math.ceil(run.size / 8));
    for (const path of paths) {
      const index = run.get(path);
      if (index !== undefined) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    }
    return bits.toString("base64").replace(/A*=*$/, "");
  };
  const rows = <T>(map: ReadonlyMap<string, T>, textOf: (value: T) => unknown): string =>
    [...map]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(textOf(value))}`)
      .join(",\n");
  const text = [
    `{"sources": {\n${rows(sources, (hash) => hash)}\n},`,
    `"tests": {\n${rows(tests, (ran) => [Math.round(ran.seconds * 10) / 10, bitsOf(ran.sources)])}\n}}\n`,
  ];
  writeFileSync(join(root, FILE), text.join("\n"));
}
