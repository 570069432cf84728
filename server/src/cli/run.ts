import {
  type Config,
  type Environment,
  envFile,
  environment,
  noteOnStrangers,
  readConfig,
} from "../app/config.ts";
import { nearest } from "../base/nearest.ts";
import { version } from "../base/version.ts";
import { type Command, type Context, type Outcome, type Sink, usageError } from "./command.ts";
import { allCommands, commandsOf, firstWords } from "./commands.ts";
import { confirm } from "./confirm.ts";
import { failureOf } from "./failure.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { parse, wantsJson } from "./parse.ts";
import { type Input, readPassword } from "./password.ts";

/** Where a command runs: this process, or a test. */
export interface Surroundings {
  readonly env: () => Environment;
  /** The `.env` that `env` reads, if it reads one. */
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

/** One command from arguments to exit status. What it says for people while it works goes to standard error. */
export async function run(args: readonly string[], around = thisProcess): Promise<number> {
  const json = wantsJson(args);
  const print = (text: string) => void around.stdout.write(`${text}\n`);
  const say = (text: string) => void around.stderr.write(`${text}\n`);
  try {
    const outcome = await act(args, contextOf(around, json, { print, say }));
    if (json && outcome.json !== undefined) print(JSON.stringify(outcome.json));
    if (!json && outcome.lines.length > 0) print(outcome.lines.join("\n"));
    return outcome.exitCode ?? 0;
  } catch (error) {
    const { code, message, exitCode, stack } = failureOf(error);
    if (json) print(JSON.stringify({ error: { code, message } }));
    else say(message);
    if (stack !== undefined) say(stack);
    return exitCode;
  }
}

const asksForHelp = ["--help", "-h"];

async function act(args: readonly string[], context: Context): Promise<Outcome> {
  const [first, second] = args;
  if (first === "--version") return { json: { version }, lines: [version] };
  if (first === "help" && second !== undefined && second !== "--json")
    return act([...args.slice(1), "--help"], context);
  if (first === undefined || ["help", "--json", ...asksForHelp].includes(first)) return overview();

  const candidates = await commandsOf(first);
  const command =
    candidates.find(({ name }) => name === `${first} ${second}`) ??
    candidates.find(({ name }) => name === first);
  if (!command) {
    if (asksForHelp.includes(second ?? "") && candidates.length > 0)
      return told(helpOfAll(candidates));
    throw unknown(first, candidates);
  }

  const rest = args.slice(command.name.split(" ").length);
  const { values, argument, help } = parse(command, rest);
  if (help) return told(helpOf(command));
  return command.run(values as never, context, argument);
}

const told = (lines: string[]): Outcome => ({ json: { help: lines.join("\n") }, lines });

const overview = async (): Promise<Outcome> => told(helpOfAll(await allCommands()));

function unknown(first: string, candidates: readonly Command[]) {
  if (candidates.length === 0) {
    const [meant] = nearest(first, firstWords);
    const suggestion = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    return usageError(
      `There is no command ${JSON.stringify(first)}${suggestion}: see npx vestry --help.`,
    );
  }
  const names = candidates.map(({ name }) => name).join(", ");
  return usageError(`Say which of these you mean: ${names}.`);
}

function contextOf(
  around: Surroundings,
  json: boolean,
  told: Pick<Context, "print" | "say">,
): Context {
  let config: Config | undefined;
  return {
    json,
    ...told,
    stderr: around.stderr,
    config: (without) =>
      (config ??= readConfig({ ...around.env(), ...(without && { [without]: "" }) })),
    password: () => readPassword(around.stdin),
    noteOnSettings: () =>
      around.envFile === undefined ? undefined : noteOnStrangers(around.envFile),
    confirm: (question, expected) => confirm(around.stdin, () => told.say(question), expected),
  };
}
