import type { Feature } from "../../jsonapi/definition/feature.ts";
import { createProspect } from "./create-prospect.ts";
import { people } from "./definition.ts";
import { eventExamples, events } from "./events.ts";

const permissions = [
  "people:read",
  "people:write",
  "people:merge",
  "person-details:read",
  "person-contacts:write",
  "prospects:write",
] as const;

const leader = ["people:read", "person-contacts:write", "prospects:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    createProspect: typeof createProspect;
  }
}

export const peopleFeature: Feature = {
  types: [people],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": permissions,
    "cell-supervisor": leader,
    "cell-leader": leader,
    "course-coordinator": ["people:read"],
    "teacher": ["people:read"],
  },
  everyone: {
    "people:read": "self",
    "people:write": "self",
    "person-details:read": "self",
  },
  events,
  eventExamples,
  published: { createProspect },
  personColumns: { "person_search.person_id": "deleted" },
  tables: ["person_search"],
  demo: async (account) => (await import("./demo.ts")).addDemo(account),
  seed: async (account) => (await import("./seed.ts")).addSeed(account),
};
