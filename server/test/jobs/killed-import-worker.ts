import { importSteps } from "../../src/features/imports/steps/queue.ts";
import { startJobs } from "../../src/jobs/jobs.ts";
import { connect } from "../../src/store/db.ts";
import { patient } from "../support/patience.ts";
import { testServices } from "../support/queues.ts";

/** A worker that takes a step of an import and kills its own process at the second batch. */

// The process stays while its parent does.
process.stdin.resume();

const databaseUrl = process.argv[2] ?? "";
let batches = 0;
const services = {
  ...testServices(),
  progress() {
    batches += 1;
    if (batches === 2) process.kill(process.pid, "SIGKILL");
  },
};
startJobs({
  databaseUrl,
  db: connect(databaseUrl, patient),
  jobs: [],
  queues: [importSteps],
  services,
  name: "killed-import-worker",
  delayMs: 0,
  stopMsMax: 0,
});
