import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The parts of the app that the pages of each test loaded, as numbers of `parts`, by the file and the title of the test. `hash`
 * is that of the file, as Git computes it.
 */
export type TestMap = {
  parts: readonly string[];
  files: Readonly<Record<string, { hash: string; tests: Readonly<Record<string, string>> }>>;
};

/** The report of the bed about a test: the scripts that its pages loaded. */
export type Loaded = { file: string; title: string; scripts: string[] };

const web = fileURLToPath(new URL("../..", import.meta.url));
const path = fileURLToPath(new URL("map.json", import.meta.url));

export const readMap = (): TestMap => JSON.parse(readFileSync(path, "utf8")) as TestMap;

/** Git's hash of each file of tests. */
export function hashesOf(files: readonly string[]): Map<string, string> {
  const options = { cwd: join(web, "test"), encoding: "utf8" } as const;
  const hashes = execFileSync("git", ["hash-object", ...files], options)
    .trim()
    .split("\n");
  return new Map(files.map((file, index) => [file, hashes[index] ?? ""]));
}

/** Updates the map after a run. Files without a test in this run stay as they are. */
export function updateMap(loaded: readonly Loaded[]): void {
  const hashes = hashesOf([...new Set(loaded.map(({ file }) => file))]);
  const partOf = partsOfBuild();
  const ran = loaded.map(({ file, scripts, title }) => ({
    file,
    title,
    hash: hashes.get(file) ?? "",
    parts: scripts.flatMap((script) => partOf.get(script) ?? []),
  }));
  const kept = rowsOf(readMap()).filter(
    ({ file }) => !hashes.has(file) && existsSync(join(web, "test", file)),
  );
  writeFileSync(path, `${JSON.stringify(mapOf([...kept, ...ran]), undefined, 2)}\n`);
}

type Row = { file: string; hash: string; title: string; parts: string[] };

const rowsOf = ({ files, parts }: TestMap): Row[] =>
  Object.entries(files).flatMap(([file, { hash, tests }]) =>
    Object.entries(tests).map(([title, numbers]) => ({
      file,
      hash,
      title,
      parts: parts.filter((_, number) => numbers.split(" ").includes(String(number))),
    })),
  );

function mapOf(rows: readonly Row[]): TestMap {
  const parts = [...new Set(rows.flatMap((row) => row.parts))].sort();
  // A test at two widths has two rows.
  const numbersOf = (same: Row[]) =>
    parts.flatMap((part, number) => (same.some((row) => row.parts.includes(part)) ? number : []));
  const grouped = (of: readonly Row[], by: "file" | "title") =>
    [...Map.groupBy(of, (row) => row[by])].sort(([one], [other]) => (one < other ? -1 : 1));
  const entries = grouped(rows, "file").map(([file, tests]) => [
    file,
    {
      hash: tests[0]?.hash ?? "",
      tests: Object.fromEntries(
        grouped(tests, "title").map(([title, same]) => [title, numbersOf(same).join(" ")]),
      ),
    },
  ]);
  return { parts, files: Object.fromEntries(entries) as TestMap["files"] };
}

/** An entry of Vite's manifest. */
type Chunk = { file: string; src?: string; isDynamicEntry?: boolean };

/** The imported module of each script that arrives with a dynamic import. */
function partsOfBuild(): Map<string, string> {
  const manifest = readFileSync(join(web, "dist/.vite/manifest.json"), "utf8");
  return new Map(
    Object.values(JSON.parse(manifest) as Record<string, Chunk>).flatMap((chunk) =>
      chunk.isDynamicEntry ? [[chunk.file, `web/${chunk.src}`]] : [],
    ),
  );
}
