import type { Feature } from "../../jsonapi/definition/feature.ts";
import { cellMemberships, cells } from "./definition.ts";
import { eventExamples, events } from "./events.ts";

const permissions = ["cells:read", "cell-memberships:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

export const cellsFeature: Feature = {
  types: [cells, cellMemberships],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": permissions,
    "cell-supervisor": permissions,
    "cell-leader": permissions,
    "cell-trainee": permissions,
  },
  everyone: {
    "cell-memberships:read": "self",
  },
  events,
  eventExamples,
};
