import { ApiError, notAllowedHere, type Problem, problem } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import type {
  CustomField,
  CustomFieldType,
  CustomFields,
} from "../../../jsonapi/definition/custom-fields.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import {
  customFieldIn,
  type FieldType,
  type FormField,
  type MappedAttribute,
  mappedAttributes,
} from "./form-field.ts";

/** The types of fields that map to a custom field of each type. Fields map to no ids and no times. */
const customTypes: Readonly<Record<CustomFieldType, readonly FieldType[]>> = {
  "string": ["text", "hidden", "select"],
  "text": ["text", "long-text", "hidden", "select"],
  "integer": ["number"],
  "decimal": ["number"],
  "boolean": ["boolean", "consent"],
  "date": ["date"],
  "timestamp": [],
  "select": ["select"],
  "multi-select": ["multi-select"],
  "email": ["email"],
  "phone": ["phone"],
  "url": ["text", "hidden"],
  "person": [],
};

/**
 * Checks the attributes of people to which fields map. A sender writes them without any right, so the author of a new mapping needs
 * the right to write the field. Stored mappings stay as they are.
 */
export async function assertMappings(
  context: WriteContext,
  fields: readonly FormField[],
  stored: readonly FormField[] = [],
): Promise<void> {
  const people = definitionOf(context.catalogue, "people");
  const customFields = await context.customFieldsOf(context.db, context.actor, people);
  const known = new Set(stored.map(mappingOf));
  const problems: Problem[] = [];
  for (const [position, field] of fields.entries()) {
    const target = field["maps-to"] ?? null;
    if (target === null || known.has(mappingOf(field))) continue;
    const source = { pointer: `/data/attributes/fields/${position}/maps-to` };
    const name = customFieldIn(target);
    if (name !== undefined) {
      const hidden = hiddenProblem(context, customFields, name);
      if (hidden === "unknown") {
        const broken = { rule: "not-found", hint: `People have no custom field ${name}.` } as const;
        problems.push(problem("invalid-attribute", broken, source));
        continue;
      }
      if (hidden === "forbidden") {
        problems.push(problem("forbidden", `This person may not change ${name}.`, source));
        continue;
      }
    }
    const broken =
      name === undefined
        ? brokenMapping(field, target, choicesOf(people.attributes[target]?.schema))
        : brokenCustom(field, customFields?.fields.get(name));
    if (broken) problems.push(problem("invalid-attribute", broken, source));
  }
  const forbidden = problems.filter(({ status }) => status === 403);
  if (problems.length > 0) throw new ApiError(forbidden.length > 0 ? forbidden : problems);
}

const mappingOf = ({ options, type, ...field }: FormField): string =>
  JSON.stringify([field["maps-to"], type, options?.map(({ value }) => value)]);

function hiddenProblem(
  { actor }: WriteContext,
  customFields: CustomFields | undefined,
  name: string,
): "unknown" | "forbidden" | undefined {
  const field = customFields?.fields.get(name);
  if (!field || !customFields || field.archived || !customFields.mayRead(actor, field))
    return "unknown";
  return customFields.mayWrite({ actor }, name) ? undefined : "forbidden";
}

const choicesOf = (schema: unknown): readonly string[] | undefined =>
  (schema as { enum?: readonly string[] } | undefined)?.enum;

function brokenMapping(
  field: FormField,
  target: string,
  choices: readonly string[] | undefined,
): Broken | undefined {
  if (!Object.hasOwn(mappedAttributes, target)) {
    const allowed = [...Object.keys(mappedAttributes), "custom-properties.<field>"];
    return { rule: "one-of", allowed, given: target };
  }
  return brokenTypes(field, mappedAttributes[target as MappedAttribute], choices);
}

const brokenCustom = (field: FormField, custom: CustomField | undefined): Broken | undefined =>
  custom &&
  brokenTypes(
    field,
    customTypes[custom.type],
    custom.options?.filter(({ archived }) => !archived).map(({ value }) => value),
  );

function brokenTypes(
  { options, type }: FormField,
  types: readonly FieldType[],
  choices: readonly string[] | undefined,
): Broken | undefined {
  if (!types.includes(type))
    return types.length === 0
      ? notAllowedHere("No field maps to an attribute of this type.")
      : notAllowedHere(`Only fields of these types map to it: ${types.join(", ")}.`);
  if (choices && options?.some(({ value }) => !choices.includes(value)))
    return notAllowedHere(`The options must be among: ${choices.join(", ")}.`);
  return undefined;
}
