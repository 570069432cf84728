import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Generate from "../src/app/generate.ts";
import type * as Migrate from "../src/store/migrate.ts";
import { freshDatabase } from "./support/database.ts";

/**
 * Adds the example of CONTRIBUTING.md to a temporary copy of the repository, in the files that the table there names, and
 * runs in the copy the checks of a new type. A type that needs a change of another file fails one of them.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const copy = await mkdtemp(join(tmpdir(), "vestry-type-"));
after(() => rm(copy, { recursive: true, force: true }));

const read = (folder: string, path: string) => readFile(join(folder, path), "utf8");
const inCopy = (path: string) => import(pathToFileURL(join(copy, path)).href);

/** Packages, data and files that Git ignores. */
const notCopied =
  /(^|\/)(node_modules|\.git|openapi\.json|[^/]*\.log)$|^(\.runtime|data|web\/(\.?dist|test-results))$/;

const isCopied = (path: string) => !notCopied.test(path.slice(root.length));

test("a new type takes six files and its place in the catalogue, and every check accepts it", async () => {
  await cp(root, copy, { recursive: true, filter: isCopied });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const rows = [
    ...(await read(root, "CONTRIBUTING.md")).matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm),
  ];
  assert.equal(rows.length, 6);
  const added = await Promise.all(rows.map(([, path = "", example = ""]) => add(path, example)));
  added.push(await addToCatalogue());

  const { db, url } = await freshDatabase("it gets the table of the example");
  const { migrate } = (await inCopy("server/src/store/migrate.ts")) as typeof Migrate;
  const { generated, triggersFile } = (await inCopy(
    "server/src/app/generate.ts",
  )) as typeof Generate;
  const [triggers, text] = triggersFile();
  await writeFile(join(copy, triggers), text);
  await migrate(db);
  const made = await generated(db);
  await db.end();
  for (const [path, text] of made) await writeFile(join(copy, path), text);
  const changed = await differences();
  assert.deepEqual(
    changed.filter((path) => !added.includes(path) && !made.has(path)),
    [],
  );
  for (const path of added) assert.ok(changed.includes(path), path);
  assert.ok(changed.includes("server/schema.sql") && changed.includes("server/interface.txt"));

  await runTests(url);
});

/** Puts a file of the example where the table says. A text for a page that exists is its new end. */
async function add(place: string, example: string): Promise<string> {
  const folder = join(root, "server/test/conformance/prayer-requests");
  const migrations = await readdir(join(root, "server/migrations"));
  const path = place
    .replace("<number>", String(migrations.length + 1).padStart(4, "0"))
    .replace("<name>", "prayer_requests")
    .replaceAll(/<(feature|type)>/g, "prayer-requests");
  const before = place.includes("<") ? "" : await read(root, path);
  // The example is two folders deeper than a feature.
  const text = (await read(folder, example)).replaceAll('"../../../src/', '"../../');
  await mkdir(dirname(join(copy, path)), { recursive: true });
  await writeFile(join(copy, path), before + text);
  return path;
}

async function addToCatalogue(): Promise<string> {
  const path = "server/src/catalogue.ts";
  const text = await read(root, path);
  const line = 'import { prayersFeature } from "./features/prayer-requests/feature.ts";\n';
  await writeFile(join(copy, path), line + text.replace(/^\];/m, "  prayersFeature,\n];"));
  return path;
}

/** The files that the copy does not have as the repository has them. */
async function differences(): Promise<string[]> {
  const [before, now] = await Promise.all([filesOf(root), filesOf(copy)]);
  const paths = [...new Set([...before, ...now])];
  const texts = (folder: string, path: string) => read(folder, path).catch(() => undefined);
  const differs = await Promise.all(
    paths.map(async (path) => (await texts(root, path)) !== (await texts(copy, path))),
  );
  return paths.filter((_, index) => differs[index]);
}

async function filesOf(folder: string, under = ""): Promise<string[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true });
  const found = entries
    .map((entry) => ({ entry, path: join(under, entry.name) }))
    .filter(({ path }) => !notCopied.test(path))
    .map(async ({ entry, path }) => (entry.isDirectory() ? filesOf(folder, path) : [path]));
  return (await Promise.all(found)).flat();
}

/** These run in the copy, */
const whole = [
  "tidy",
  "docs-links",
  "schema",
  "generated-files",
  "interface/prayer-requests/rules",
].map(testFile);
/** and of these the tests of all types together and of the new one. */
const partly = ["openapi", "conformance/types", "conformance/isolation"].map(testFile);
const chosen = "· prayer-requests|^(the document|operation ids|examples|generators)";

function testFile(name: string): string {
  return `server/test/${name}.test.ts`;
}

/** Runs test files of the copy in one process, with databases that have the tables of the new type. */
async function runTests(url: string): Promise<void> {
  const files = [...whole, ...partly];
  const entry = join(copy, "added.mjs");
  // The suite of a file has its name, which the pattern names.
  await writeFile(
    entry,
    `import { suite } from "node:test";
     for (const file of ${JSON.stringify(files)}) suite(file, () => import("./" + file));`,
  );
  // A test runner that the first variable reaches reports to its parent and runs nothing. The cache is of the whole run.
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: _cache, ...environment } = process.env;
  const env = { ...environment, TEST_TEMPLATE_URL: url, TEST_WHOLE: "1" };
  const options = { cwd: copy, env };
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const pattern = `--test-name-pattern=^(${whole.join("|")})$|${chosen}`;
    const how = ["--test-force-exit", "--test-reporter=tap", pattern];
    execFile(process.execPath, [...how, entry], options, (error, output) =>
      resolve({ code: error ? error.code : 0, output }),
    );
  });
  const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0);
  assert.ok(code === 0 && passed >= files.length, output);
}
