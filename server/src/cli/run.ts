import { CommanderError } from "@commander-js/extra-typings";
import {
  type Config,
  type Environment,
  envFile,
  environment,
  noteOnUnknownSettings,
  readConfig,
} from "../app/config.ts";
import { confirm } from "./confirm.ts";
import type { Context, Outcome, Sink } from "./context.ts";
import { failureOf } from "./failure.ts";
import { type Input, readPassword } from "./password.ts";
import { createProgram } from "./program.ts";

/** Where a command runs: this process, or a test. */
export interface Surroundings {
  readonly env: () => Environment;
  /** The `.env` file that `env` reads, if any. */
  readonly envFile?: string | undefined;
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

const thisProcess: Surroundings = {
  env: environment,
  envFile,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
};

/** Runs one command line and returns its exit status. Progress and errors for people go to standard error. */
export async function run(args: readonly string[], around = thisProcess): Promise<number> {
  // Not taken from the parser: an invalid command line with --json is reported as JSON, too.
  const json = args.includes("--json");
  const print = (text: string) => void around.stdout.write(`${text}\n`);
  const say = (text: string) => void around.stderr.write(`${text}\n`);

  let outcome: Outcome = { json: undefined, lines: [] };
  let help = "";
  const action: Context["action"] =
    (act) =>
    async (...values) => {
      outcome = await act(...values);
    };
  const program = createProgram({ ...contextOf(around, say), json, print, action }, (text) => {
    help += text;
  });
  try {
    await program.parseAsync(helpFirst(args), { from: "user" });
    if (json && outcome.json !== undefined) print(JSON.stringify(outcome.json));
    if (!json && outcome.lines.length > 0) print(outcome.lines.join("\n"));
    return outcome.exitCode ?? 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      const name = error.code === "commander.version" ? "version" : "help";
      print(json ? JSON.stringify({ [name]: help.trimEnd() }) : help.trimEnd());
      return 0;
    }
    const { code, message, exitCode, stack } = failureOf(error, help);
    if (json) print(JSON.stringify({ error: { code, message } }));
    else say(message);
    if (stack !== undefined) say(stack);
    return exitCode;
  }
}

/** `vestry` alone and `vestry help accounts create` show help, like `vestry accounts create --help`. */
function helpFirst(args: readonly string[]): string[] {
  const [first, ...rest] = args.filter((arg) => arg !== "--json");
  if (first === undefined) return ["--help"];
  return first === "help" ? [...rest, "--help"] : [...args];
}

function contextOf(
  around: Surroundings,
  say: Context["say"],
): Omit<Context, "action" | "json" | "print"> {
  let config: Config | undefined;
  return {
    say,
    stderr: around.stderr,
    config: (without) =>
      (config ??= readConfig({ ...around.env(), ...(without && { [without]: "" }) })),
    password: () => readPassword(around.stdin),
    noteOnSettings: () =>
      around.envFile === undefined ? undefined : noteOnUnknownSettings(around.envFile),
    confirm: (question, expected) => confirm(around.stdin, () => say(question), expected),
  };
}
