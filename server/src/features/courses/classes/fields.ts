import { notThrough } from "../../../access/policy.ts";
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
  text,
  timestamp,
  timestamps,
  minuteOfDay,
} from "../../../jsonapi/definition/attributes.ts";
import { timeZone } from "../../../jsonapi/definition/codes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { checkSchedule } from "./schedule.ts";
import { classStatuses } from "./statuses.ts";

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
export const atCourse = notThrough("course-class", "course-classes:write");

export const classFields = {
  attributes: {
    ...timestamps,
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
      check: checkSchedule,
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
      givesRights: true,
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
};

export type ClassFields = typeof classFields;
