import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import { Settings } from "typebox/system";
import { limits } from "../../base/limits.ts";
import { escapePointer, type Problem, refuse } from "../../base/errors.ts";
import { brokenRule, isUnknownMember, usefulErrors } from "../../base/wording.ts";

const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

Settings.Set({ maxErrors: limits.schemaErrorsMax });

/** Reports everything that is wrong with a value, with a pointer to each place. */
export function validate(
  schema: TSchema,
  value: unknown,
  pointer: string,
  problems: Problem[],
): void {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  const errors = usefulErrors(validator.Errors(value)[1]);
  const byPlace = Map.groupBy(errors, ({ instancePath }) => pointer + instancePath);
  for (const [place, all] of byPlace) {
    const code = all.some(isUnknownMember) ? "unknown-attribute" : "invalid-attribute";
    refuse(problems, code, brokenRule(all, schema, value), place);
  }
}

/**
 * Rejects texts that PostgreSQL cannot store and excessive nesting in the whole body, including the names of members. It
 * runs before all other steps.
 */
export function checkTexts(value: unknown, problems: Problem[], pointer = "", depth = 0): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      refuse(problems, "invalid-text", { rule: "format", format: "text" }, pointer);
    }
  } else if (typeof value === "object" && value !== null) {
    if (depth > limits.nestingDepthMax) {
      const detail = `Nested more than ${limits.nestingDepthMax} levels.`;
      return refuse(problems, "too-deep", detail, pointer.slice(0, 200));
    }
    const entries = Object.entries(value);
    // Before any schema runs, because checking `uniqueItems` of a hundred thousand entries takes minutes.
    if (entries.length > limits.entriesMax) {
      const broken = { rule: "max-items", limit: limits.entriesMax } as const;
      return refuse(problems, "invalid-attribute", broken, pointer);
    }
    for (const [name, member] of entries) {
      if (name.includes("\0") || !name.isWellFormed()) {
        const hint = "The name of a member cannot be stored.";
        refuse(problems, "invalid-text", { rule: "format", format: "text", hint }, pointer);
      } else checkTexts(member, problems, `${pointer}/${escapePointer(name)}`, depth + 1);
      if (problems.length > 100) return;
    }
  }
}
