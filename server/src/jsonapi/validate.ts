import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { choicesFor } from "../choices.ts";
import { limits } from "../limits.ts";
import { type Code, type Problem, problem } from "../errors.ts";

const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

export const refuse = (problems: Problem[], code: Code, detail: string, pointer: string): void =>
  void problems.push(problem(code, detail, { pointer }));

/** Gathers everything that is wrong with a value, each with the pointer of the place itself. */
export function validate(
  schema: TSchema,
  value: unknown,
  pointer: string,
  problems: Problem[],
): void {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  const seen = new Set<string>();
  const errors = validator.Errors(value);
  const telling = errors.filter(tells);
  for (const error of telling.length > 0 ? telling : errors) {
    const place = pointer + error.instancePath;
    if (seen.has(place)) continue;
    seen.add(place);
    refuse(problems, "invalid-attribute", sentence(error, value), place);
  }
}

/** That no alternative fits, or that it is not null either, is true of every mistake and helps with none. */
const tells = ({ keyword, params }: SchemaError): boolean =>
  keyword !== "anyOf" &&
  keyword !== "boolean" &&
  !(keyword === "type" && (params as { type?: unknown }).type === "null");

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

/** What to do about it, in words for people. */
function sentence(error: SchemaError, whole: unknown): string {
  const params = error.params as Record<string, unknown>;
  const named = (name: string) => String(params[name]);
  const limit = named("limit");
  const names = (name: string) => params[name] as string[];
  switch (error.keyword) {
    case "type":
      return `Must be ${/^[aeio]/.test(named("type")) ? "an" : "a"} ${named("type")}.`;
    case "enum":
      return `Must be one of: ${choicesFor(names("allowedValues"), valueAt(whole, error.instancePath.split("/")))}.`;
    case "minLength":
      return limit === "1" ? "Must not be empty." : `Must have at least ${limit} characters.`;
    case "maxLength":
      return `Must have at most ${limit} characters.`;
    case "minItems":
      return limit === "1" ? "Must not be empty." : `Must have at least ${limit} entries.`;
    case "maxItems":
      return `Must have at most ${limit} entries.`;
    case "maxProperties":
      return `Must have at most ${limit} members.`;
    case "uniqueItems":
      return "Must not repeat an entry.";
    case "minimum":
      return `Must be ${limit} or more.`;
    case "maximum":
      return `Must be ${limit} or less.`;
    case "format":
      return `Must be a valid ${named("format").replace("date-time", "ISO 8601 timestamp with a zone")}.`;
    case "pattern":
      return `Must match ${named("pattern")}.`;
    case "required":
      return `Lacks ${names("requiredProperties").join(", ")}.`;
    case "additionalProperties":
      return `Has unknown members: ${names("additionalProperties").join(", ")}.`;
    default:
      return `Is not valid: ${error.message}.`;
  }
}

const valueAt = (value: unknown, [, ...path]: readonly string[]): unknown =>
  path.reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/**
 * Texts that PostgreSQL cannot store and depths that nobody means. Asked of the whole body before anything else reads
 * it, names of members included, so that no later step need think of them.
 */
export function checkTexts(value: unknown, problems: Problem[], pointer = "", depth = 0): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      const detail = "Contains a NUL character or an unpaired surrogate.";
      refuse(problems, "invalid-text", detail, pointer);
    }
  } else if (typeof value === "object" && value !== null) {
    if (depth > limits.nestingDepthMax) {
      const detail = `Nested more than ${limits.nestingDepthMax} levels.`;
      return refuse(problems, "too-deep", detail, pointer.slice(0, 200));
    }
    const entries = Object.entries(value);
    // Before any schema runs: to find what repeats itself in a hundred thousand entries would take minutes.
    if (entries.length > limits.entriesMax) {
      const detail = `Must have at most ${limits.entriesMax} entries.`;
      return refuse(problems, "invalid-attribute", detail, pointer);
    }
    for (const [name, member] of entries) {
      if (name.includes("\0") || !name.isWellFormed())
        refuse(problems, "invalid-text", "The name of a member cannot be stored.", pointer);
      else checkTexts(member, problems, `${pointer}/${escapePointer(name)}`, depth + 1);
      if (problems.length > 100) return;
    }
  }
}

export const escapePointer = (name: string): string =>
  name.replaceAll("~", "~0").replaceAll("/", "~1");
