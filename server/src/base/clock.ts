/**
 * One clock, one die.
 *
 * Schedules, lifetimes and windows use the database's `now()`, so that nodes need not agree on the time. What stays
 * here is this process' own view: for ids, log lines, and windows that only this process keeps.
 */
export const now = (): number => Date.now();

export const random = (): number => Math.random();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
