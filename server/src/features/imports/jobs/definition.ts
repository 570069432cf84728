import { can } from "../../../access/policy.ts";
import { importActions } from "../../../jsonapi/definition/importer.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createRun, createUndo } from "./actions.ts";
import { createJob, deleteJob, updateJob } from "./jobs.ts";
import { kinds } from "../kinds.ts";
import { statuses } from "./statuses.ts";
import { jobFields, rowFields, stepFields } from "./fields.ts";

const timeSorts = { "created-at": { column: "id" }, "modified-at": { column: "modified_at" } };
const allowed = can("import-jobs:write");

export const importJobs = resource({
  type: "import-jobs",
  description: "The import of a CSV file, from the upload to the undo.",
  table: "import_jobs",
  ...jobFields,
  filters: {
    kind: { match: "one-of", column: "kind", values: kinds },
    status: { match: "one-of", column: "status", values: statuses },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: allowed,
    read: allowed,
    create: {
      allow: allowed,
      description:
        "Also needs the permissions to write the records of the kind and those that the columns name.",
      run: createJob,
    },
    update: {
      allow: allowed,
      description:
        "Before a run and after an undo. A job that is `ready` becomes `created` and waits for its file again.",
      refuses: ["conflict"],
      run: updateJob,
    },
    delete: { allow: allowed, refuses: ["conflict"], run: deleteJob },
  },
});

export const importRows = resource({
  type: "import-rows",
  description: "One row of an imported file.",
  table: "import_rows",
  ...rowFields,
  filters: {
    "import-job": { match: "id", column: "import_job_id" },
    "action": { match: "one-of", column: "action", values: importActions },
    "outcome": { match: "one-of", column: "outcome", values: ["written", "undone", "kept"] },
    "person": { match: "id", column: "person_id" },
  },
  sorts: { ...timeSorts, row: { column: "row_number" } },
  defaultSort: "id",
  operations: { list: allowed, read: allowed },
});

const actionOf = (type: "import-runs" | "import-undos", description: string) => ({
  type,
  description,
  table: type.replace("-", "_"),
  ...stepFields,
  filters: { "import-job": { match: "id" as const, column: "import_job_id" } },
  sorts: timeSorts,
  defaultSort: "-created-at",
});

const refuses = ["invalid-transition"] as const;

export const importRuns = resource({
  ...actionOf("import-runs", "The order to write the rows of an import."),
  operations: {
    list: allowed,
    read: allowed,
    create: { allow: allowed, status: 202, refuses, run: createRun },
  },
});

export const importUndos = resource({
  ...actionOf("import-undos", "The order to take back what a run has written."),
  operations: {
    list: allowed,
    read: allowed,
    create: { allow: allowed, status: 202, refuses: [...refuses, "conflict"], run: createUndo },
  },
});
