import { can, notThrough } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  integer,
  list,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { timeZone } from "../../../jsonapi/definition/codes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createClass } from "./create-class.ts";
import { judgeSchedule } from "./schedule.ts";
import { classStatuses } from "./statuses.ts";
import { updateClass } from "./update-class.ts";

const minuteOfDay = () => integer({ minimum: 0, maximum: 1_439 });

const schedule = () =>
  list(
    object(
      {
        "weekday": integer({ minimum: 0, maximum: 6 }),
        "starts-at": minuteOfDay(),
        "ends-at": minuteOfDay(),
      },
      "ClassSlot",
    ),
    { maxItems: 14 },
  );

const countOf = (condition: string) =>
  `(select count(*)::int from course_enrollments e where e.account_id = course_classes.account_id
    and e.class_id = course_classes.id and ${condition})`;

export const seatsTaken = countOf("takes_seat(e.status)");

/** Teachers change their class. Appointing teachers and deleting a class need the permission for the course. */
const atCourse = notThrough("course-class", "course-classes:write");

export const courseClasses = resource({
  type: "course-classes",
  description: "A class of a course, with its teachers and its students.",
  table: "course_classes",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("Autumn, Tuesdays", named(200)),
    "status": example("open", defaulted(choice(classStatuses))),
    "seats": describe(optional(integer({ minimum: 1, maximum: 10_000 })), {
      example: 20,
      description: "Null means that there is no limit.",
    }),
    "waitlist-enabled": defaulted(boolean()),
    "starts": example("2027-03-02T22:00:00.000Z", optional(timestamp())),
    "ends": example("2027-06-29T23:30:00.000Z", optional(timestamp())),
    "schedule": describe(defaulted(schedule()), {
      example: [{ "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 }],
      description:
        "Weekly times in the time zone of the class. Weekday 0 is Sunday, times are minutes since midnight.",
      judge: judgeSchedule,
    }),
    "enrollment-opens-at": optional(timestamp()),
    "enrollment-closes-at": optional(timestamp()),
    "mode": defaulted(choice(["in-person", "online", "hybrid"])),
    "location": example("Room 3", optional(text({ maxLength: 200 }))),
    "online-url": optional(webAddress()),
    "time-zone": describe(defaulted(timeZone()), {
      description: "Defaults to the time zone of the account.",
    }),
    "is-public": defaulted(boolean()),
    "show-teachers": defaulted(boolean()),
    "has-started": computed(boolean(), "coalesce(course_classes.starts <= now(), false)"),
    "has-finished": computed(boolean(), "coalesce(course_classes.ends <= now(), false)"),
    "seats-taken": describe(computed(integer({ minimum: 0 }), seatsTaken), {
      description: "Enrollments that are `active`, `completed` or `failed`.",
    }),
    "waitlist-count": computed(integer({ minimum: 0 }), countOf("e.status = 'waitlisted'")),
    "custom-properties": customValues(),
  },

  relationships: {
    ...authorship,
    "course": toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    "teachers": toMany("people", {
      table: "course_class_teachers",
      from: "class_id",
      to: "person_id",
      writableWith: atCourse,
    }),
    "students": linkOnly(
      toMany("people", {
        table: "course_enrollments",
        from: "class_id",
        to: "person_id",
        where: { status: "active" },
      }),
    ),
    "enrollments": linkOnly(
      toMany("course-enrollments", { table: "course_enrollments", from: "class_id", to: "id" }),
    ),
    "sessions": linkOnly(
      toMany("course-sessions", { table: "course_sessions", from: "class_id", to: "id" }),
    ),
    "lessons-completed": linkOnly(
      toMany("course-lessons", {
        table: "course_sessions",
        from: "class_id",
        to: "lesson_id",
        where: { status: "held" },
      }),
    ),
  },

  filters: {
    "course": { match: "id", column: "course_id" },
    "teacher": {
      needs: "people:read",
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
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "starts",

  operations: {
    list: can("course-classes:read"),
    read: can("course-classes:read"),
    create: { allow: can("course-classes:write"), run: createClass },
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
      detail: "Must be later than `starts`.",
    },
    course_classes_closes_after_opening: {
      pointer: "/data/attributes/enrollment-closes-at",
      detail: "Must be later than `enrollment-opens-at`.",
    },
    course_classes_custom_properties_size: {
      pointer: "/data/attributes/custom-properties",
      detail: "All fields together must not exceed 64 KiB.",
    },
  },
});
