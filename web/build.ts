/**
 * `npm run build [-- --strict]`
 *
 * Builds web/dist: the app, a compressed neighbor of each file, and build.json with the hash of the sources. Files of
 * the previous build stay, so that a page that is open during an update still finds its chunks.
 *
 * The build is complete before it replaces the previous one, so a service never finds half of it. With --strict, a message
 * without a translation fails the build.
 */
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { sourcesHash } from "./sources.mjs";

const web = fileURLToPath(new URL(".", import.meta.url));
const dist = join(web, "dist");
const staging = join(web, ".dist");

type BuildRecord = { hash: string; files: string[] };

const hash = sourcesHash();
await build({
  configFile: join(web, "vite.config.ts"),
  define: { "import.meta.env.VITE_BUILD": JSON.stringify(hash) },
  build: { outDir: staging, emptyOutDir: true },
  logLevel: "warn",
});

// The service worker keeps the files that every page needs, and the scripts of all screens. The list of common passwords is large, and
// a password is set with a connection.
const assets = globSync("assets/*", { cwd: staging, exclude: ["assets/*.txt"] }).map((path) =>
  path.replaceAll("\\", "/"),
);
const shell = ["/", "/icon.svg", "/theme.js", "/recover.js", ...assets.map((path) => `/${path}`)];
writeFileSync(
  join(staging, "sw.js"),
  readFileSync(join(web, "src/sw.js"), "utf8")
    .replace("BUILD", hash)
    .replace('["FILES"]', JSON.stringify(shell)),
);

for (const path of globSync("**/*.{html,js,css,svg,txt,webmanifest}", { cwd: staging })) {
  const content = readFileSync(join(staging, path));
  writeFileSync(join(staging, `${path}.gz`), gzipSync(content, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(join(staging, `${path}.br`), brotliCompressSync(content, { params }));
}

const files = globSync("assets/*", { cwd: staging });
for (const path of previousFiles()) {
  const kept = join(dist, path);
  if (existsSync(kept)) cpSync(kept, join(staging, path), { force: false });
}
writeFileSync(join(staging, "build.json"), JSON.stringify({ hash, files } satisfies BuildRecord));
rmSync(dist, { recursive: true, force: true });
renameSync(staging, dist);

function previousFiles(): string[] {
  const record = join(dist, "build.json");
  if (!existsSync(record)) return [];
  return (JSON.parse(readFileSync(record, "utf8")) as BuildRecord).files;
}
