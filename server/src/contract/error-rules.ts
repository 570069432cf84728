import { LISTED_MAX } from "../base/choices.ts";
import {
  formats,
  passwordParts,
  type RuleName,
  rules,
  type Values,
  valueTypes,
} from "../base/rules.ts";
import { type Json, schemaRef } from "./json.ts";
import { union } from "./typescript.ts";

/** The rules in `meta` of errors, for the OpenAPI document, docs/errors.md and the SDK. */

/** The values of each kind of rules, in words. */
const valuesText: Record<keyof Values, string> = {
  none: "",
  number: "`limit` (a number)",
  date: "`limit` (a date)",
  other: "`other` (a pointer)",
  format: "`format`",
  type: "`type`",
  choices: `\`allowed\` (a list, unless it has more than ${LISTED_MAX} values)`,
  part: `\`part\` (${passwordParts.map((part) => `\`${part}\``).join(", ")})`,
};

/** The same as members of a TypeScript type. */
const valueMembers: Record<keyof Values, string> = {
  none: "",
  number: "; limit: number",
  date: "; limit: string",
  other: "; other: string",
  format: "; format: ErrorFormat",
  type: `; type: ${union(valueTypes)}`,
  choices: "; allowed?: readonly string[]",
  part: `; part: ${union(passwordParts)}`,
};

/** The declaration of `Rule`. The rules with the same values are one member of the union. */
export function ruleType(): string {
  const groups = Map.groupBy(Object.entries(rules), ([, { values }]) => values);
  const members = [...groups].map(
    ([values, group]) =>
      `  | { rule: ${union(group.map(([name]) => name))}${valueMembers[values]} }`,
  );
  return `/** The rule that a value breaks, with the values of the rule. */\nexport type Rule =\n${members.join("\n")};`;
}

export const ruleEntries = (Object.keys(rules) as RuleName[]).map((name) => {
  const { description, values } = rules[name];
  return { name, description, values: valuesText[values] };
});

export const formatEntries = Object.entries(formats).map(([name, format]) => ({
  name,
  words: format.words,
  example: "example" in format ? format.example : "",
}));

/** The members of `meta` that belong to rules. `limit` has no type, because few generators support a choice of types. */
export const ruleMembers: Json = {
  rule: schemaRef("ErrorRule"),
  limit: { description: "The limit that the rule names: a number, or a date." },
  allowed: {
    type: "array",
    items: { type: "string" },
    description: `The values that the rule allows. Absent if they are more than ${LISTED_MAX}.`,
  },
  format: schemaRef("ErrorFormat"),
  type: { type: "string", enum: [...valueTypes], description: "The type of JSON that is needed." },
  part: {
    type: "string",
    enum: [...passwordParts],
    description: "The part of a new password that is easy to guess.",
  },
  other: {
    type: "string",
    description: "A JSON Pointer to the value with which this one is compared.",
  },
};

export const ruleSchemas: Json = {
  ErrorRule: {
    type: "string",
    enum: Object.keys(rules),
    description: `The rule that the value breaks. An error with the status 422 has one, unless its code says it all, and so has one about a parameter.\n\n${ruleEntries
      .map(
        ({ description, name, values }) =>
          `- \`${name}\`${values && `, with ${values}`}: ${description}`,
      )
      .join("\n")}`,
  },
  ErrorFormat: {
    type: "string",
    enum: Object.keys(formats),
    description: `The form that the text needs.\n\n${formatEntries
      .map(({ name, words }) => `- \`${name}\`: ${words}`)
      .join("\n")}`,
  },
};
