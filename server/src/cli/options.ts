import { type CommandUnknownOpts, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { TSchema } from "typebox";
import { accounts } from "../features/accounts/definition.ts";
import { people } from "../features/people/definition.ts";
import type { Problem } from "../base/errors.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import { validate } from "../jsonapi/request/validate.ts";

const requiredOptions = new WeakSet<object>();

/**
 * Marks an option as required. commander's requiredOption() is not used, because it looks for missing options before
 * unknown ones: it would report a misspelled --alais as a missing --alias.
 */
export function required<Flags extends string, Preset, Default, Value, Choices>(
  option: Option<Flags, Preset, Default, Value, false, Choices>,
) {
  requiredOptions.add(option);
  option.description += " (required)";
  return option as unknown as Option<Flags, Preset, Default, Value, true, Choices>;
}

export function assertNoneMissing(command: CommandUnknownOpts): void {
  const missing = command.options
    .filter((option) => requiredOptions.has(option))
    .filter((option) => command.getOptionValue(option.attributeName()) === undefined)
    .map(({ flags }) => flags);
  if (missing.length > 0) command.error(`error: missing required option ${missing.join(", ")}`);
}

/** An option with a text value, checked against the schema of the attribute that it sets. */
export const text = <const Flags extends string>(
  flags: Flags,
  description: string,
  schema?: TSchema,
) =>
  new Option(flags, description).argParser((value: string) => {
    const mistake = mistakeIn(value, schema);
    if (mistake !== undefined) throw new InvalidArgumentError(mistake);
    return value.normalize("NFC").trim();
  });

export function wholeNumber(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a whole number of at most nine digits.");
}

function mistakeIn(value: string, schema: TSchema | undefined): string | undefined {
  if (value.trim() === "") return "It must not be empty.";
  if (value.includes("\0") || !value.isWellFormed()) return "It contains invalid characters.";
  if (!schema) return undefined;
  const problems: Problem[] = [];
  validate(schema, value, "", problems);
  // An operator is shown an example instead of the pattern that the API reports.
  const { examples } = schema as { examples?: readonly unknown[] };
  if (problems.length > 0 && examples) return `It must look like ${String(examples[0])}.`;
  return problems[0]?.detail;
}

const schemaOf = (resource: Resource, attribute: string) => resource.attributes[attribute]?.schema;

/** `--account` and `--alias` are two names of one option. */
const aliasFlags = "--account, --alias <alias>";
export const alias = () => required(text(aliasFlags, "The alias of the account."));
export const newAlias = () =>
  required(
    text(
      aliasFlags,
      "The alias that people type when they log in: 3 to 40 lower-case letters and digits, with single hyphens between them.",
      schemaOf(accounts, "alias"),
    ),
  );
export const churchName = () =>
  required(
    text("--church-name <name>", "The name of the church.", schemaOf(accounts, "church-name")),
  );
export const fullName = <const Flags extends string>(flags: Flags, description: string) =>
  required(text(flags, description, schemaOf(people, "full-name")));
export const email = <const Flags extends string>(flags: Flags, description: string) =>
  required(text(flags, description, schemaOf(people, "email")));

/** Required although passwords come no other way, so that the command line shows where this one comes from. */
export const passwordStdin = <const Flags extends string>(flags: Flags) =>
  required(
    new Option(
      flags,
      "Read the password from standard input. At a terminal, vestry asks for it twice.",
    ),
  );

/** The server on which an account lives, for installations with several. */
export const serverNumber = <Flags extends string>(flags: Flags) =>
  new Option(flags, "The number of the PostgreSQL server, from 1.").argParser(wholeNumber);
