import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { accounts } from "./definition.ts";
import { directoryJob } from "./directory.ts";
import { movesJob } from "./moves-job.ts";
import { publicAccount } from "./public.ts";

const permissions = ["accounts:read", "accounts:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

const events = {
  "account.updated": { description: "The account changed.", personal: "none", captured: true },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "account": {
    type: "accounts",
    attributes: {
      "church-name": "Igreja da Graça",
      "alias": "graca",
      "settings": { "lang": "pt-BR", "time-zone": "America/Sao_Paulo" },
    },
    changed: ["settings"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const accountsFeature: Feature = {
  types: [accounts],
  public: [publicAccount],
  permissions,
  presets: {
    "administrator": ["accounts:read", "accounts:write"],
    "pastor": ["accounts:read"],
  },
  everyone: {
    "accounts:read": "account",
  },
  events,
  eventExamples,
  jobs: [directoryJob, movesJob],
};
