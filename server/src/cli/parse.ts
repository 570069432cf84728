import { parseArgs } from "node:util";
import { nearest } from "../base/nearest.ts";
import type { Command, Option } from "./command.ts";
import { usageError } from "./command.ts";
import { mistakeIn } from "./options.ts";

export interface Parsed {
  values: Record<string, unknown>;
  argument: string;
  json: boolean;
  help: boolean;
}

/** Options that every command takes. */
export const common = {
  json: { kind: "flag", description: "Print exactly one JSON object." },
  help: { kind: "flag", description: "Print this." },
} as const;

/** Whether the arguments ask for JSON, also when they are wrong otherwise: the error is then JSON, too. */
export const wantsJson = (args: readonly string[]): boolean => args.includes("--json");

/** The values of a command's options, or one sentence that names all mistakes. */
export function parse(command: Command, args: readonly string[]): Parsed {
  const options: Record<string, Option> = { ...command.options, ...common };
  const { tokens } = parseArgs({
    args: withValuesApart(options, args),
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [
        name,
        {
          type: kind === "flag" ? ("boolean" as const) : ("string" as const),
          ...(name === "help" && { short: "h" }),
        },
      ]),
    ),
  });

  const mistakes: string[] = [];
  const given = new Map<string, string | true>();
  const positionals: string[] = [];
  const meant = new Set<string>();
  /** What follows an option that there is not was meant for its value, and is no mistake of its own. */
  let valuesOfNone = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "positional") {
      const before = tokens[index - 1];
      if (before?.kind === "option" && !before.inlineValue && !Object.hasOwn(options, before.name))
        valuesOfNone += 1;
      positionals.push(token.value);
    }
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) mistakes.push(`${token.rawName} is not an option of it${suggestion(token.name)}`);
    else if (given.has(token.name)) mistakes.push(`${token.rawName} is given twice`);
    else {
      given.set(token.name, token.value ?? true);
      const mistake = mistakeInGiven(option, token.value);
      if (mistake !== undefined) mistakes.push(`${token.rawName} ${mistake}`);
    }
  }

  const help = given.has("help");
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(command.options)) {
    const value = given.get(name);
    if (value === undefined && isNeeded(option) && !meant.has(name))
      mistakes.push(`--${name} is missing`);
    values[name] = valueOf(option, value);
  }
  if (command.argument && positionals.length === 0)
    mistakes.push(`<${command.argument.name}> is missing`);
  const surplus = positionals.length - (command.argument ? 1 : 0) - valuesOfNone;
  // Not repeated: the surplus word may be a password that somebody hoped would be taken this way.
  if (surplus > 0) mistakes.push("there are words that belong to no option");

  if (mistakes.length > 0 && !help)
    throw usageError(
      `vestry ${command.name}: ${mistakes.join("; ")}. See npx vestry ${command.name} --help.`,
    );
  return { values, argument: positionals[0] ?? "", json: given.has("json"), help };

  function suggestion(name: string): string {
    const [near] = nearest(name, Object.keys(options));
    if (near === undefined) return "";
    meant.add(near);
    return ` (did you mean --${near}?)`;
  }
}

/** In `--alias --json` the parser would take one option for the value of the other. */
function withValuesApart(
  options: Readonly<Record<string, Option>>,
  args: readonly string[],
): string[] {
  return args.map((arg, index) => {
    const name = arg.startsWith("--") ? arg.slice(2) : "";
    const takesValue = Object.hasOwn(options, name) && options[name]?.kind !== "flag";
    return takesValue && (args[index + 1] ?? "--").startsWith("--") ? `${arg}=` : arg;
  });
}

function mistakeInGiven(option: Option, value: string | undefined): string | undefined {
  if (option.kind === "flag") return value === undefined ? undefined : "takes no value";
  return value === undefined || value === "" ? "needs a value" : mistakeIn(option, value);
}

function isNeeded(option: Option): boolean {
  if (option.optional) return false;
  return !("default" in option && option.default !== undefined);
}

function valueOf(option: Option, given: string | true | undefined): unknown {
  if (option.kind === "flag") return given !== undefined;
  if (given === undefined) return "default" in option ? option.default : undefined;
  if (option.kind === "number") return Number(given);
  return option.kind === "text" ? String(given).normalize("NFC").trim() : given;
}
