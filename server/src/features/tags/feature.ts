import type { Feature } from "../../jsonapi/definition/feature.ts";
import { tags } from "./definition.ts";
import { tagLinker } from "./linker.ts";
import { mergeTags } from "./merge.ts";
import { taggedRecords } from "./tagged.ts";

const permissions = ["tags:read", "tags:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    tagLinker: typeof tagLinker;
  }
}

export const tagsFeature: Feature = {
  types: [tags],
  extends: taggedRecords,
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": permissions,
  },
  // Every person reads courses, and courses have tags.
  everyone: { "tags:read": "account" },
  published: { tagLinker },
  personColumns: { "person_tags.person_id": mergeTags },
  tables: ["person_tags", "cell_tags", "course_tags"],
};
