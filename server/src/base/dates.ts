import { DAY } from "./clock.ts";

/** Calendar dates, `YYYY-MM-DD`. Changes of the clock do not matter to them. */

/** Days since 1970-01-01, which was a Thursday. */
export type DayNumber = number;

export const dayOf = (date: string): DayNumber => Date.parse(`${date}T00:00:00Z`) / DAY;

export const dateOf = (day: DayNumber): string => new Date(day * DAY).toISOString().slice(0, 10);

export const addDays = (date: string, days: number): string => dateOf(dayOf(date) + days);

/** 0 is Sunday. */
export const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;
