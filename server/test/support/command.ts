import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { defaults } from "../../src/app/config.ts";
import { run } from "../../src/cli/run.ts";

const script = fileURLToPath(new URL("../../bin/vestry.ts", import.meta.url));

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as the one JSON object it must be. */
  json: Record<string, unknown>;
}

export interface RunOptions {
  /** The settings. */
  env?: Readonly<Record<string, string>>;
  /** The `.env` file whose names are checked. */
  envFile?: string;
  /** Standard input, empty by default. */
  input?: string;
  /** True if standard input is a terminal. */
  terminal?: boolean;
}

/** An empty setting counts as unset, and the environment takes precedence over the `.env` of the clone. */
const unset = Object.fromEntries(Object.keys(defaults).map((name) => [name, ""]));

/** Starts `vestry …` in a process of its own, without the settings of the environment or of `.env`. */
export function spawnVestry(args: readonly string[], env: RunOptions["env"] = {}): ChildProcess {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE, NODE_V8_COVERAGE, TMPDIR } = process.env;
  return spawn(process.execPath, [script, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH,
      HOME,
      ...(TMPDIR && { TMPDIR }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
      ...unset,
      ...env,
    },
  });
}

/** Runs `vestry …` in this process, which is half a second faster than in another one. */
export async function vestry(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  const status = await run(args, {
    env: () => options.env ?? {},
    envFile: options.envFile,
    stdin: Object.assign(Readable.from([Buffer.from(options.input ?? "")]), {
      isTTY: options.terminal ?? false,
    }),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return ran(status, stdout, stderr);
}

export async function vestryProcess(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const child = spawnVestry(args, options.env);
  child.stdin?.end(options.input ?? "");
  const [stdout, stderr, status] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
  ]);
  return ran(status, stdout, stderr);
}

const ran = (status: number | null, stdout: string, stderr: string): Ran => ({
  status,
  stdout,
  stderr,
  get json() {
    return JSON.parse(stdout) as Record<string, unknown>;
  },
});

export async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
