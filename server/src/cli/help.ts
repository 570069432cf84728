import type { Command, Option } from "./command.ts";
import { common } from "./parse.ts";

export function helpOf(command: Command): string[] {
  const { argument, json = common.json.description } = command;
  const options = Object.entries<Option>({
    ...command.options,
    ...common,
    json: { ...common.json, description: json },
  });
  const left = options.map(([name, option]) => `--${name}${placeholder(option)}`);
  const width = Math.max(...left.map((text) => text.length), argument?.name.length ?? 0) + 2;
  return [
    `npx vestry ${command.name}${argument ? ` <${argument.name}>` : ""}`,
    "",
    command.summary,
    "",
    ...(argument ? [`  ${argument.name.padEnd(width)}${argument.description}`] : []),
    ...options.map(([, option], index) => `  ${left[index]?.padEnd(width)}${describe(option)}`),
  ];
}

export function helpOfAll(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    "npx vestry <command>",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    "",
    "npx vestry <command> --help tells what a command takes; --version, which Vestry this is.",
    "Settings: see .env.example.",
  ];
}

function placeholder(option: Option): string {
  if (option.kind === "flag") return "";
  return option.kind === "choice" ? ` ${option.values.join("|")}` : ` <${option.kind}>`;
}

function describe(option: Option): string {
  const { description } = option;
  if ("default" in option && option.default !== undefined)
    return `${description} Default: ${option.default}.`;
  return option.optional ? `${description} Optional.` : description;
}
