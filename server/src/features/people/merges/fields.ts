import { limits } from "../../../base/limits.ts";
import {
  boolean,
  defaulted,
  describe,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  lines,
  text,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";

const id = text({ maxLength: 36 });

const choices = map(id, 200);

/** Values of any attribute. */
const anything = { ...text({ maxLength: 20_000 }), schema: {} };

export const mergeFields = {
  attributes: {
    ...timestamps,
    "field-choices": describe(
      // The names of attributes, and of custom fields with `custom-properties.` in front.
      defaulted({
        ...choices,
        schema: {
          ...choices.schema,
          propertyNames: { type: "string", maxLength: 100, examples: ["occupation"] },
        },
      }),
      {
        description:
          "Attributes, or custom fields as `custom-properties.<field>`, and the id of the person whose value remains.",
      },
    ),
    "keep-households": describe(defaulted(boolean()), {
      description: "The kept person also joins the households of the removed people.",
    }),
    "note": optional(lines({ maxLength: 500 })),
    "moved-counts": describe(readOnly(map(integer({ minimum: 1 }), 100)), {
      description: "The number of resources that passed to the kept person, by type.",
    }),
    "conflicts": describe(
      readOnly(
        list(
          object({
            "resource-type": text({ maxLength: 100 }),
            "field": optional(text({ maxLength: 100 })),
            "rule": text({ maxLength: 40 }),
            "kept": optional(anything),
            "dropped": optional(anything),
          }),
          { maxItems: limits.mergeConflictsMax },
        ),
      ),
      {
        readableWith: "person-details:read",
        description:
          "The values and resources that were dropped. Values of custom fields that only some callers see are null.",
      },
    ),
  },
  relationships: {
    ...authorship,
    // The kept person can gain cells and classes.
    kept: toOne("people", { column: "kept_id", required: true, changesRights: {} }),
    removed: toMany("people", {
      table: "person_merge_removed",
      from: "merge_id",
      to: "removed_id",
      required: true,
      dangling: true,
    }),
  },
};

export type MergeFields = typeof mergeFields;
