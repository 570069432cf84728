import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { escapePointer, notAllowedHere, type Problem, refuse } from "../../base/errors.ts";
import { isE164 } from "../../base/phone-numbers.ts";
import { type CustomField, schemaOfField } from "../../jsonapi/definition/custom-fields.ts";
import { isObject } from "../../jsonapi/request/input.ts";
import { validate } from "../../jsonapi/request/validate.ts";
import { limits } from "../../base/limits.ts";
import type { Broken } from "../../base/rules.ts";

/**
 * Checks rules that the JSON schema cannot express, for each definition that matches the schema. Schema errors of other
 * fields are reported separately, so one error does not hide others.
 */
export function definitionsChecker(schema: TSchema) {
  const isDefinition = Compile(schema);
  return (value: unknown, pointer: string, problems: Problem[]): undefined => {
    for (const [resource, fields] of entriesOf(value))
      for (const [name, field] of entriesOf(fields))
        if (isDefinition.Check(field)) {
          const place = `${pointer}/${escapePointer(resource)}/${escapePointer(name)}`;
          checkDefinition(field as CustomField, place, problems);
        }
  };
}

/** Limited, because compiling a schema with a thousand fields is slow. */
const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).slice(0, limits.customPropertiesPerResource) : [];

/** Checks that members fit the type and that the default is valid. */
function checkDefinition(field: CustomField, pointer: string, problems: Problem[]): void {
  const say = (member: string, broken: Broken) =>
    refuse(problems, "invalid-attribute", broken, `${pointer}/${member}`);
  const selects = field.type === "select" || field.type === "multi-select";
  const values = field.options?.map((option) => option.value) ?? [];
  if (selects && values.length === 0) say("options", { rule: "required" });
  if (!selects && field.options)
    say("options", notAllowedHere("Only select and multi-select have options."));
  if (new Set(values).size !== values.length) say("options", { rule: "repeated" });
  if (field.min !== undefined && field.max !== undefined && field.min > field.max)
    say("max", { rule: "not-below", other: `${pointer}/min` });
  // A deleted person would stay the default, and no record could be created.
  if (field.type === "person" && field.default !== undefined)
    say("default", notAllowedHere("A field of type person has no default."));
  else if (field.type === "phone" && field.default !== undefined) {
    // The country of the account can change, and the default belongs to no request.
    if (!isE164(field.default))
      say("default", { rule: "format", format: "phone", hint: "A default is in E.164." });
  } else if (field.default !== undefined && (!selects || values.length > 0))
    validate(schemaOfField(field), field.default, `${pointer}/default`, problems);
}
