import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createSheet } from "./create-sheet.ts";
import { sheetFields } from "./fields.ts";

export const courseAttendanceSheets = resource({
  type: "course-attendance-sheets",
  description: "The attendance of a class at a session, recorded at once.",
  table: "course_attendance_sheets",
  ...sheetFields,
  filters: {
    session: { match: "id", column: "session_id" },
    class: { match: "id", column: "class_id" },
    course: { match: "id", column: "course_id" },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("course-attendances:read"),
    read: can("course-attendances:read"),
    create: {
      allow: can("course-attendances:write"),
      refuses: ["session-cancelled", "enrollment-not-active"],
      actsOn: {
        session: {
          "take-attendance": {
            refusedIf: { "session-cancelled": onRow`course_sessions.status = 'cancelled'` },
          },
        },
      },
      run: createSheet,
    },
  },
  place: "session",
  reach: { "course": column("course_id"), "course-class": column("class_id") },
});
