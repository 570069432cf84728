import type { Queue } from "../../src/jobs/queues.ts";

/** A queue for tests, which replace `run`. */
export const counted: Queue<unknown, { number: number }> = {
  name: "counted",
  atOnce: 4,
  pollSeconds: 0.5,
  retries: 2,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 60,
  secondsMax: 60,
  run: () => Promise.reject(new Error("A test replaces it.")),
};
