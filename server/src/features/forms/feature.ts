import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";

/** Forms come with a later version. Their preset role exists, and endpoints can subscribe to their events. */
const permissions = [
  "forms:read",
  "forms:write",
  "form-submissions:read",
  "form-submissions:write",
] as const;

const readers = ["forms:read", "form-submissions:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

const events = {
  "form-submission.created": { description: "A form was submitted.", personal: "details" },
  "form-submission.updated": { description: "A submission was processed.", personal: "details" },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "form-submission": {
    type: "form-submissions",
    attributes: {
      "submitted-at": "2026-03-01T09:30:00.000Z",
      "answers": { name: "Ana Souza", email: "ana.souza@graca.example" },
      "status": "new",
    },
    relationships: { form: "forms" },
    changed: ["status"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const formsFeature: Feature = {
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": readers,
    "cell-supervisor": readers,
    "cell-leader": readers,
    "course-coordinator": permissions,
    "form-manager": permissions,
  },
  events,
  eventExamples,
};
