/**
 * The clock and the random source of this process, for ids, log lines and windows in its memory.
 *
 * Schedules, lifetimes and stored windows use the database's `now()`, so that nodes need not agree on the time.
 */
export const now = (): number => Date.now();

export const random = (): number => Math.random();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
