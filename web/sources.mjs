/** The files that web/dist is built from. The launcher imports this file, so it uses no package and works with Node 20. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL(".", import.meta.url));

const FILES = [
  "index.html",
  "build.ts",
  "vite.config.ts",
  "lingui.config.ts",
  "package-lock.json",
  // The rule of new passwords, which the app shares with the service.
  "../server/src/base/new-password.ts",
  "../server/src/base/folded.ts",
  "../server/src/access/common-passwords.txt",
];
const FOLDERS = ["public", "src", "../sdk/src"];

/** The hash of the sources, by which an old build is noticed. */
export function sourcesHash() {
  const hash = createHash("sha256");
  /** @type {string[]} */
  const paths = [...FILES, ...FOLDERS.flatMap(filesIn)];
  for (const path of paths.sort()) hash.update(`${path}\0`).update(readFileSync(join(web, path)));
  return hash.digest("hex").slice(0, 16);
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(join(web, folder), { encoding: "utf8", recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter(
      (path) => !/\.test\.tsx?$|\/gallery[./]/.test(path) && statSync(join(web, path)).isFile(),
    );
