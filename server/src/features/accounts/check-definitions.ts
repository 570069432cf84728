import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { escapePointer, type Problem, refuse } from "../../base/errors.ts";
import { type CustomField, schemaOfField } from "../../jsonapi/definition/custom-fields.ts";
import { isObject } from "../../jsonapi/request/input.ts";
import { validate } from "../../jsonapi/request/validate.ts";
import { limits } from "../../base/limits.ts";

/**
 * What the schema of the definitions cannot say, asked of each definition that is one by its schema. Those that are not
 * are told by it, beside this: one slip in one field hides no mistake in another.
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

/** No more than a schema takes: to compile the schema of a thousand fields takes a while. */
const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).slice(0, limits.customPropertiesPerResource) : [];

/** Which members belong to which type, and that a default is a value of it. */
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
  // Deleted, they would be the default all the same, and nothing could be made any more.
  if (field.type === "person" && field.default !== undefined)
    say("default", "A field of type person has no default.");
  else if (field.default !== undefined && (!selects || values.length > 0))
    validate(schemaOfField(field), field.default, `${pointer}/default`, problems);
}
