import { MINUTE } from "../../base/clock.ts";
import { queues } from "../../catalogue.ts";
import { overdueQueues } from "../../jobs/boss.ts";
import type { Db } from "../../store/db.ts";
import { type Finding, few, finding } from "./finding.ts";

const OVERDUE_MS = 5 * MINUTE;

/** Finds work outside requests that nothing does, for example mails. */
export async function examineJobs(db: Db): Promise<Finding[]> {
  const overdue = await overdueQueues(db, queues, OVERDUE_MS);
  if (overdue.length === 0) return [];
  return [
    finding(
      "jobs-overdue",
      `Jobs have been due for more than ${OVERDUE_MS / MINUTE} minutes: ${few(overdue.map(({ jobs, name }) => `${jobs} of ${name}`))}.`,
      "Check that a node with --role all or --role worker is running, and look for job-queue-failed in the log.",
    ),
  ];
}
