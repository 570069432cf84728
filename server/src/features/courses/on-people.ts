import { onlyNames, readOnly, via } from "../../access/reach.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

const enrollments = { table: "course_enrollments", from: "person_id" };
const accepted = "is_enrolled(x.status) and x.is_accepted";

/** A log-in and a cell make a person belong to more than a class, whose staff then write nothing of the record. */
const belongsElsewhere = `(
  exists (select from person_facts person
    where person.account_id = x.account_id and person.person_id = x.person_id and person.has_login)
  or exists (select from active_cell_memberships member
    where member.account_id = x.account_id and member.person_id = x.person_id))`;

const pathsTo = (to: "course_id" | "class_id") => {
  const enrolled = (where: string) => via("course_enrollments", { from: "person_id", to, where });
  return [
    readOnly(enrolled(accepted)),
    enrolled(`${accepted} and not ${belongsElsewhere}`),
    onlyNames(enrolled("is_enrolled(x.status) and not x.is_accepted")),
  ];
};

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
    "course": pathsTo("course_id"),
    "course-class": pathsTo("class_id"),
  },
  reduced: {
    members: ["course-enrollments", "teaches"],
    filters: ["course", "course-class"],
    namesFilters: ["course", "course-class"],
  },
};
