import { Compile } from "typebox/schema";
import { notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Broken } from "../../../base/rules.ts";
import { date, decimal } from "../../../jsonapi/definition/attributes.ts";
import { isObject } from "../../../jsonapi/request/input.ts";
import { validate } from "../../../jsonapi/request/validate.ts";
import { type FieldType, type FormField, formField } from "./form-field.ts";

const isField = Compile(formField().schema);

/**
 * Checks rules of fields that the JSON schema cannot express, for each field that matches it. The schema reports the others, so
 * one error does not hide the rest.
 */
export function checkFields(value: unknown, pointer: string, problems: Problem[]): undefined {
  if (!Array.isArray(value) || value.length > limits.formFieldsMax) return;
  const earlier = new Map<string, FormField>();
  const keys = new Set<string>();
  const targets = new Set<string>();
  for (const [position, given] of value.entries()) {
    if (!isObject(given)) continue;
    const at = `${pointer}/${position}`;
    const key = given["key"];
    if (typeof key === "string" && keys.has(key))
      refuse(problems, "invalid-attribute", { rule: "repeated" }, `${at}/key`);
    if (typeof key === "string") keys.add(key);
    if (!isField.Check(given)) continue;
    const field = given as unknown as FormField;
    const say = (member: keyof FormField, broken: Broken) =>
      refuse(problems, "invalid-attribute", broken, `${at}/${member}`);
    checkMembers(field, at, say, problems);
    const target = field["maps-to"] ?? null;
    if (target !== null && targets.has(target)) say("maps-to", { rule: "repeated" });
    if (target !== null) targets.add(target);
    const broken = brokenCondition(field["show-if"], earlier);
    if (broken) say("show-if", broken);
    if (!earlier.has(field.key)) earlier.set(field.key, field);
  }
}

type Say = (member: keyof FormField, broken: Broken) => void;

const withOptions: readonly FieldType[] = ["select", "multi-select"];
const withLength: readonly FieldType[] = ["text", "long-text", "hidden"];
const withRange: readonly FieldType[] = ["number", "date"];

function checkMembers(field: FormField, at: string, say: Say, problems: Problem[]): void {
  const { type } = field;
  const values = field.options?.map((option) => option.value) ?? [];
  const selects = withOptions.includes(type);
  if (selects && values.length === 0) say("options", { rule: "required" });
  if (!selects && values.length > 0)
    say("options", notAllowedHere("Only select and multi-select have options."));
  if (new Set(values).size !== values.length) say("options", { rule: "repeated" });
  if ((field["max-length"] ?? null) !== null && !withLength.includes(type))
    say("max-length", notAllowedHere("Only text, long-text and hidden have a maximum length."));
  if (type === "heading" && field.required)
    say("required", notAllowedHere("A heading has no answer."));
  checkRange(field, at, say, problems);
}

function checkRange(field: FormField, at: string, say: Say, problems: Problem[]): void {
  const before = problems.length;
  for (const member of ["min", "max"] as const) {
    const limit = field[member] ?? null;
    if (limit === null) continue;
    if (!withRange.includes(field.type))
      say(member, notAllowedHere("Only number and date have a range."));
    else
      validate(
        field.type === "date" ? date().schema : numbers.schema,
        limit,
        `${at}/${member}`,
        problems,
      );
  }
  const { max = null, min = null } = field;
  if (problems.length === before && min !== null && max !== null && min > max)
    say("max", { rule: "not-below", other: `${at}/min` });
}

const numbers = decimal({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** A field is shown for an answer that an earlier field can have. */
function brokenCondition(
  condition: FormField["show-if"],
  earlier: ReadonlyMap<string, FormField>,
): Broken | undefined {
  if (!condition) return undefined;
  const { equals } = condition;
  const other = earlier.get(condition.field);
  if (!other) return { rule: "not-found", hint: "`field` names an earlier field of the form." };
  switch (other.type) {
    case "heading":
    case "address":
      return notAllowedHere(`A field of the type ${other.type} has no answer to compare.`);
    case "boolean":
    case "consent":
      return typeof equals === "boolean" ? undefined : { rule: "type", type: "boolean" };
    case "number":
      return typeof equals === "number" ? undefined : { rule: "type", type: "number" };
    case "select":
    case "multi-select": {
      const allowed = other.options?.map(({ value }) => value) ?? [];
      return typeof equals === "string" && allowed.includes(equals)
        ? undefined
        : { rule: "one-of", allowed, given: equals };
    }
    default:
      return typeof equals === "string" && equals.length <= limits.formAnswerLengthMax
        ? undefined
        : { rule: "type", type: "string" };
  }
}
