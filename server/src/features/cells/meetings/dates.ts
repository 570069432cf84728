import { dateOf, dayOf, type DayNumber, weekdayOf } from "../../../base/dates.ts";

/** When a cell meets. Dates are `YYYY-MM-DD` in the account's time zone, so clock changes do not matter here. */
export interface Schedule {
  /** 0 is Sunday. */
  weekday: number;
  frequency: Frequency;
  openedOn: string;
  /** Both days are included. Without an end, the recess goes on. */
  recessFrom: string | null;
  recessTo: string | null;
}

export type Frequency = "weekly" | "fortnightly" | "monthly";

/** The first day of the week of a date, for weeks that begin on the weekday `first`. */
export function firstDayOfWeek(date: string, first: number): string {
  const day = dayOf(date);
  return dateOf(day - ((weekdayOf(day) - first + 7) % 7));
}

/** The dates from `from` until `until`, both included, on which a cell with this schedule meets. */
export function meetingDates(schedule: Schedule, from: string, until: string): string[] {
  const { frequency, openedOn, recessFrom, recessTo, weekday } = schedule;
  const opened = dayOf(openedOn);
  const first = opened + ((weekday - weekdayOf(opened) + 7) % 7);
  const last = dayOf(until);
  const dates: string[] = [];
  let day = Math.max(first, dayOf(from));
  day += (weekday - weekdayOf(day) + 7) % 7;
  for (; day <= last; day += 7) {
    const date = dateOf(day);
    const inRecess = recessFrom !== null && date >= recessFrom && date <= (recessTo ?? date);
    if (!inRecess && meetsOn[frequency](day, first)) dates.push(date);
  }
  return dates;
}

/** Whether a cell meets on a day of its weekday, counted from its first meeting. */
const meetsOn: Record<Frequency, (day: DayNumber, first: DayNumber) => boolean> = {
  weekly: () => true,
  fortnightly: (day, first) => (day - first) % 14 === 0,
  monthly: (day, first) => {
    const place = placeInMonth(first);
    return place === LAST ? isLastInMonth(day) : placeInMonth(day) === place;
  },
};

/** Some months have no fifth one. A fifth weekday therefore means the last. */
const LAST = 5;

const placeInMonth = (day: DayNumber): number => Math.ceil(dayOfMonth(day) / 7);
const isLastInMonth = (day: DayNumber): boolean => dayOfMonth(day + 7) <= 7;
const dayOfMonth = (day: DayNumber): number => Number(dateOf(day).slice(8));
