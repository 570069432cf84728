import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { escapePointer, type Problem, refuse } from "../../base/errors.ts";
import { type CustomField, schemaOfField } from "../../jsonapi/definition/custom-fields.ts";
import { isObject } from "../../jsonapi/request/input.ts";
import { validate } from "../../jsonapi/request/validate.ts";
import { limits } from "../../base/limits.ts";

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
  const say = (member: string, detail: string) =>
    refuse(problems, "invalid-attribute", detail, `${pointer}/${member}`);
  const selects = field.type === "select" || field.type === "multi-select";
  const values = field.options?.map((option) => option.value) ?? [];
  if (selects && values.length === 0) say("options", `A ${field.type} needs options.`);
  if (!selects && field.options) say("options", "Only select and multi-select have options.");
  if (new Set(values).size !== values.length) say("options", "Option values must differ.");
  if (field.min !== undefined && field.max !== undefined && field.min > field.max)
    say("min", "min is above max.");
  // A deleted person would stay the default, and no record could be created.
  if (field.type === "person" && field.default !== undefined)
    say("default", "A field of type person has no default.");
  else if (field.default !== undefined && (!selects || values.length > 0))
    validate(schemaOfField(field), field.default, `${pointer}/default`, problems);
}
