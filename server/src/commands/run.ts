import { environment, readConfig } from "../config.ts";
import { type Command, type Context, type Outcome, usageError } from "./command.ts";
import { allCommands, commandsOf } from "./commands.ts";
import { failureOf } from "./failure.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { parse, wantsJson } from "./parse.ts";
import { readPassword } from "./password.ts";

const print = (lines: readonly string[]) => {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
};

/** One command from arguments to exit status. What it says for people while it works goes to standard error. */
export async function run(args: readonly string[]): Promise<number> {
  const json = wantsJson(args);
  try {
    const outcome = await act(args, json);
    if (!json) print(outcome.lines);
    else if (outcome.json !== undefined) print([JSON.stringify(outcome.json)]);
    return outcome.exitCode ?? 0;
  } catch (error) {
    const { code, message, exitCode, stack } = failureOf(error);
    if (json) print([JSON.stringify({ error: { code, message } })]);
    else process.stderr.write(`${message}\n`);
    if (stack !== undefined) process.stderr.write(`${stack}\n`);
    return exitCode;
  }
}

async function act(args: readonly string[], json: boolean): Promise<Outcome> {
  const [first, second] = args;
  if (first === undefined || first === "--help" || first === "help") return overview();

  const candidates = await commandsOf(first);
  const command =
    candidates.find(({ name }) => name === `${first} ${second}`) ??
    candidates.find(({ name }) => name === first);
  if (!command) {
    if (second === "--help" && candidates.length > 0) return told(helpOfAll(candidates));
    throw unknown(first, candidates);
  }

  const rest = args.slice(command.name.split(" ").length);
  const { values, argument, help } = parse(command, rest);
  if (help) return told(helpOf(command));
  return command.run(values as never, contextOf(json), argument);
}

const told = (lines: string[]): Outcome => ({ json: { help: lines.join("\n") }, lines });

const overview = async (): Promise<Outcome> => told(helpOfAll(await allCommands()));

function unknown(first: string, candidates: readonly Command[]) {
  if (candidates.length === 0)
    return usageError(`There is no command ${JSON.stringify(first)}: see npx vestry --help.`);
  const names = candidates.map(({ name }) => name).join(", ");
  return usageError(`Say which of these you mean: ${names}.`);
}

function contextOf(json: boolean): Context {
  const env = environment();
  let config: ReturnType<typeof readConfig> | undefined;
  return {
    env,
    json,
    config: () => (config ??= readConfig(env)),
    say: (line) => void process.stderr.write(`${line}\n`),
    password: readPassword,
  };
}
