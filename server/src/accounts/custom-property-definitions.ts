import Type from "typebox";
import { type Attribute, chosenName } from "../jsonapi/attributes.ts";
import { type CustomField, customFieldTypes } from "../jsonapi/custom-fields.ts";
import { limits } from "../limits.ts";
import { definitionsChecker } from "./check-definitions.ts";

/** The resources that a church can give fields of its own. */
export const extensibleResources = [
  "people",
  "households",
  "cells",
  "courses",
  "course-classes",
  "course-enrollments",
] as const;

const access = Type.String({ enum: ["scope", "staff", "full-administrator"] });

const definition = Type.Object(
  {
    "type": Type.String({ enum: [...customFieldTypes] }),
    "label": Type.Optional(Type.String({ maxLength: 120 })),
    "help": Type.Optional(Type.String({ maxLength: 500 })),
    "options": Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String({
              minLength: 1,
              maxLength: 80,
              pattern: "^[^,]+$",
              description: "text without commas",
            }),
            label: Type.Optional(Type.String({ maxLength: 120 })),
            archived: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200 },
      ),
    ),
    "required": Type.Optional(Type.Boolean()),
    "order": Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    "default": Type.Optional(Type.Unknown()),
    "min": Type.Optional(Type.Number()),
    "max": Type.Optional(Type.Number()),
    "max-length": Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
    "read-access": Type.Optional(access),
    "write-access": Type.Optional(access),
    "self-editable": Type.Optional(Type.Boolean()),
    "searchable": Type.Optional(Type.Boolean()),
    "archived": Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** resource → field → definition. A field set to null is archived, so null is allowed where a definition stands. */
export const customProperties: Attribute<
  Record<string, Record<string, CustomField | null>>,
  "required"
> = {
  schema: Type.Object(
    Object.fromEntries(
      extensibleResources.map((name) => [
        name,
        Type.Optional(
          Type.Unsafe({
            type: "object",
            propertyNames: chosenName,
            additionalProperties: Type.Union([definition, Type.Null()]),
            maxProperties: limits.customPropertiesPerResource,
          }),
        ),
      ]),
    ),
    { additionalProperties: false },
  ),
  storage: "json",
  mode: "required",
  nullable: false,
  judge: definitionsChecker(definition),
};
