import { type ChoiceOption, type FlagOption, type Option, type TextOption } from "./command.ts";
import { accounts } from "../features/accounts/definition.ts";
import { people } from "../features/people/definition.ts";
import type { Problem } from "../base/errors.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import { validate } from "../jsonapi/request/validate.ts";

/** Options that several commands share. */

const attribute = (of: Resource, name: string, description: string): TextOption => {
  const schema = of.attributes[name]?.schema;
  return { kind: "text", description, ...(schema && { schema }) };
};

export const alias: TextOption = {
  kind: "text",
  description: "The church's alias, as people type it when they log in.",
};

export const newAlias = attribute(
  accounts,
  "alias",
  "The church's alias, for logging in: 3 to 40 lower-case letters and digits, single hyphens between them.",
);
export const churchName = attribute(accounts, "church-name", "The church's name.");
export const fullName = (description: string) => attribute(people, "full-name", description);
export const email = (description: string) => attribute(people, "email", description);

export const integrationId: TextOption = {
  kind: "text",
  description: "The integration's id, as `integrations create` printed it.",
};

/** It must be given although there is no other way: who reads the command sees where the password comes from. */
export const passwordStdin: FlagOption = {
  kind: "flag",
  description: "Read the password from standard input (asked for twice at a terminal).",
};

export const choice = <const Value extends string>(
  values: readonly Value[],
  description: string,
  more: { default?: Value; optional?: true } = {},
): ChoiceOption<Value> & typeof more => ({ kind: "choice", values, description, ...more });

/** What is wrong with a text for an option, or undefined. */
export function mistakeIn(option: Option, text: string): string | undefined {
  if (option.kind === "choice" && !option.values.includes(text))
    return `must be one of ${option.values.join(", ")}`;
  if (option.kind === "number" && !/^\d{1,9}$/.test(text))
    return "must be a whole number of at most nine digits";
  if (option.kind !== "text") return undefined;
  if (text.trim() === "") return "needs a value";
  if (text.includes("\0") || !text.isWellFormed()) return "contains what cannot be stored";
  if (!option.schema) return undefined;
  const problems: Problem[] = [];
  validate(option.schema, text, "", problems);
  const [first] = problems;
  // The interface's words are for programmers: an operator is shown an example instead of a pattern.
  const { examples } = option.schema as { examples?: readonly unknown[] };
  if (first && examples) return `must look like ${String(examples[0])}`;
  return first && first.detail.replace(/^M/, "m").replace(/\.$/, "");
}
