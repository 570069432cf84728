import type { EventExamples, EventTypes } from "../../../src/events/event-types.ts";
import type { Feature } from "../../../src/jsonapi/definition/feature.ts";
import { linked, moved } from "../../../src/jsonapi/sql/merge.ts";
import { prayerRequests } from "./definition.ts";

const permissions = [
  "prayer-requests:read",
  "prayer-requests:write",
  "prayer-requests:delete",
] as const;

const events = {
  "prayer-request.created": {
    description: "A prayer request was added.",
    personal: "details",
    captured: true,
  },
  "prayer-request.deleted": {
    description: "A prayer request was deleted.",
    personal: "none",
    captured: true,
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "prayer-request": {
    type: "prayer-requests",
    attributes: { title: "Recovery after surgery", status: "open" },
    relationships: { person: "people" },
  },
};

type DeclaredEvents = typeof events;
declare module "../../../src/access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}
declare module "../../../src/events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const prayersFeature: Feature = {
  types: [prayerRequests],
  tables: ["prayer_request_companions"],
  permissions,
  presets: {
    administrator: permissions,
    pastor: permissions,
    secretary: ["prayer-requests:read"],
  },
  events,
  eventExamples,
  personColumns: {
    "prayer_requests.person_id": moved("prayer-requests"),
    "prayer_request_companions.person_id": linked("prayer_request_id"),
  },
};
