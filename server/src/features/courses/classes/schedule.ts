import { type Problem, refuse } from "../../../base/errors.ts";

/** A weekly time of a class, in minutes since midnight. Weekday 0 is Sunday. */
export interface Slot {
  "weekday": number;
  "starts-at": number;
  "ends-at": number;
}

/**
 * Reports each entry that does not end after it begins, or that overlaps an entry before it. The schema reports members
 * that are absent or not numbers, and no comparison with them is true.
 */
export function checkSchedule(value: unknown, pointer: string, problems: Problem[]): undefined {
  const schedule = Array.isArray(value) ? value.map((entry) => Object(entry) as Slot) : [];
  for (const [position, slot] of schedule.entries()) {
    const report = (detail: string) =>
      refuse(problems, "invalid-attribute", detail, `${pointer}/${position}`);
    if (slot["ends-at"] <= slot["starts-at"])
      report("`ends-at` must be later than `starts-at`, on the same day.");
    else if (schedule.slice(0, position).some((other) => overlap(slot, other)))
      report("Overlaps another entry.");
  }
}

const overlap = (one: Slot, other: Slot): boolean =>
  one.weekday === other.weekday &&
  one["starts-at"] < other["ends-at"] &&
  other["starts-at"] < one["ends-at"];
