import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  choice,
  describe,
  example,
  integer,
  list,
  object,
  readOnly,
  timestamp,
  writeOnly,
} from "../../../jsonapi/definition/attributes.ts";
import { idOfResource } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createSheet } from "./create-sheet.ts";
import { attendanceStatuses, minutes, note } from "./definition.ts";

const count = (description: string) => describe(readOnly(integer({ minimum: 0 })), { description });

export const courseAttendanceSheets = resource({
  type: "course-attendance-sheets",
  description: "The attendance of a class at a session, recorded at once.",
  table: "course_attendance_sheets",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "entries": example(
      [
        {
          "enrollment-id": "01980e5c-4a00-7000-8000-000000000002",
          "status": "excused",
          "note": "Ill",
          "minutes": null,
        },
      ],
      writeOnly(
        describe(
          list(
            object(
              {
                "enrollment-id": idOfResource(),
                "status": choice(attendanceStatuses),
                "note": note(),
                "minutes": minutes(),
              },
              "SheetEntry",
            ),
            { minItems: 1, maxItems: 300 },
          ),
          {
            description:
              "Each entry sets the attendance of its enrollment. A `note` and `minutes` that are not sent keep their values. Either all entries are written or none.",
          },
        ),
      ),
    ),
    "recorded-count": count("The number of entries."),
    "changed-count": count("The number of attendances that the sheet created or changed."),
  },
  relationships: {
    ...authorship,
    session: toOne("course-sessions", { column: "session_id", required: true, onlyCreated: true }),
    class: linkOnly(toOne("course-classes", { column: "class_id" })),
    course: linkOnly(toOne("courses", { column: "course_id" })),
  },
  filters: {
    session: { match: "id", column: "session_id" },
    class: { match: "id", column: "class_id" },
    course: { match: "id", column: "course_id" },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "-created-at",
  operations: {
    list: can("course-attendances:read"),
    read: can("course-attendances:read"),
    create: {
      allow: can("course-attendances:write"),
      refuses: ["session-cancelled", "enrollment-not-active"],
      run: createSheet,
    },
  },
  place: "session",
  reach: { "course": column("course_id"), "course-class": column("class_id") },
});
