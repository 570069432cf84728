import { can } from "../../../access/policy.ts";
import { limits } from "../../../base/limits.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createAttendance, alreadyRecorded } from "./create-attendance.ts";
import { deleteAttendance } from "./delete-attendance.ts";
import { updateAttendance } from "./update-attendance.ts";
import { attendanceStatuses, attendanceFields } from "./fields.ts";

export const courseAttendances = resource({
  type: "course-attendances",
  description: "The attendance of a student at a session of a class.",
  table: "course_attendances",
  pageSizeMax: limits.attendancesPageSizeMax,
  ...attendanceFields,
  filters: {
    course: { match: "id", column: "course_id" },
    class: { match: "id", column: "class_id" },
    lesson: { match: "id", column: "lesson_id" },
    session: { match: "id", column: "session_id" },
    enrollment: { match: "id", column: "enrollment_id" },
    person: { match: "id", column: "person_id" },
    status: { match: "one-of", column: "status", values: attendanceStatuses },
    from: { match: "from", column: "date" },
    to: { match: "to", column: "date" },
  },
  sorts: {
    "date": { column: "date" },
    "person": {
      column: `(select person.name_folded from person_facts person
        where person.account_id = course_attendances.account_id and person.person_id = course_attendances.person_id)`,
      nullable: true,
    },
    ...timeSorts,
  },
  defaultSort: "-date",
  operations: {
    list: can("course-attendances:read"),
    read: can("course-attendances:read"),
    create: {
      allow: can("course-attendances:write"),
      description:
        "The first attendance sets the session to `held`. An enrollment that ended as `withdrawn` or `failed` is accepted for sessions up to the day on which it ended.",
      refuses: ["already-exists", "session-cancelled", "enrollment-not-active"],
      run: createAttendance,
    },
    update: {
      allow: can("course-attendances:write"),
      refuses: ["session-cancelled"],
      run: updateAttendance,
    },
    delete: { allow: can("course-attendances:write"), run: deleteAttendance },
  },
  place: "session",
  reach: {
    "course": column("course_id"),
    "course-class": column("class_id"),
    "self": column("person_id"),
  },
  constraints: {
    course_attendances_enrollment_key: alreadyRecorded,
  },
});
