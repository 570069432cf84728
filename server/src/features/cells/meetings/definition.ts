import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createMeeting } from "./create-meeting.ts";
import { deleteMeeting } from "./delete-meeting.ts";
import { meetingFields, reportStatus, reportStatuses } from "./fields.ts";
import { meetingStatuses } from "./transitions.ts";
import { updateMeeting } from "./update-meeting.ts";

/** Unreported meetings have an index. No meeting of tomorrow has ended in any time zone. */
const unreported: Readonly<Record<string, string>> = {
  "not-due": " and cell_meetings.status = 'scheduled'",
  "due": " and cell_meetings.status = 'scheduled' and cell_meetings.date <= current_date + 1",
  "overdue": " and cell_meetings.status = 'scheduled' and cell_meetings.date <= current_date + 1",
};

/** The condition of the filter `tree`. A tree contains its own cell. */
export const inTreesOf = (table: string) =>
  `${table}.cell_id in (select t.cell_id from cell_ancestors t where t.account_id = $account and t.ancestor_id = any($ids))`;

export const cellMeetings = resource({
  type: "cell-meetings",
  description: "A planned or reported meeting of a cell.",
  table: "cell_meetings",
  ...meetingFields,
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": { match: "within", sql: inTreesOf("cell_meetings") },
    "status": { match: "one-of", column: "status", values: meetingStatuses },
    "report-status": {
      match: "one-of",
      column: reportStatus,
      values: reportStatuses,
      also: (value) => unreported[value] ?? "",
    },
    "from": { match: "from", column: "date" },
    "to": { match: "to", column: "date" },
  },
  sorts: {
    "date": { column: "date" },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "-date",
  operations: {
    list: can("cell-meetings:read"),
    read: can("cell-meetings:read"),
    create: {
      allow: can("cell-meetings:write"),
      refuses: ["already-exists", "cell-closed", "report-closed"],
      run: createMeeting,
    },
    update: {
      allow: can("cell-meetings:write", "cell-meetings:report"),
      refuses: ["already-exists", "invalid-transition", "report-closed"],
      run: updateMeeting,
    },
    delete: { allow: can("cell-meetings:write"), refuses: ["report-closed"], run: deleteMeeting },
  },
  reach: { cell: column("cell_id") },
  place: "cell",
  // The operations capture the other events themselves. A report is one event.
  captures: { deleted: "cell-meeting.deleted" },
  constraints: {
    cell_meetings_date_key: {
      pointer: "/data/attributes/date",
      detail: "The cell has a meeting on this date.",
      code: "already-exists",
    },
    cell_meetings_reported: {
      pointer: "/data/attributes/status",
      detail: "Only a reported meeting is held or not held.",
    },
    cell_meetings_offering_has_currency: {
      pointer: "/data/attributes/offering-currency",
      detail: "An amount requires a currency.",
    },
  },
});
