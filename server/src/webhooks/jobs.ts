import type { Job } from "../jobs/jobs.ts";
import { dropPartitions, ensurePartitions } from "../store/partitions.ts";
import { sweepRecords } from "./history/sweep-records.ts";

export const webhookJobs: readonly Job[] = [
  { name: "missing-partitions", schedule: "5 * * * *", run: (db) => ensurePartitions(db) },
  {
    name: "history",
    schedule: "10 * * * *",
    run: async (db) => (await dropPartitions(db)).length,
  },
  { name: "webhook-records", schedule: "15 * * * *", run: sweepRecords },
];
