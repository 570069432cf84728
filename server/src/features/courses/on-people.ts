import { via } from "../../access/reach.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

const enrollments = { table: "course_enrollments", from: "person_id" };
const enrolled = "is_enrolled(x.status)";

/** Courses on the records of people. */
export const coursesOfPeople: Extension = {
  relationships: {
    "course-enrollments": linkOnly(toMany("course-enrollments", { ...enrollments, to: "id" })),
    "teaches": linkOnly(
      toMany("course-classes", {
        table: "course_class_teachers",
        from: "person_id",
        to: "class_id",
      }),
    ),
    "completed-courses": linkOnly(
      toMany("courses", { ...enrollments, to: "course_id", where: { status: "completed" } }),
    ),
  },
  filters: {
    "course": {
      needs: "course-enrollments:read",
      among: "courses",
      match: "related",
      ...enrollments,
      to: "course_id",
    },
    "course-class": {
      needs: "course-enrollments:read",
      among: "course-classes",
      match: "related",
      ...enrollments,
      to: "class_id",
    },
  },
  reach: {
    "course": via("course_enrollments", { from: "person_id", to: "course_id", where: enrolled }),
    "course-class": via("course_enrollments", {
      from: "person_id",
      to: "class_id",
      where: enrolled,
    }),
  },
  reduced: {
    members: ["course-enrollments", "teaches"],
    filters: ["course", "course-class"],
  },
};
