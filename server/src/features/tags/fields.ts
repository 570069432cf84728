import {
  formatted,
  choice,
  defaulted,
  describe,
  example,
  list,
  optional,
  text,
  timestamps,
} from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { authorship } from "../../jsonapi/definition/relationships.ts";
import { taggedTypes } from "./tagged.ts";

export const tagFields = {
  attributes: {
    ...timestamps,
    "name": example("Worship team", named(60)),
    "color": describe(
      optional(
        text({
          maxLength: 7,
          pattern: "^#[0-9a-fA-F]{6}$",
          ...formatted("color"),
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
};

export type TagFields = typeof tagFields;
