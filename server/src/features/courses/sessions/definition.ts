import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  choice,
  computed,
  date,
  defaulted,
  describe,
  example,
  integer,
  object,
  optional,
  readOnly,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createSession } from "./create-session.ts";
import { deleteSession } from "./delete-session.ts";
import { planSessions } from "./plan-sessions.ts";
import { sessionStatuses } from "./statuses.ts";
import { updateSession } from "./update-session.ts";

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
};

const minuteOfDay = () => integer({ minimum: 0, maximum: 1_439 });
const count = () => readOnly(integer({ minimum: 0 }));

const attendanceCounts = () =>
  object(
    {
      "present": count(),
      "late": count(),
      "excused": count(),
      "absent": count(),
      "online": count(),
      "not-applicable": count(),
    },
    "SessionAttendanceCounts",
  );

const having = (status: string) => `'${status}', count(*) filter (where a.status = '${status}')`;
const counted = `(select json_build_object(${["present", "late", "excused", "absent", "online", "not-applicable"].map(having).join(", ")})
  from course_attendances a where a.account_id = course_sessions.account_id and a.session_id = course_sessions.id)`;

const ofClass = toOne("course-classes", { column: "class_id", required: true, onlyCreated: true });
const ofCourse = linkOnly(toOne("courses", { column: "course_id" }));
const reach = { "course": column("course_id"), "course-class": column("class_id") };

export const courseSessions = resource({
  type: "course-sessions",
  description: "A day on which a class meets.",
  table: "course_sessions",
  attributes: {
    ...times,
    "date": example("2027-03-02", date()),
    "starts-at": describe(optional(minuteOfDay()), {
      example: 1_140,
      description: "Minutes since midnight, in the time zone of the class.",
    }),
    "ends-at": example(1_230, optional(minuteOfDay())),
    "status": describe(defaulted(choice(sessionStatuses)), {
      description: "The first attendance sets it to `held`.",
    }),
    "attendance-counts": computed(attendanceCounts(), counted),
  },
  relationships: {
    ...authorship,
    "class": ofClass,
    "course": ofCourse,
    "lesson": toOne("course-lessons", { column: "lesson_id" }),
    "teacher": toOne("people", { column: "teacher_id" }),
  },
  filters: {
    "class": { match: "id", column: "class_id" },
    "course": { match: "id", column: "course_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "teacher": { needs: "people:read", match: "id", column: "teacher_id" },
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
  reach,
  constraints: {
    course_sessions_ends_after_start: {
      pointer: "/data/attributes/ends-at",
      detail: "Must be later than `starts-at`.",
    },
  },
});

export const courseSessionPlans = resource({
  type: "course-session-plans",
  description: "The creation of the sessions of a whole class, by its schedule.",
  table: "course_session_plans",
  attributes: { ...times, "created-count": count() },
  relationships: { ...authorship, class: ofClass, course: ofCourse },
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
