import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { importJobs, importRows, importRuns, importUndos } from "./jobs/definition.ts";
import { forgetImported } from "./forget.ts";
import { mergeRows } from "./merge.ts";
import { importSteps } from "./steps/queue.ts";
import { importChanges, statuses } from "./jobs/statuses.ts";
import { importsJob } from "./steps/sweep.ts";

const permissions = ["import-jobs:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

const events = {
  "import-job.completed": {
    description: "An import has written its rows.",
    personal: "none",
    captured: true,
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "import-job": {
    type: "import-jobs",
    attributes: {
      kind: "people",
      status: "done",
      counts: {
        "rows": 127,
        "create": 118,
        "update": 6,
        "skip": 2,
        "error": 1,
        "written": 124,
        "undone": 0,
        "kept": 0,
        "by-column": { Celular: { "too-short": 1 } },
      },
    },
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const importsFeature: Feature = {
  types: [importJobs, importRows, importRuns, importUndos],
  permissions,
  presets: {
    administrator: permissions,
    secretary: permissions,
  },
  events,
  eventExamples,
  states: [{ type: "import-jobs", statuses, changes: importChanges }],
  jobs: [importsJob],
  queues: [importSteps],
  forget: forgetImported,
  personColumns: { "import_rows.person_id": mergeRows },
  tables: ["import_file_chunks"],
};
