import { can } from "../../../access/policy.ts";
import { column, readOnly, via } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createSession } from "./create-session.ts";
import { deleteSession } from "./delete-session.ts";
import { planSessions } from "./plan-sessions.ts";
import { sessionStatuses } from "./statuses.ts";
import { updateSession } from "./update-session.ts";
import { sessionFields, sessionPlanFields } from "./fields.ts";

const reach = { "course": column("course_id"), "course-class": column("class_id") };

export const courseSessions = resource({
  type: "course-sessions",
  description: "A day on which a class meets.",
  table: "course_sessions",
  ...sessionFields,
  filters: {
    "class": { match: "id", column: "class_id" },
    "course": { match: "id", column: "course_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "teacher": { needs: "people:read", among: "people", match: "id", column: "teacher_id" },
    "status": { match: "one-of", column: "status", values: sessionStatuses },
    "from": { match: "from", column: "date" },
    "to": { match: "to", column: "date" },
  },
  sorts: { ...timeSorts, date: { column: "date" } },
  defaultSort: "date",
  operations: {
    list: can("course-sessions:read"),
    read: can("course-sessions:read"),
    create: {
      allow: can("course-sessions:write"),
      refuses: ["limit-reached"],
      run: createSession,
    },
    update: {
      allow: can("course-sessions:write"),
      refuses: ["invalid-transition"],
      run: updateSession,
    },
    delete: { allow: can("course-sessions:write"), run: deleteSession },
  },
  place: "class",
  reach: {
    ...reach,
    self: readOnly(
      via("course_session_students", {
        from: "session_id",
        to: "person_id",
        through: "course-enrollments",
        former: {
          ids: `array(select student.person_id from course_enrollments student
            where student.account_id = gone.account_id and student.class_id = gone.class_id and takes_seat(student.status))`,
        },
      }),
    ),
  },
  constraints: {
    course_sessions_ends_after_start: {
      pointer: "/data/attributes/ends-at",
      breaks: { rule: "after", other: "/data/attributes/starts-at" },
    },
  },
});

export const courseSessionPlans = resource({
  type: "course-session-plans",
  description: "The creation of the sessions of a whole class, by its schedule.",
  table: "course_session_plans",
  ...sessionPlanFields,
  filters: { class: { match: "id", column: "class_id" } },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("course-sessions:read"),
    read: can("course-sessions:read"),
    create: {
      allow: can("course-sessions:write"),
      refuses: ["missing-attribute", "limit-reached"],
      description:
        "Creates a session for each time of the schedule that begins from `starts` until `ends` and has none. Then gives the lessons, in their order, to the planned sessions without one.",
      run: planSessions,
    },
  },
  place: "class",
  reach,
});
