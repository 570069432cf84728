import {
  choice,
  date,
  describe,
  example,
  integer,
  optional,
  readOnly,
  lines,
  timestamp,
  list,
  object,
  writeOnly,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { author, authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { idOfResource } from "../../../jsonapi/definition/names.ts";

export const attendanceStatuses = [
  "present",
  "late",
  "excused",
  "absent",
  "online",
  "not-applicable",
] as const;

const note = () => optional(lines({ maxLength: 300 }));

const minutes = () => optional(integer({ minimum: 0, maximum: 1_440 }));

export const attendanceFields = {
  attributes: {
    ...timestamps,
    "status": example("present", choice(attendanceStatuses)),
    "note": note(),
    "minutes": example(60, minutes()),
    "date": describe(readOnly(date()), { description: "The date of the session." }),
    "recorded-at": describe(readOnly(timestamp()), {
      description: "The time at which the status, the note or the minutes were last recorded.",
    }),
  },
  relationships: {
    ...authorship,
    "session": toOne("course-sessions", {
      column: "session_id",
      required: true,
      onlyCreated: true,
    }),
    // A row outlives its student, and with the student the enrollment.
    "enrollment": toOne("course-enrollments", {
      column: "enrollment_id",
      required: true,
      onlyCreated: true,
      dangling: true,
    }),
    "person": linkOnly(toOne("people", { column: "person_id" })),
    "lesson": linkOnly(toOne("course-lessons", { column: "lesson_id" })),
    "class": linkOnly(toOne("course-classes", { column: "class_id" })),
    "course": linkOnly(toOne("courses", { column: "course_id" })),
    "recorded-by": author("recorded_by"),
  },
};

export type AttendanceFields = typeof attendanceFields;

const count = (description: string) => describe(readOnly(integer({ minimum: 0 })), { description });

export const sheetFields = {
  attributes: {
    ...timestamps,
    "entries": example(
      [
        {
          "enrollment-id": "01980e5c-4a00-7000-8000-000000000011",
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
};

export type SheetFields = typeof sheetFields;
