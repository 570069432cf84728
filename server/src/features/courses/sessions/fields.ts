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
  timestamps,
  minuteOfDay,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { sessionStatuses } from "./statuses.ts";

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

export const sessionFields = {
  attributes: {
    ...timestamps,
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
};

export type SessionFields = typeof sessionFields;

export const sessionPlanFields = {
  attributes: { ...timestamps, "created-count": count() },
  relationships: { ...authorship, class: ofClass, course: ofCourse },
};

export type SessionPlanFields = typeof sessionPlanFields;
