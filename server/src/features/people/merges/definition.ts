import type { Permission } from "../../../access/permissions.ts";
import { can } from "../../../access/policy.ts";
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
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createMerge } from "./create-merge.ts";

const id = text({ maxLength: 36 });
const choices = map(id, 200);
/** Values of any attribute. */
const anything = { ...text({ maxLength: 20_000 }), schema: {} };

export const personMerges = resource({
  type: "person-merges",
  description: "A merge of duplicate people into the one who is kept. It is final.",
  table: "person_merges",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
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
    "note": optional(text({ maxLength: 500 })),
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
        readableWith: "person-details:read" as Permission,
        description:
          "The values and resources that were dropped. Values of custom fields that only some callers see are null.",
      },
    ),
  },
  relationships: {
    ...authorship,
    kept: toOne("people", { column: "kept_id", required: true }),
    removed: toMany("people", {
      table: "person_merge_removed",
      from: "merge_id",
      to: "removed_id",
      required: true,
      dangling: true,
    }),
  },
  filters: {
    kept: { match: "id", column: "kept_id" },
    removed: {
      match: "related",
      table: "person_merge_removed",
      from: "merge_id",
      to: "removed_id",
    },
  },
  sorts: { "created-at": { column: "created_at" }, "modified-at": { column: "modified_at" } },
  defaultSort: "-created-at",
  operations: {
    list: can("people:merge"),
    read: can("people:merge"),
    create: {
      allow: can("people:merge"),
      refuses: ["deleting-oneself", "last-full-administrator"],
      idsAreLiteral: true,
      run: createMerge,
    },
  },
  constraints: {
    people_custom_properties_size: {
      pointer: "/data/relationships/removed",
      detail: "The custom fields of the merged person would exceed 64 KiB.",
    },
  },
});
