import type { EventExamples, EventTypes } from "../../events/event-types.ts";

export const events = {
  "cell.created": { description: "A cell was added.", personal: "ids", captured: true },
  "cell.updated": { description: "A cell changed.", personal: "ids", captured: true },
  "cell.deleted": { description: "A cell was deleted.", personal: "none", captured: true },
  "cell.closed": { description: "A cell was closed.", personal: "ids", captured: true },
  "cell.reopened": { description: "A closed cell was reopened.", personal: "ids", captured: true },
  "cell.multiplied": {
    description: "A cell multiplied into two.",
    personal: "ids",
    captured: true,
  },
  "cell-membership.created": {
    description: "A person joined a cell.",
    personal: "ids",
    captured: true,
  },
  "cell-membership.updated": {
    description: "A cell membership changed.",
    personal: "ids",
    captured: true,
  },
  "cell-membership.ended": {
    description: "A person left a cell.",
    personal: "ids",
    captured: true,
  },
  "cell-join-request.created": {
    description: "A person asked to join a cell.",
    personal: "details",
    captured: true,
  },
  "cell-join-request.decided": {
    description: "A request to join a cell was decided.",
    personal: "details",
    captured: true,
  },
  "cell-meeting.created": {
    description: "A meeting was planned.",
    personal: "none",
    captured: true,
  },
  "cell-meeting.updated": { description: "A meeting changed.", personal: "none", captured: true },
  "cell-meeting.deleted": {
    description: "A meeting was deleted.",
    personal: "none",
    captured: true,
  },
  "cell-meeting.reported": {
    description: "A meeting was reported.",
    personal: "ids",
    captured: true,
  },
} as const satisfies EventTypes;

export const eventExamples: EventExamples = {
  "cell": {
    type: "cells",
    attributes: { name: "Vila Mariana" },
    relationships: { parent: "cells" },
    changed: ["name"],
  },
  "cell-membership": {
    type: "cell-memberships",
    attributes: { "cell-role": "participant", "status": "active" },
    relationships: { cell: "cells", person: "people" },
    changed: ["cell-role"],
  },
  "cell-join-request": {
    type: "cell-join-requests",
    attributes: { status: "pending", message: "I live around the corner." },
    relationships: { cell: "cells" },
  },
  "cell-meeting": {
    type: "cell-meetings",
    attributes: { "date": "2026-03-03", "status": "held", "visitors-count": 2 },
    relationships: { cell: "cells" },
    changed: ["visitors-count"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}
