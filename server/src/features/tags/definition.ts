import { can } from "../../access/policy.ts";
import {
  choice,
  defaulted,
  describe,
  example,
  list,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { authorship } from "../../jsonapi/definition/relationships.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { taggedTypes } from "./tagged.ts";
import { createTag, updateTag } from "./write-tag.ts";

export const tags = resource({
  type: "tags",
  description: "A word that marks people, cells or courses.",
  table: "tags",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("Worship team", named(60)),
    "color": describe(
      optional(
        text({
          maxLength: 7,
          pattern: "^#[0-9a-fA-F]{6}$",
          description: "a color as #rrggbb",
          examples: ["#3366cc"],
        }),
      ),
      { example: "#3366cc" },
    ),
    "applies-to": describe(
      defaulted({
        ...list(choice(taggedTypes), { minItems: 1, maxItems: 3, uniqueItems: true }),
        storage: "texts",
      }),
      {
        example: ["people", "cells"],
        description:
          "The types whose records can have the tag; all by default. Records that have it already keep it.",
      },
    ),
  },
  relationships: authorship,
  filters: { name: { match: "contains", column: "name_folded" } },
  sorts: {
    "name": { column: "name_folded" },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "name",
  operations: {
    list: can("tags:read"),
    read: can("tags:read"),
    create: { allow: can("tags:write"), run: createTag },
    update: { allow: can("tags:write"), run: updateTag },
    delete: can("tags:write"),
  },
  constraints: {
    tags_name_key: {
      pointer: "/data/attributes/name",
      detail: "Another tag has this name.",
      code: "already-exists",
    },
  },
});
