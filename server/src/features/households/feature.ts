import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { householdMemberships, households } from "./definition.ts";
import { householdLinker } from "./linker.ts";
import { mergeContacts, mergeMemberships } from "./merge.ts";
import { householdsOfPeople } from "./on-people.ts";

const permissions = ["households:read", "households:write", "households:delete"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    householdLinker: typeof householdLinker;
  }
}

const events = {
  "household.created": {
    description: "A household was added.",
    personal: "details",
    captured: true,
  },
  "household.updated": {
    description: "A household or one of its memberships changed.",
    personal: "details",
    captured: true,
  },
  "household.deleted": {
    description: "A household was deleted.",
    personal: "ids",
    captured: true,
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "household": {
    type: "households",
    attributes: { name: "Souza", address: { city: "São Paulo", country: "BR" } },
    relationships: { "primary-contact": "people" },
    changed: ["address"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const householdsFeature: Feature = {
  types: [households, householdMemberships],
  extends: { people: householdsOfPeople },
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": permissions,
  },
  everyone: {
    "households:read": "self",
  },
  events,
  eventExamples,
  published: { householdLinker },
  personColumns: {
    "household_memberships.person_id": mergeMemberships,
    "households.primary_contact_id": mergeContacts,
  },
};
