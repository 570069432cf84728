import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createMerge } from "./create-merge.ts";
import { mergeFields } from "./fields.ts";

export const personMerges = resource({
  type: "person-merges",
  description: "A merge of duplicate people into the one who is kept. It is final.",
  table: "person_merges",
  ...mergeFields,
  filters: {
    kept: { match: "id", column: "kept_id" },
    removed: {
      match: "related",
      table: "person_merge_removed",
      from: "merge_id",
      to: "removed_id",
    },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("people:merge"),
    read: can("people:merge"),
    create: {
      allow: can("people:merge"),
      refuses: ["deleting-oneself", "last-full-administrator"],
      idsAreLiteral: true,
      actsOn: { kept: { merge: {} } },
      run: createMerge,
    },
  },
  constraints: {
    person_merge_removed_removed_key: {
      pointer: "/data/relationships/removed/data",
      code: "invalid-relationship",
      breaks: { rule: "not-found", hint: "One of the people has been merged already." },
    },
    people_custom_properties_size: {
      pointer: "/data/relationships/removed",
      breaks: notAllowedHere("The custom fields of the merged person would exceed 64 KiB."),
    },
  },
});
