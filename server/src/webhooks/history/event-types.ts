import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import { exampleOf } from "./event-examples.ts";

/** The first version that had events. */
const FIRST_VERSION = "0.1.0";

export const EVENT_TYPES = "webhook-event-types";

/** An event type as a resource. It is defined in code and the same for every account. */
export interface EventTypeResource {
  id: string;
  attributes: {
    "description": string;
    "since": string;
    "personal-data-level": string;
    "is-captured": boolean;
    "example": unknown;
  };
}

export const eventTypeAttributes = [
  "description",
  "since",
  "personal-data-level",
  "is-captured",
  "example",
] as const satisfies (keyof EventTypeResource["attributes"])[];

/** The event types and examples from the manifests. */
export interface EventCatalogue {
  events: EventTypes;
  eventExamples: EventExamples;
}

/** Sorted by name. */
export const eventTypeResources = (all: EventCatalogue): ReadonlyMap<string, EventTypeResource> =>
  new Map(
    Object.keys(all.events)
      .sort()
      .map((id) => [id, resourceOf(id, all)]),
  );

function resourceOf(id: string, { eventExamples, events }: EventCatalogue): EventTypeResource {
  const defined = events[id];
  if (!defined) throw new Error(`Unknown event type ${id}.`);
  const { captured = false, description, personal, since = FIRST_VERSION } = defined;
  return {
    id,
    attributes: {
      "description": description,
      "since": since,
      "personal-data-level": personal,
      "is-captured": captured,
      "example": exampleOf(id, eventExamples),
    },
  };
}

/** The output of `vestry explain` for this type, which has no definition. */
export const explainEventTypes = (all: EventCatalogue): string =>
  [
    `${EVENT_TYPES}: A kind of event that an endpoint can subscribe to, by its id.`,
    "Stored in\n  no table: event types are defined in code and the same for every account",
    "Callers\n  webhook-management",
    'ETag\n  "<hash>": there are no versions',
    `Routes, written by hand\n  GET  /v1/${EVENT_TYPES}\n  GET  /v1/${EVENT_TYPES}/:id`,
    `Attributes\n  ${eventTypeAttributes.join("\n  ")}`,
    `Ids\n  ${[...eventTypeResources(all).keys()].join("\n  ")}`,
  ].join("\n\n");
