import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createClass } from "./create-class.ts";
import { classStatuses } from "./statuses.ts";
import { updateClass } from "./update-class.ts";
import { seatsTaken, atCourse, classFields } from "./fields.ts";
import { customValuesSize } from "../../../jsonapi/definition/custom-fields.ts";

export const courseClasses = resource({
  type: "course-classes",
  description: "A class of a course, with its teachers and its students.",
  table: "course_classes",

  ...classFields,

  filters: {
    "q": { match: "search", text: { table: "class_search", from: "class_id", column: "words" } },
    "course": { match: "id", column: "course_id" },
    "teacher": {
      needs: "people:read",
      among: "people",
      match: "related",
      table: "course_class_teachers",
      from: "class_id",
      to: "person_id",
    },
    "status": { match: "one-of", column: "status", values: classStatuses },
    "starts-from": { match: "since", column: "starts" },
    "starts-to": { match: "until", column: "starts" },
    "is-public": { match: "boolean", column: "is_public" },
    "has-seats": {
      match: "boolean",
      column: `(course_classes.seats is null or course_classes.seats > ${seatsTaken})`,
    },
  },
  sorts: {
    "starts": { column: "starts", nullable: true },
    "name": { column: "name_folded" },
    ...timeSorts,
  },
  defaultSort: "starts",

  operations: {
    list: can("course-classes:read"),
    read: can("course-classes:read"),
    create: {
      allow: can("course-classes:write"),
      actsOn: { course: { "add-class": {} } },
      run: createClass,
    },
    update: {
      allow: can("course-classes:write"),
      refuses: ["invalid-transition"],
      run: updateClass,
    },
    delete: atCourse,
  },
  place: "course",
  reach: {
    "course": column("course_id"),
    "course-class": column("id"),
    "public": { where: "course_classes.status <> 'draft'" },
  },
  customProperties: true,
  captures: {
    created: "course-class.created",
    updated: "course-class.updated",
    deleted: "course-class.deleted",
  },
  constraints: {
    course_classes_ends_after_start: {
      pointer: "/data/attributes/ends",
      breaks: { rule: "after", other: "/data/attributes/starts" },
    },
    course_classes_closes_after_opening: {
      pointer: "/data/attributes/enrollment-closes-at",
      breaks: { rule: "after", other: "/data/attributes/enrollment-opens-at" },
    },
    ...customValuesSize("course_classes"),
  },
});
