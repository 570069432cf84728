import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { moved } from "../../jsonapi/sql/merge.ts";
import { outranksByNotes } from "./confidential.ts";
import { notes } from "./definition.ts";
import { passToReader } from "./merge.ts";

const permissions = [
  "notes:read",
  "notes:write",
  "notes:delete",
  "note-confidential:read",
] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    outranksByNotes: typeof outranksByNotes;
  }
}

const events = {
  "note.created": {
    description: "A note was written. The event does not contain its text.",
    personal: "ids",
    captured: true,
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
  types: [notes],
  permissions,
  // No preset has note-confidential:read, so that each person who reads confidential notes was chosen.
  presets: {
    "administrator": ["notes:read", "notes:write", "notes:delete"],
    "pastor": ["notes:read", "notes:write"],
    "secretary": ["notes:read", "notes:write"],
    "cell-supervisor": ["notes:read", "notes:write"],
    "cell-leader": ["notes:read", "notes:write"],
    "course-coordinator": ["notes:read", "notes:write"],
    "teacher": ["notes:read", "notes:write"],
  },
  everyone: { "notes:read": "self" },
  events,
  eventExamples,
  published: { outranksByNotes },
  // The subject of a note decides who reads it, so it moves last.
  personColumns: {
    "notes.assignee_id": passToReader,
    "notes.author_id": passToReader,
    "notes.about_person_id": moved("notes"),
  },
};
