import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";

/** Notes come with a later version. Endpoints can subscribe to their events already. */
const events = {
  "note.created": {
    description: "A note was written. The event does not contain its text.",
    personal: "ids",
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "note": {
    type: "notes",
    attributes: {},
    relationships: { about: "people", author: "people" },
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const notesFeature: Feature = {
  events,
  eventExamples,
};
