import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";

const root = new URL("../../", import.meta.url);

interface LockEntry {
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const read = async (name: string) => JSON.parse(await readFile(new URL(name, root), "utf8"));

const packages: Record<string, LockEntry> = (await read("package-lock.json")).packages;

test("the lockfile has the binaries of every platform", () => {
  const missing = Object.values(packages)
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => packages[`node_modules/${name}`] === undefined);
  assert.deepEqual(missing, [], "lost when the lock was made anew: restore their entries");
});

test("every install script is allowed or denied, so npm does not ask", async () => {
  const withScripts = Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  // All are denied. store/embedded/binaries.ts does what these scripts do.
  const { allowScripts } = await read("package.json");
  assert.deepEqual(Object.keys(allowScripts).sort(), withScripts.sort());
});

test("the service does not load the browser APIs of node:http", async () => {
  const service = JSON.stringify(new URL("../src/app/service.ts", import.meta.url));
  const script = `await import(${service}); console.log(process.moduleLoadList.join("\\n"))`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { maxBuffer: 1_048_576 },
  );
  assert.match(stdout, /^NativeModule _http_server$/m);
  assert.doesNotMatch(stdout, /undici/);
});
