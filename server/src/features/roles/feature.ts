import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { mayGrantRolesOf, outranks } from "./comparison.ts";
import { roleAssignments, roles } from "./definition.ts";
import { rolesOfPeople } from "./on-people.ts";
import { presetRoles } from "./preset-roles.ts";

const permissions = [
  "roles:read",
  "roles:write",
  "roles:delete",
  "role-assignments:read",
  "role-assignments:write",
  "role-assignments:delete",
] as const;

const granting = [
  "role-assignments:read",
  "role-assignments:write",
  "role-assignments:delete",
] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    outranks: typeof outranks;
    mayGrantRolesOf: typeof mayGrantRolesOf;
  }
}

const events = {
  "role-assignment.created": {
    description: "A person was given a role.",
    personal: "ids",
    captured: true,
  },
  "role-assignment.deleted": {
    description: "A role assignment of a person was removed.",
    personal: "ids",
    captured: true,
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "role-assignment": {
    type: "role-assignments",
    attributes: { "scope-type": "account", "scope-ids": [] },
    relationships: { role: "roles", person: "people" },
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const rolesFeature: Feature = {
  types: (all) => [roles(all), roleAssignments(all)],
  extends: ({ scopes }) => ({ people: rolesOfPeople(scopes) }),
  permissions,
  presetRoles,
  presets: {
    "administrator": permissions,
    "pastor": granting,
    "secretary": ["role-assignments:read"],
    "cell-supervisor": granting,
    "course-coordinator": granting,
  },
  everyone: {
    "roles:read": "account",
    "role-assignments:read": "self",
  },
  events,
  eventExamples,
  published: { outranks, mayGrantRolesOf },
  // A role was granted to one record. A merge does not pass it to another.
  personColumns: { "role_assignments.person_id": "deleted" },
};
