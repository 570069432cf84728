import { escapePointer, notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import { DAY, now } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { readPhone } from "../../../base/phone-numbers.ts";
import type { Broken } from "../../../base/rules.ts";
import {
  type Attribute,
  boolean,
  date,
  decimal,
  isOneLine,
  lines,
} from "../../../jsonapi/definition/attributes.ts";
import { address, email } from "../../../jsonapi/definition/contact.ts";
import { type CustomFields, schemaOfField } from "../../../jsonapi/definition/custom-fields.ts";
import type { ReadContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { isObject } from "../../../jsonapi/request/input.ts";
import { validate } from "../../../jsonapi/request/validate.ts";
import { cleanText } from "./clean-text.ts";
import { customFieldIn, type FormField } from "../forms/form-field.ts";

/** The rules beyond the fields of the form. */
export interface AnswerRules {
  /** The country of telephone numbers without a country code. */
  country: string | null | undefined;
  /** The attributes of people, to which fields map. */
  person: Readonly<Record<string, Attribute>>;
  customFields: CustomFields | undefined;
}

export interface ReadAnswers {
  answers: Readonly<Record<string, unknown>>;
  problems: readonly Problem[];
}

const POINTER = "/data/attributes/answers";

/** The answers to a form, checked by the fields and by the attributes of people to which they map. */
export async function readAnswers(
  context: ReadContext,
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
): Promise<ReadAnswers> {
  const people = definitionOf(context.catalogue, "people");
  const customFields = await context.customFieldsOf(context.db, context.actor, people);
  return answersOf(fields, given, {
    country: context.actor.country,
    person: people.attributes,
    customFields,
  });
}

/**
 * Cleans and checks answers. The answers to fields that are not shown are dropped, and so are empty ones. Everything that is
 * wrong is reported together.
 */
export function answersOf(
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
  rules: AnswerRules,
): ReadAnswers {
  const problems: Problem[] = [];
  if (Buffer.byteLength(JSON.stringify(given)) > limits.formAnswersBytesMax) {
    const hint = `All answers together must not exceed ${limits.formAnswersBytesMax / 1_024} KiB.`;
    refuse(problems, "invalid-attribute", notAllowedHere(hint), POINTER);
    return { answers: {}, problems };
  }
  const answers = new Map<string, unknown>();
  const shown = new Map<string, FormField>();
  const keys = new Set(fields.filter(({ type }) => type !== "heading").map(({ key }) => key));
  for (const key of Object.keys(given))
    if (!keys.has(key))
      refuse(
        problems,
        "unknown-attribute",
        { rule: "unknown", given: key },
        `${POINTER}/${escapePointer(key)}`,
      );
  for (const field of fields) {
    if (field.type === "heading" || !isShown(field, shown, answers)) continue;
    shown.set(field.key, field);
    const pointer = `${POINTER}/${field.key}`;
    const before = problems.length;
    const value = Object.hasOwn(given, field.key)
      ? readAnswer(field, given[field.key], { ...rules, pointer, problems })
      : undefined;
    if (problems.length > before) continue;
    if (isAbsent(field, value)) {
      if (field.required) refuse(problems, "missing-attribute", { rule: "required" }, pointer);
      continue;
    }
    checkMapped(field, value, { ...rules, pointer, problems });
    answers.set(field.key, value);
  }
  return { answers: Object.fromEntries(answers), problems };
}

/** Whether a condition holds. An answer that was left out is no tick. */
function isShown(
  field: FormField,
  shown: ReadonlyMap<string, FormField>,
  answers: ReadonlyMap<string, unknown>,
): boolean {
  const condition = field["show-if"];
  if (!condition) return true;
  const other = shown.get(condition.field);
  if (!other) return false;
  const answer = answers.get(condition.field);
  if (other.type === "boolean" || other.type === "consent")
    return (answer ?? false) === condition.equals;
  return Array.isArray(answer) ? answer.includes(condition.equals) : answer === condition.equals;
}

/** A required consent is not given by `false`. */
const isAbsent = ({ required, type }: FormField, value: unknown): boolean =>
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (type === "consent" && required === true && value === false);

interface Reading extends AnswerRules {
  pointer: string;
  problems: Problem[];
}

const schemas = {
  text: lines({ maxLength: limits.formAnswerLengthMax }).schema,
  email: email().schema,
  number: decimal().schema,
  date: date().schema,
  boolean: boolean().schema,
  address: address().schema,
};

const lengthMax = { "text": 1_000, "hidden": 1_000, "long-text": limits.formAnswerLengthMax };

/** The value of an answer. Undefined if there is none. */
function readAnswer(field: FormField, raw: unknown, reading: Reading): unknown {
  if (raw === null) return undefined;
  const { pointer, problems } = reading;
  const say = (broken: Broken, at = pointer) => refuse(problems, "invalid-attribute", broken, at);
  const checked = (schema: (typeof schemas)[keyof typeof schemas], value: unknown) => {
    validate(schema, value, pointer, problems);
    return value;
  };
  switch (field.type) {
    case "text":
    case "hidden":
    case "long-text": {
      if (typeof raw !== "string") return say({ rule: "type", type: "string" });
      const text = cleanText(raw);
      const limit = field["max-length"] ?? lengthMax[field.type];
      if (Array.from(text).length > limit) say({ rule: "max-length", limit });
      if (field.type !== "long-text" && !isOneLine(text))
        say({ rule: "format", format: "one-line" });
      return text;
    }
    case "email": {
      if (typeof raw !== "string") return say({ rule: "format", format: "email" });
      const text = raw.normalize("NFC").trim();
      return text === "" ? undefined : checked(schemas.email, text);
    }
    case "phone": {
      if (typeof raw !== "string") return say({ rule: "format", format: "phone" });
      if (raw.trim() === "") return undefined;
      if (raw.length > limits.phoneLengthMax)
        return say({ rule: "max-length", limit: limits.phoneLengthMax });
      const number = readPhone(raw, reading.country);
      if (typeof number === "string") return number;
      return say({ rule: "format", format: "phone", hint: number.detail });
    }
    case "number":
      checked(schemas.number, raw);
      return inRange(field, raw, say);
    case "date":
      checked(schemas.date, raw);
      return inRange(field, raw, say);
    case "boolean":
    case "consent":
      return checked(schemas.boolean, raw);
    case "select":
      return optionOf(field, raw, say);
    case "multi-select": {
      if (!Array.isArray(raw)) return say({ rule: "type", type: "array" });
      if (new Set(raw).size !== raw.length) return say({ rule: "repeated" });
      for (const [position, one] of raw.entries())
        optionOf(field, one, (broken) => say(broken, `${pointer}/${position}`));
      return raw;
    }
    case "address": {
      if (!isObject(raw)) return say({ rule: "type", type: "object" });
      const cleaned = Object.fromEntries(
        Object.entries(raw).flatMap(([name, value]) => {
          const text = typeof value === "string" ? cleanText(value) : value;
          return text === "" || text === null ? [] : [[name, text]];
        }),
      );
      return Object.keys(cleaned).length === 0 ? undefined : checked(schemas.address, cleaned);
    }
    default:
      return undefined;
  }
}

type Say = (broken: Broken) => void;

function optionOf({ options }: FormField, raw: unknown, say: Say): unknown {
  const allowed = options?.map(({ value }) => value) ?? [];
  if (!allowed.some((one) => one === raw)) say({ rule: "one-of", allowed, given: raw });
  return raw;
}

function inRange({ max = null, min = null, type }: FormField, value: unknown, say: Say): unknown {
  const isDate = type === "date";
  if (typeof value !== (isDate ? "string" : "number")) return value;
  const given = value as number | string;
  if (min !== null && given < min)
    say(isDate ? { rule: "too-early", limit: String(min) } : { rule: "min", limit: Number(min) });
  if (max !== null && given > max)
    say(isDate ? { rule: "too-late", limit: String(max) } : { rule: "max", limit: Number(max) });
  return value;
}

/** A value that a person could not have is reported to the sender, not to the moderator. */
function checkMapped(
  field: FormField,
  value: unknown,
  { customFields, person, pointer, problems }: Reading,
): void {
  const target = field["maps-to"] ?? null;
  if (target === null) return;
  const custom = customFieldIn(target);
  if (custom !== undefined) {
    const definition = customFields?.fields.get(custom);
    if (definition && !definition.archived)
      validate(schemaOfField(definition), value, pointer, problems);
    return;
  }
  // A telephone number becomes one of the list.
  const attribute = target === "phone" ? undefined : person[target];
  if (attribute) validate(attribute.schema, value, pointer, problems);
  const tomorrow = new Date(now() + DAY).toISOString().slice(0, 10);
  if (target === "birthdate" && typeof value === "string" && value > tomorrow)
    refuse(problems, "invalid-attribute", { rule: "in-the-future", limit: tomorrow }, pointer);
}
