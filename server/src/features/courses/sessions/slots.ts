import { dateOf, dayOf, weekdayOf } from "../../../base/dates.ts";
import type { Slot } from "../classes/schedule.ts";

/** The sessions that a schedule gives. Times are those of clocks in the time zone of the class. */

/** A date and the minutes since midnight. */
export interface WallTime {
  date: string;
  minute: number;
}

export interface PlannedSession {
  date: string;
  starts_at: number;
  ends_at: number;
}

/** The time that clocks show in a time zone. */
export function wallTime(instant: number, timeZone: string): WallTime {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return {
    date: `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`,
    minute: Number(part("hour")) * 60 + Number(part("minute")),
  };
}

/** The sessions that begin at or after `from` and before `until`, in their order, at most `max`. */
export function sessionsBetween(
  schedule: readonly Slot[],
  { from, max, until }: { from: WallTime; until: WallTime; max: number },
): PlannedSession[] {
  const ordered = schedule.toSorted((one, other) => one["starts-at"] - other["starts-at"]);
  const [first, last] = [dayOf(from.date), dayOf(until.date)];
  const sessions: PlannedSession[] = [];
  for (let day = first; day <= last && ordered.length > 0 && sessions.length < max; day += 1) {
    const weekday = weekdayOf(day);
    for (const slot of ordered) {
      const startsAt = slot["starts-at"];
      if (slot.weekday !== weekday) continue;
      if (day === first && startsAt < from.minute) continue;
      if (day === last && startsAt >= until.minute) continue;
      sessions.push({ date: dateOf(day), starts_at: startsAt, ends_at: slot["ends-at"] });
    }
  }
  return sessions.slice(0, max);
}
