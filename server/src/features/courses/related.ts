import { can } from "../../access/policy.ts";
import { column } from "../../access/reach.ts";
import { choice, integer, readOnly, text, timestamp } from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { authorship, linkOnly, toMany, toOne } from "../../jsonapi/definition/relationships.ts";

/**
 * Types related to courses. This version reads them. A later version writes them and adds the rest of their attributes
 * (see docs/interface.md).
 */

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
};
const ofCourse = linkOnly(toOne("courses", { column: "course_id" }));
const byCourse = { match: "id", column: "course_id" } as const;

const enrollmentStatuses = [
  "requested",
  "waitlisted",
  "active",
  "completed",
  "failed",
  "withdrawn",
  "cancelled",
] as const;

export const courseLessons = resource({
  type: "course-lessons",
  description: "A lesson of a course.",
  table: "course_lessons",
  attributes: {
    ...times,
    name: readOnly(text({ maxLength: 200 })),
    number: readOnly(integer({ minimum: 1, maximum: 500 })),
  },
  relationships: { ...authorship, course: ofCourse },
  filters: { course: byCourse },
  sorts: { ...timeSorts, number: { column: "number" } },
  defaultSort: "number",
  operations: { list: can("course-lessons:read"), read: can("course-lessons:read") },
  reach: { course: column("course_id") },
});

export const courseClasses = resource({
  type: "course-classes",
  description: "A class of a course, with its teachers and its students.",
  table: "course_classes",
  attributes: {
    ...times,
    name: readOnly(text({ maxLength: 200 })),
    status: readOnly(choice(["draft", "open", "in-progress", "finished", "cancelled"])),
  },
  relationships: {
    ...authorship,
    course: ofCourse,
    teachers: linkOnly(
      toMany("people", { table: "course_class_teachers", from: "class_id", to: "person_id" }),
    ),
    enrollments: linkOnly(
      toMany("course-enrollments", { table: "course_enrollments", from: "class_id", to: "id" }),
    ),
  },
  filters: {
    course: byCourse,
    teacher: {
      needs: "people:read",
      match: "related",
      table: "course_class_teachers",
      from: "class_id",
      to: "person_id",
    },
    status: {
      match: "one-of",
      column: "status",
      values: ["draft", "open", "in-progress", "finished", "cancelled"],
    },
  },
  sorts: { ...timeSorts, name: { column: "name_folded" } },
  defaultSort: "name",
  operations: { list: can("course-classes:read"), read: can("course-classes:read") },
  reach: { "course": column("course_id"), "course-class": column("id") },
});

export const courseMaterials = resource({
  type: "course-materials",
  description: "Course material for students or for teachers.",
  table: "course_materials",
  attributes: {
    ...times,
    title: readOnly(text({ maxLength: 200 })),
    audience: readOnly(choice(["student", "teacher"])),
  },
  relationships: { ...authorship, course: ofCourse },
  filters: {
    course: byCourse,
    audience: { match: "one-of", column: "audience", values: ["student", "teacher"] },
  },
  sorts: timeSorts,
  defaultSort: "id",
  operations: { list: can("course-materials:read"), read: can("course-materials:read") },
  reach: { course: column("course_id") },
});

export const courseRequirements = resource({
  type: "course-requirements",
  description: "A condition for enrolling in a course.",
  table: "course_requirements",
  attributes: {
    ...times,
    kind: readOnly(
      choice([
        "course",
        "membership-status",
        "baptized",
        "minimum-age",
        "cell-member",
        "approval",
        "custom-property",
      ]),
    ),
  },
  relationships: {
    ...authorship,
    "course": ofCourse,
    "required-course": linkOnly(toOne("courses", { column: "required_course_id" })),
  },
  filters: { course: byCourse },
  sorts: timeSorts,
  defaultSort: "id",
  operations: {
    list: can("course-requirements:read"),
    read: can("course-requirements:read"),
  },
  reach: { course: column("course_id") },
});

export const courseEnrollments = resource({
  type: "course-enrollments",
  description: "The enrollment of a person in a course or one of its classes.",
  table: "course_enrollments",
  attributes: { ...times, status: readOnly(choice(enrollmentStatuses)) },
  relationships: {
    ...authorship,
    course: ofCourse,
    class: linkOnly(toOne("course-classes", { column: "class_id" })),
    person: linkOnly(toOne("people", { column: "person_id" })),
  },
  filters: {
    course: byCourse,
    class: { match: "id", column: "class_id" },
    person: { match: "id", column: "person_id" },
    status: { match: "one-of", column: "status", values: enrollmentStatuses },
  },
  sorts: timeSorts,
  defaultSort: "id",
  operations: { list: can("course-enrollments:read"), read: can("course-enrollments:read") },
  reach: {
    "self": column("person_id"),
    "course": column("course_id"),
    "course-class": column("class_id"),
  },
});
