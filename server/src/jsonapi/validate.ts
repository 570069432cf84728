import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { limits } from "../limits.ts";
import { type Problem, problem } from "../errors.ts";

const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

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
  for (const error of validator.Errors(value)) {
    const place = pointer + error.instancePath;
    if (seen.has(place)) continue;
    seen.add(place);
    problems.push(problem("invalid-attribute", sentence(error), { pointer: place }));
  }
}

interface SchemaError {
  keyword: string;
  params: object;
  message: string;
}

/** What to do about it, in words for people. */
function sentence(error: SchemaError): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "type":
      return `Must be ${article(String(params["type"]))}.`;
    case "enum": {
      const values = params["allowedValues"];
      return Array.isArray(values)
        ? `Must be one of: ${values.join(", ")}.`
        : "Must be one of the values listed.";
    }
    case "minLength":
      return `Must have at least ${params["limit"]} characters.`;
    case "maxLength":
      return `Must have at most ${params["limit"]} characters.`;
    case "minItems":
      return `Must have at least ${params["limit"]} entries.`;
    case "maxItems":
      return `Must have at most ${params["limit"]} entries.`;
    case "maxProperties":
      return `Must have at most ${params["limit"]} members.`;
    case "uniqueItems":
      return "Must not repeat an entry.";
    case "minimum":
      return `Must be ${params["limit"]} or more.`;
    case "maximum":
      return `Must be ${params["limit"]} or less.`;
    case "format":
      return `Must be a valid ${String(params["format"]).replace("date-time", "ISO 8601 timestamp with a zone")}.`;
    case "pattern":
      return `Must match ${params["pattern"]}.`;
    case "required": {
      const missing = params["requiredProperties"];
      return `Lacks ${Array.isArray(missing) ? missing.join(", ") : "a member"}.`;
    }
    case "additionalProperties": {
      const extra = params["additionalProperties"];
      return `Has unknown members${Array.isArray(extra) ? `: ${extra.join(", ")}` : ""}.`;
    }
    default:
      return `Is not valid: ${error.message}.`;
  }
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

/**
 * Texts that PostgreSQL cannot store and depths that nobody means. Asked of the whole body before anything else reads
 * it, names of members included, so that no later step need think of them.
 */
export function checkTexts(value: unknown, problems: Problem[], pointer = "", depth = 0): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed())
      problems.push(
        problem("invalid-text", "Contains a NUL character or an unpaired surrogate.", { pointer }),
      );
  } else if (typeof value === "object" && value !== null) {
    if (depth > limits.nestingDepthMax) {
      problems.push(
        problem("too-deep", `Nested more than ${limits.nestingDepthMax} levels.`, {
          pointer: pointer.slice(0, 200),
        }),
      );
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (name.includes("\0") || !name.isWellFormed())
        problems.push(
          problem("invalid-text", "The name of a member cannot be stored.", { pointer }),
        );
      else checkTexts(member, problems, `${pointer}/${escapePointer(name)}`, depth + 1);
      if (problems.length > 100) return;
    }
  }
}

export const escapePointer = (name: string): string =>
  name.replaceAll("~", "~0").replaceAll("/", "~1");
