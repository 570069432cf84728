import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./root.ts";
import { changedPaths } from "./sample.ts";

/** A definition begins with the name of its type and a description. A function can make the definitions of several types. */
const definition = /type: ((?:"[a-z-]+"(?: \| )?)+),\s+description:/g;

const sources = [
  "server/src/{features,webhooks}/**/*.ts",
  // CONTRIBUTING.md adds this type.
  "server/test/conformance/prayer-requests/*.ts",
];

/** The folder of each definition, by type. */
const folderOf = new Map(
  globSync(sources, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => {
      const found = readFileSync(join(root, path), "utf8").matchAll(definition);
      const types = [...found].flatMap(([, names = ""]) => names.split(" | "));
      return types.map((quoted) => [quoted.slice(1, -1), dirname(path)] as const);
    }),
);

/**
 * Whether a path belongs to the type: it is in the folder of the definition, or in the feature of the type beside the folders of all
 * types. The folder of another type within that folder belongs to that type.
 */
export function isOf(type: string, path: string): boolean {
  const own = folderOf.get(type);
  if (own === undefined) throw new Error(`No definition of ${type} was found.`);
  const folders = [...folderOf.values()].filter((folder) => path.startsWith(`${folder}/`));
  const nearest = folders.reduce((deeper, one) => (one.length > deeper.length ? one : deeper), "");
  if (nearest !== "") return own === nearest;
  const feature = /^server\/src\/(features\/[^/]+|webhooks)\//.exec(path)?.[0];
  return feature !== undefined && `${own}/`.startsWith(feature);
}

const changed = new Set(
  [...folderOf.keys()].filter((type) => changedPaths.some((path) => isOf(type, path))),
);

/** Whether the last commit or the working tree changed the source of the type. */
export function isChanged(type: string): boolean {
  if (!folderOf.has(type)) throw new Error(`No definition of ${type} was found.`);
  return changed.has(type);
}
