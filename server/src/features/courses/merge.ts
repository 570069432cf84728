import type { Merging, Passed } from "../../jsonapi/definition/merge.ts";
import { keepBest, moved } from "../../jsonapi/sql/merge.ts";

const moveEnrollments = moved("course-enrollments", "course_enrollments");

/** Keeps the enrollment with the furthest status in each class. */
export async function mergeEnrollments(merging: Merging): Promise<Passed> {
  const conflicts = await keepBest(merging, {
    type: "course-enrollments",
    table: "course_enrollments",
    within: "class_id",
    best: `array_position(array['completed', 'active', 'failed', 'waitlisted', 'requested', 'withdrawn', 'cancelled'], status)`,
    rule: "same-class",
  });
  return { ...(await moveEnrollments(merging)), conflicts };
}
