import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** The module that every page of the app loads. */
const START = "web/src/main.tsx";

type Import = { from: string; isLate: boolean };

/** For each module of the app, those that import it. All paths are from the root of the repository. */
export type Importers = ReadonlyMap<string, readonly Import[]>;

export function importersOf(root: string): Importers {
  const modules = globSync("web/src/**/*.{ts,tsx,css}", { cwd: root });
  const importers = new Map<string, Import[]>(modules.map((file) => [file, []]));
  for (const from of modules)
    for (const [, now, late] of readFileSync(join(root, from), "utf8").matchAll(
      /(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g,
    ))
      importers
        .get(join(dirname(from), now ?? late ?? ""))
        ?.push({ from, isLate: late !== undefined });
  return importers;
}

/**
 * The parts of the app that contain a module. A part is what arrives with one dynamic import, and its name is the imported
 * module. Undefined if every page loads the module, or no import leads to it. A part that is not among `known` counts as the
 * parts that load it.
 */
export function partsWith(
  module: string,
  importers: Importers,
  known: ReadonlySet<string>,
): Set<string> | undefined {
  // The catalogs of texts are imported by a pattern, and the tests load those of one language.
  if (/^web\/src\/locales\/.*\.po$/.test(module)) return new Set([module]);
  const parts = new Set<string>();
  const reached = new Set([module]);
  // The loop also visits the modules that it adds.
  for (const one of reached) {
    if (one === START) return undefined;
    for (const { from, isLate } of importers.get(one) ?? [])
      if (isLate && known.has(one)) parts.add(one);
      else reached.add(from);
  }
  return parts.size > 0 ? parts : undefined;
}
