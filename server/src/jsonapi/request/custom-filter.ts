import type { Actor } from "../../access/actor.ts";
import { isTypedPhone, searchedDigits } from "../../base/phone-numbers.ts";
import type { Broken } from "../../base/rules.ts";
import { isTimestamp } from "../../base/timestamps.ts";
import type { CustomField, CustomFields } from "../definition/custom-fields.ts";
import type { Resource } from "../definition/resource.ts";
import type { Condition } from "./binding.ts";
import { foldedPattern } from "./search-text.ts";

/** The custom fields of the account, and the caller. */
export interface CustomFieldsReader {
  actor: Actor;
  customFields: CustomFields | undefined;
}

const PREFIX = "custom-properties.";

const textTypes = new Set(["string", "text", "email", "phone", "url"]);

/**
 * Parses `filter[custom-properties.shirt-size]`. Text matches in part. All other types match by containment, which an
 * index supports. Returns the rule that an invalid filter breaks. Fields that the caller may not read are unknown.
 */
export function customCondition(
  resource: Resource,
  filter: string,
  value: string,
  { actor, customFields }: CustomFieldsReader,
): Condition | Broken {
  const name = filter.slice(PREFIX.length);
  const field = customFields?.fields.get(name);
  if (!field || !customFields?.mayRead(actor, field)) return { rule: "unknown", given: name };
  if (field.archived) return { rule: "unknown", given: name, hint: "The field is archived." };
  if (value.includes("\0") || !value.isWellFormed()) return { rule: "format", format: "text" };

  const column = `${resource.table}.custom_properties`;
  // The condition of the partial index, so that the planner can use it.
  const some = `${column} <> '{}'`;
  if (textTypes.has(field.type)) {
    const isNumber = field.type === "phone" && isTypedPhone(value);
    const part = isNumber ? searchedDigits(value, actor.country) : value;
    return (statement) =>
      `${some} and fold(${column} ->> ${statement.bind(name)}::text) like ${foldedPattern(statement, part)}`;
  }

  const values = value.split(",").map((one) => valueOf(field, one, actor));
  if (values.includes(undefined)) return ruleOfType(field.type);
  const documents = values.map((one) =>
    JSON.stringify({ [name]: field.type === "multi-select" ? [one] : one }),
  );
  return (statement) =>
    `${some} and ${column} @> any(${statement.bind(documents)}::text[]::jsonb[])`;
}

/** The rule for a value that is not of the type of its field. Types with any text have none. */
function ruleOfType(type: CustomField["type"]): Broken {
  switch (type) {
    case "integer":
    case "decimal":
      return { rule: "type", type: "number" };
    case "boolean":
      return { rule: "one-of", allowed: ["true", "false"] };
    default:
      return { rule: "format", format: "timestamp" };
  }
}

/** Options, dates and people are compared as text. `me` is the caller's person. */
function valueOf(field: CustomField, raw: string, { personId }: Actor): unknown {
  switch (field.type) {
    case "person":
      return raw === "me" ? personId : raw;
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
