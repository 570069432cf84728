import { can } from "../../access/policy.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import { createTag, updateTag, nameTaken } from "./write-tag.ts";
import { tagFields } from "./fields.ts";

export const tags = resource({
  type: "tags",
  description: "A word that marks people, cells or courses.",
  table: "tags",
  ...tagFields,
  filters: { name: { match: "contains", column: "name_folded" } },
  sorts: {
    "name": { column: "name_folded" },
    ...timeSorts,
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
    tags_name_key: nameTaken,
  },
});
