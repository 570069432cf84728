import { notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";

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
    const report = (broken: Broken) =>
      refuse(problems, "invalid-attribute", broken, `${pointer}/${position}`);
    if (slot["ends-at"] <= slot["starts-at"])
      report({
        rule: "after",
        other: `${pointer}/${position}/starts-at`,
        hint: "A slot ends on the day on which it begins.",
      });
    else if (schedule.slice(0, position).some((other) => overlap(slot, other)))
      report(notAllowedHere("Overlaps another entry."));
  }
}

const overlap = (one: Slot, other: Slot): boolean =>
  one.weekday === other.weekday &&
  one["starts-at"] < other["ends-at"] &&
  other["starts-at"] < one["ends-at"];
