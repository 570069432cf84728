/** How much personal data a snapshot contains. */
export const personalDataLevels = {
  none: "No person.",
  ids: "The ids of people.",
  details: "Names, contact data and the like.",
} as const;

export interface EventTypeDefinition {
  description: string;
  personal: keyof typeof personalDataLevels;
  /** A write captures it. A type without the mark does not compile where it is captured, and fails the test of the catalog. */
  captured?: true;
  /** The version of the service that introduced it; the first version by default. */
  since?: string;
}

export type EventTypes = Readonly<Record<string, EventTypeDefinition>>;

/** An example of a subject of events. */
export interface EventExample {
  type: string;
  attributes: Readonly<Record<string, unknown>>;
  /** To-one relationships and their target types. */
  relationships?: Readonly<Record<string, string>>;
  /** The `changed-fields` of `*.updated`. */
  changed?: readonly string[];
}

/** Keyed by the first part of the event types, for example `cell-meeting` for `cell-meeting.reported`. */
export type EventExamples = Readonly<Record<string, EventExample>>;

/**
 * Every event type by its name. Each feature adds its own with `declare module`, next to the events of its manifest.
 * `webhook.verification` and `webhook.test` are control messages, not events, so no endpoint subscribes to them.
 */
export interface EventVocabulary {}

export type EventType = keyof EventVocabulary;

/** The event types that code can capture. A new one needs the mark, so the catalog stays true. */
export type CapturedType = {
  [Type in EventType]: EventVocabulary[Type] extends { captured: true } ? Type : never;
}[EventType];
