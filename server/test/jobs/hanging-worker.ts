import { startJobs } from "../../src/jobs/jobs.ts";
import { connect } from "../../src/store/db.ts";
import { counted } from "./counted.ts";

/** A worker whose first job never ends. A test kills it. */

// The process stays while its parent does.
process.stdin.resume();

const databaseUrl = process.argv[2] ?? "";
startJobs({
  databaseUrl,
  db: connect(databaseUrl),
  jobs: [],
  queues: [
    {
      ...counted,
      run() {
        console.log("running");
        return new Promise<never>(() => undefined);
      },
    },
  ],
  services: {},
  name: "hanging-worker",
  delayMs: 0,
  stopMsMax: 0,
});
