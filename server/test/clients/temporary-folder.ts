/** Clients with packages outside this repository are installed in a temporary folder. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

const INSTALL_MS_MAX = 240_000;

/** The options of a test that installs packages. */
export const INSTALLING = { timeout: 2 * INSTALL_MS_MAX };

export async function temporaryCopy(t: TestContext, source: URL): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vestry-client-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(source, folder, { recursive: true });
  return folder;
}

/** How npm, pip and Go report a registry that they cannot reach. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|NewConnectionError|NameResolutionError|ConnectTimeoutError|dial tcp/;

/** Whether the tools are installed. Without the program or the registry, the test is skipped. Other failures are errors. */
export async function install(t: TestContext, folder: string, program: string, ...args: string[]) {
  try {
    await run(folder, program, ...args);
    return true;
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? `${program} is not installed.`
        : UNREACHABLE.test(String(error)) && `${program} cannot reach its registry.`;
    if (!reason) throw error;
    t.skip(reason);
    return false;
  }
}

export function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: INSTALL_MS_MAX,
    // A client is not part of a Go workspace or a module that surrounds the temporary folder.
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly" },
  });
  let output = "";
  let printed = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => (printed += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${printed}`));
    });
  });
}
