import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";

/** Imports come with a later version. Endpoints can subscribe to their events already. */
const events = {
  "import-job.completed": { description: "An import finished.", personal: "none" },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "import-job": {
    type: "import-jobs",
    attributes: {
      kind: "people",
      status: "done",
      counts: { created: 118, updated: 7, skipped: 2, failed: 0 },
    },
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const importsFeature: Feature = {
  events,
  eventExamples,
};
