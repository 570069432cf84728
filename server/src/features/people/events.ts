import type { EventExamples, EventTypes } from "../../events/event-types.ts";

export const events = {
  "person.created": { description: "A person was added.", personal: "details", captured: true },
  "person.updated": {
    description: "A person's record changed.",
    personal: "details",
    captured: true,
  },
  "person.merged": {
    description: "Duplicate records of a person were merged.",
    personal: "details",
    captured: true,
  },
  "person.deleted": { description: "A person was deleted.", personal: "ids", captured: true },
  "person.deactivated": {
    description: "A person was deactivated.",
    personal: "details",
    captured: true,
  },
  "person.reactivated": {
    description: "A deactivated person was reactivated.",
    personal: "details",
    captured: true,
  },
  "person.anonymized": {
    description: "The identity of a person was removed.",
    personal: "ids",
    captured: true,
  },
} as const satisfies EventTypes;

export const eventExamples: EventExamples = {
  "person": {
    type: "people",
    attributes: {
      "full-name": "Ana Souza",
      "preferred-name": "Aninha",
      "email": "ana.souza@graca.example",
      "phones": [
        {
          "number": "+5511987654321",
          "display": "+55 11 98765 4321",
          "label": "mobile",
          "is-whatsapp": true,
        },
      ],
      "birthdate": "1984-05-17",
      "membership-status": "member",
      "is-active": true,
      "custom-properties": { "shirt-size": "M" },
    },
    changed: ["email", "custom-properties.shirt-size"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}
