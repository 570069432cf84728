import type { Die } from "../random.ts";

/** Invented attendances of classes for the demo account and for seeded accounts. */

interface Place {
  /** From 0. */
  lesson: number;
  lessons: number;
  /** The status of the enrollment. It follows from the attendances, as it does over HTTP. */
  status: string;
}

type AttendanceStatus = "present" | "late" | "online" | "excused" | "absent";

/** Graduation needs all lessons but one. */
export const lessonsNeeded = (lessons: number): number => lessons - 1;

/** Returns nothing for a lesson after the withdrawal, and for people without a seat. */
export function attendanceOf(
  { lesson, lessons, status }: Place,
  die: Die,
): AttendanceStatus | undefined {
  switch (status) {
    case "completed":
      // The one lesson that a graduate may miss is the second.
      return lesson === 1 && die.chance(0.5) ? "excused" : came(die);
    case "failed":
      return lesson < lessons / 2 ? came(die) : "absent";
    case "withdrawn":
      return lesson < 2 ? came(die) : undefined;
    case "active":
      return die.chance(0.85) ? came(die) : die.pick<AttendanceStatus>(["excused", "absent"]);
    default:
      return undefined;
  }
}

const came = (die: Die): AttendanceStatus =>
  die.pick<AttendanceStatus>(["present", "present", "present", "present", "late", "online"]);
