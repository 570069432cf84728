import { limits } from "../../base/limits.ts";
import type { Filter } from "./filters.ts";
import { toMany, type ToMany } from "./relationships.ts";

/** The tags of a type: a relationship and a filter. `features/tags/` owns the tags themselves. */

interface TagLinks {
  table: string;
  from: string;
}

export const tagsOf = (type: string, { from, table }: TagLinks): ToMany =>
  toMany("tags", {
    table,
    from,
    to: "tag_id",
    max: limits.tagsPerRecordMax,
    only: {
      where: `'${type}' = any(tags.applies_to)`,
      detail: `The tag does not apply to ${type}.`,
    },
  });

export const byTag = ({ from, table }: TagLinks): Filter => ({
  needs: "tags:read",
  match: "related",
  table,
  from,
  to: "tag_id",
});
