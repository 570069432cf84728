import { limits } from "../../base/limits.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { toMany } from "../../jsonapi/definition/relationships.ts";

/** The types whose records can have tags. */
export const taggedTypes = ["people", "cells", "courses"] as const;

/** The tags of the records of a type: a relationship and a filter. */
const tagged = (type: (typeof taggedTypes)[number], table: string, from: string): Extension => ({
  relationships: {
    tags: toMany("tags", {
      table,
      from,
      to: "tag_id",
      max: limits.tagsPerRecordMax,
      only: {
        where: `'${type}' = any(tags.applies_to)`,
        detail: `The tag does not apply to ${type}.`,
      },
    }),
  },
  filters: {
    tag: { needs: "tags:read", match: "related", table, from, to: "tag_id" },
  },
});

export const taggedRecords = {
  people: tagged("people", "person_tags", "person_id"),
  cells: tagged("cells", "cell_tags", "cell_id"),
  courses: tagged("courses", "course_tags", "course_id"),
} satisfies Record<(typeof taggedTypes)[number], Extension>;
