import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
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
  /** Settings, over an environment that has none. */
  env?: Readonly<Record<string, string>>;
  /** The `.env` that they are said to come from. */
  envFile?: string;
  /** What comes by standard input; nothing comes unless said. */
  input?: string;
  /** Somebody types it. */
  terminal?: boolean;
}

/** Starts `vestry …` in a process of its own, with no setting of the surroundings. */
export function spawnVestry(args: readonly string[], env: RunOptions["env"] = {}): ChildProcess {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return spawn(process.execPath, [script, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
  });
}

/** `vestry …` in this process, for what does not depend on there being another: half a second faster. */
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
