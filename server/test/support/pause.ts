import { setTimeout as wait } from "node:timers/promises";

/**
 * The pause before another look at something that reports no change: a process that is not a child, or the queue of another
 * process. Looks without a pause would take the processor from what the test waits for.
 */
export const pause = (ms = 20): Promise<void> => wait(ms);
