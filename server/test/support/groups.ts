import { statSync } from "node:fs";
import { dirname } from "node:path";

/** A process that loads the service costs as much as one or two test files, and a long group keeps the others waiting. */
const FILES_MAX = 16;

/**
 * The test files of each process: those of a folder, joined by the next folders while together they are no more than
 * sixteen. A larger folder takes several processes. The group with the most source comes first.
 */
export function groupsOf(paths: readonly string[], filesMax = FILES_MAX): string[][] {
  const groups: string[][] = [];
  for (const [, files = []] of Map.groupBy([...paths].sort(), dirname)) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + files.length <= filesMax) last.push(...files);
    else
      for (let from = 0; from < files.length; from += filesMax)
        groups.push(files.slice(from, from + filesMax));
  }
  const bytes = new Map(
    groups.map((group) => [group, group.reduce((sum, path) => sum + statSync(path).size, 0)]),
  );
  return groups.sort((a, b) => (bytes.get(b) ?? 0) - (bytes.get(a) ?? 0));
}
