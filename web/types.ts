/** Checks the types of the app with the compiler of the repository. Run it through launch.mjs, which installs the packages. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
  "package.json",
  "bin/tsc",
);
const project = fileURLToPath(new URL(".", import.meta.url));
process.exitCode =
  spawnSync(process.execPath, [compiler, "-p", project], { stdio: "inherit" }).status ?? 1;
