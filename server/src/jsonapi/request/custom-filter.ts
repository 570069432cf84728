import type { Actor } from "../../access/actor.ts";
import { isTimestamp } from "../../base/timestamps.ts";
import type { CustomField, CustomFields } from "../definition/custom-fields.ts";
import { type Condition, foldedPattern } from "./filters.ts";
import type { Resource } from "../definition/resource.ts";

/** The fields a church defined, and who asks about them. */
export interface CustomFieldsReader {
  actor: Actor;
  customFields: CustomFields | undefined;
}

const PREFIX = "custom-properties.";

const textTypes = new Set(["string", "text", "email", "phone", "url"]);

/**
 * `filter[custom-properties.shirt-size]`: text inexactly; everything else by containment, which the index on the values
 * serves. Answers the sentence that says why not. Whoever may not read a field may not find out by filtering either.
 */
export function customCondition(
  of: Resource,
  filter: string,
  value: string,
  { actor, customFields }: CustomFieldsReader,
): Condition | string {
  const name = filter.slice(PREFIX.length);
  const field = customFields?.fields.get(name);
  if (!field || !customFields?.mayRead(actor, field))
    return "names a field this church did not define";
  if (field.archived) return "names a field that is archived";
  if (value.includes("\0") || !value.isWellFormed()) return "contains characters that no text has";

  const column = `${of.table}.custom_properties`;
  // The partial index holds only rows that have values at all; saying so lets the planner use it.
  const some = `${column} <> '{}'`;
  if (textTypes.has(field.type))
    return (statement) =>
      `${some} and fold(${column} ->> ${statement.bind(name)}::text) like ${foldedPattern(statement, value)}`;

  const values = value.split(",").map((one) => valueOf(field, one));
  if (values.includes(undefined)) return `must be of type ${field.type}`;
  const documents = values.map((one) =>
    JSON.stringify({ [name]: field.type === "multi-select" ? [one] : one }),
  );
  return (statement) =>
    `${some} and ${column} @> any(${statement.bind(documents)}::text[]::jsonb[])`;
}

/** Options, dates and people are compared as they were written. */
function valueOf(field: CustomField, raw: string): unknown {
  switch (field.type) {
    case "integer":
    case "decimal":
      return /^-?\d{1,40}(\.\d{1,40})?$/.test(raw) ? Number(raw) : undefined;
    case "boolean":
      return raw === "true" ? true : raw === "false" ? false : undefined;
    case "timestamp":
      return isTimestamp(raw) ? new Date(raw).toISOString() : undefined;
    default:
      return raw;
  }
}
