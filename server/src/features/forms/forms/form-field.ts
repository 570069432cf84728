import {
  type Attribute,
  boolean,
  choice,
  chosenName,
  example,
  formatted,
  integer,
  lines,
  list,
  object,
  optional,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { limits } from "../../../base/limits.ts";

export const fieldTypes = [
  "text",
  "long-text",
  "email",
  "phone",
  "number",
  "date",
  "boolean",
  "select",
  "multi-select",
  "address",
  "consent",
  "heading",
  "hidden",
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** A field of a form, as the form stores it. */
export interface FormField {
  "key": string;
  "type": FieldType;
  "label": string;
  "help"?: string | null;
  "required"?: boolean | null;
  "options"?: { value: string; label: string }[] | null;
  "min"?: number | string | null;
  "max"?: number | string | null;
  "max-length"?: number | null;
  "maps-to"?: string | null;
  "show-if"?: { field: string; equals: unknown } | null;
}

/** The attributes of a person to which a field can map, and the types of fields that fit. */
export const mappedAttributes = {
  "full-name": ["text"],
  "first-name": ["text"],
  "last-name": ["text"],
  "preferred-name": ["text"],
  "sex": ["select"],
  "birthdate": ["date"],
  "email": ["email"],
  "phone": ["phone"],
  "address": ["address"],
  "marital-status": ["select"],
  "occupation": ["text"],
  "previous-church": ["text"],
} as const satisfies Record<string, readonly FieldType[]>;

export type MappedAttribute = keyof typeof mappedAttributes;

const CUSTOM = "custom-properties.";

/** The custom field of a person to which a field maps. */
export const customFieldIn = (mapsTo: string): string | undefined =>
  mapsTo.startsWith(CUSTOM) ? mapsTo.slice(CUSTOM.length) : undefined;

/** The schema accepts any value, because code generators do not support a choice between types. */
const anyValue = (description: string): Attribute<unknown, "optional"> => ({
  schema: {},
  description,
  storage: "json",
  mode: "optional",
  nullable: true,
});

const required = <V>(attribute: Attribute<V, "optional">): Attribute<V, "required"> => ({
  ...attribute,
  mode: "required",
  nullable: false,
});

/** A field as visitors see it. */
const question = () => ({
  "key": text({ maxLength: 63, pattern: chosenName.pattern, ...formatted("name") }),
  "type": choice(fieldTypes, { title: "FormFieldType" }),
  "label": named(300),
  "help": optional(lines({ maxLength: 500 })),
  "required": optional(boolean()),
  "options": optional(
    list(object({ value: named(200), label: named(300) }), {
      minItems: 1,
      maxItems: limits.formOptionsMax,
    }),
  ),
  "min": anyValue("A number or a date, for the types `number` and `date`."),
  "max": anyValue("A number or a date, for the types `number` and `date`."),
  "max-length": optional(integer({ minimum: 1, maximum: limits.formAnswerLengthMax })),
  "show-if": optional(
    object({
      field: text({ maxLength: 63 }),
      equals: required(anyValue("A possible answer to the other field.")),
    }),
  ),
});

export const formField = () =>
  object({ ...question(), "maps-to": optional(text({ maxLength: 100 })) }, "FormField");

export const publicFormFields = () =>
  list(object(question(), "PublicFormField"), { maxItems: limits.formFieldsMax });

/** The fields of a form in their order. */
export const formFields = () =>
  example(
    [
      { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
      { key: "email", type: "email", label: "E-mail", required: true, "maps-to": "email" },
    ],
    list(formField(), { minItems: 1, maxItems: limits.formFieldsMax }),
  );
