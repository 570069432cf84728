import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";

/** Households come with a later version. Endpoints can subscribe to their events already. */
const events = {
  "household.created": { description: "A household was added.", personal: "details" },
  "household.updated": { description: "A household changed.", personal: "details" },
  "household.deleted": { description: "A household was deleted.", personal: "ids" },
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
  events,
  eventExamples,
};
