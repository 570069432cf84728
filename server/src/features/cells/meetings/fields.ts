import {
  boolean,
  choice,
  computed,
  date,
  defaulted,
  describe,
  example,
  integer,
  list,
  object,
  optional,
  readOnly,
  lines,
  text,
  timestamp,
  writeOnly,
  timestamps,
  minuteOfDay,
} from "../../../jsonapi/definition/attributes.ts";
import { currencyCode } from "../../../jsonapi/definition/codes.ts";
import { email } from "../../../jsonapi/definition/contact.ts";
import { phoneNumber } from "../../../jsonapi/definition/phones.ts";
import { idOfResource, named } from "../../../jsonapi/definition/names.ts";
import {
  author,
  authorship,
  linkOnly,
  toMany,
  toOne,
} from "../../../jsonapi/definition/relationships.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import { meetingStatuses } from "./statuses.ts";

export const attendanceStatuses = ["present", "absent", "excused", "online"] as const;

export const reportStatuses = ["not-due", "due", "overdue", "submitted", "late"] as const;

export const reportStatus =
  "report_status(cell_meetings.account_id, cell_meetings.status, cell_meetings.date, cell_meetings.ends_at, cell_meetings.submitted_at)";

const headcount = () => integer({ minimum: 0, maximum: 100_000 });
const note = () => optional(lines({ maxLength: 200 }));

const presentCount = `(select count(*) from cell_attendances a where a.account_id = cell_meetings.account_id
  and a.meeting_id = cell_meetings.id and was_present(a.status))`;

export const meetingFields = {
  attributes: {
    ...timestamps,

    "date": example("2026-11-18", date()),
    "starts-at": describe(optional(minuteOfDay()), {
      description: "Minutes after midnight. Defaults to the value of the cell.",
    }),
    "ends-at": describe(optional(minuteOfDay()), {
      description: "Minutes after midnight. Defaults to the value of the cell.",
    }),
    "is-online": describe(defaulted(boolean()), {
      description: "Defaults to the value of the cell.",
    }),
    "theme": example("Hope", optional(text({ maxLength: 200 }))),
    "summary": optional(lines({ maxLength: 10_000 })),
    "status": example("held", defaulted(choice(meetingStatuses))),
    "not-held-reason": describe(optional(named(300)), {
      description: "Required when the status is `not-held`, and null otherwise.",
    }),
    "visitors-count": describe(optional(headcount()), {
      description: "The leader's own count. Defaults to the number of `visitors` in the report.",
    }),
    "children-count": example(4, optional(headcount())),
    "decisions-count": optional(headcount()),
    "offering-amount": describe(optional(integer({ minimum: 0, maximum: 1_000_000_000 })), {
      description: "In minor units. Accepted while the setting `meeting-offerings` is true.",
    }),
    "offering-currency": optional(currencyCode()),

    "attendance": example(
      [
        {
          "person-id": "01980e5c-4a00-7000-8000-000000000002",
          "status": "present",
          "first-time": false,
          "note": "Sang",
        },
      ],
      writeOnly(
        describe(
          defaulted(
            list(
              object(
                {
                  "person-id": idOfResource(),
                  "status": choice(attendanceStatuses),
                  "first-time": defaulted(boolean()),
                  "note": note(),
                },
                "AttendanceEntry",
              ),
              { maxItems: 300 },
            ),
          ),
          {
            description:
              "Each entry sets the attendance of its person. People who are not named keep theirs.",
          },
        ),
      ),
    ),
    "visitors": example(
      [{ "full-name": "Rui Melo", "phone": "+5511912345678", "note": "Neighbour of Ana" }],
      writeOnly(
        describe(
          defaulted(
            list(
              object(
                {
                  "full-name": named(255),
                  "phone": optional(phoneNumber()),
                  "email": optional(email()),
                  "note": note(),
                },
                "Visitor",
              ),
              { maxItems: 100 },
            ),
          ),
          { description: "Each entry adds a prospect, who is a visitor of the cell, as present." },
        ),
      ),
    ),

    "present-count": computed(integer({ minimum: 0 }), presentCount),
    "members-count": describe(readOnly(optional(integer({ minimum: 0 }))), {
      description: "The number of members on the day of the meeting, counted by the first report.",
    }),
    "report-status": computed(optional(choice(reportStatuses)), reportStatus),
    "submitted-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "cell": toOne("cells", { column: "cell_id", required: true, onlyCreated: true }),
    "submitted-by": author("submitted_by"),
    "attendances": linkOnly(
      toMany("cell-attendances", { table: "cell_attendances", from: "meeting_id", to: "id" }),
    ),
  },
};

export type MeetingFields = typeof meetingFields;

export type MeetingValues = RowInput<MeetingFields>["attributes"];
