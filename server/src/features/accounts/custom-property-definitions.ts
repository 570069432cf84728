import { formatted, type Attribute, chosenName } from "../../jsonapi/definition/attributes.ts";
import { type CustomField, customFieldTypes } from "../../jsonapi/definition/custom-fields.ts";
import { limits } from "../../base/limits.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { definitionsChecker } from "./check-definitions.ts";

/** The types that an account can add custom fields to. */
export const extensibleResources = [
  "people",
  "households",
  "cells",
  "courses",
  "course-classes",
  "course-enrollments",
] as const;

const boolean = { type: "boolean" };
const access = { type: "string", enum: ["scope", "staff", "full-administrator"] };

const definition = {
  title: "CustomFieldDefinition",
  type: "object",
  required: ["type"],
  properties: {
    "type": { type: "string", enum: [...customFieldTypes] },
    "label": named(120).schema,
    "help": { type: "string", maxLength: 500 },
    "options": {
      type: "array",
      items: {
        type: "object",
        required: ["value"],
        properties: {
          value: {
            ...named(80).schema,
            pattern: "^[^,]+$",
            ...formatted("option"),
          },
          label: named(120).schema,
          archived: boolean,
        },
        additionalProperties: false,
      },
      maxItems: 200,
    },
    "required": boolean,
    "order": { type: "integer", minimum: 0, maximum: 10_000 },
    "default": {},
    "min": { type: "number" },
    "max": { type: "number" },
    "max-length": { type: "integer", minimum: 1, maximum: 20_000 },
    "read-access": access,
    "write-access": access,
    "self-editable": boolean,
    "searchable": boolean,
    "archived": boolean,
  },
  additionalProperties: false,
};

const definitions = {
  title: "CustomFieldDefinitions",
  type: "object",
  propertyNames: chosenName,
  additionalProperties: { anyOf: [definition, { type: "null" }] },
  maxProperties: limits.customPropertiesPerResource,
};

/** Definitions by type and field name. Null archives a field, so it is allowed instead of a definition. */
export const customProperties: Attribute<
  Record<string, Record<string, CustomField | null>>,
  "required"
> = {
  schema: {
    type: "object",
    properties: Object.fromEntries(extensibleResources.map((name) => [name, definitions])),
    additionalProperties: false,
  },
  storage: "json",
  mode: "required",
  nullable: false,
  check: definitionsChecker(definition),
};
