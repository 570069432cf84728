import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createMeeting } from "./create-meeting.ts";
import { deleteMeeting } from "./delete-meeting.ts";
import { meetingFields, reportStatus, reportStatuses } from "./fields.ts";
import { meetingStatuses } from "./statuses.ts";
import { updateMeeting } from "./update-meeting.ts";
import { isClosed } from "../may.ts";
import { inTree } from "../tree.ts";
import { dateTaken } from "./reporting-rights.ts";
import {
  isCancelled,
  isPlanned,
  isReportClosed,
  mayDeleteMeeting,
  mayPlan,
  mayReport,
  mayReportAt,
} from "./may.ts";

/** Unreported meetings have an index. No meeting of tomorrow has ended in any time zone. */
const unreported: Readonly<Record<string, string>> = {
  "not-due": "cell_meetings.status = 'scheduled'",
  "due": "cell_meetings.status = 'scheduled' and cell_meetings.date <= current_date + 1",
  "overdue": "cell_meetings.status = 'scheduled' and cell_meetings.date <= current_date + 1",
};

export const cellMeetings = resource({
  type: "cell-meetings",
  description: "A planned or reported meeting of a cell.",
  table: "cell_meetings",
  ...meetingFields,
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_meetings.cell_id"),
    "status": { match: "one-of", column: "status", values: meetingStatuses },
    "report-status": {
      match: "one-of",
      column: reportStatus,
      values: reportStatuses,
      also: (value) => unreported[value],
    },
    "from": { match: "from", column: "date" },
    "to": { match: "to", column: "date" },
  },
  sorts: {
    "date": { column: "date" },
    ...timeSorts,
  },
  defaultSort: "-date",
  operations: {
    list: can("cell-meetings:read"),
    read: can("cell-meetings:read"),
    create: {
      allow: can("cell-meetings:write"),
      refuses: ["already-exists", "cell-closed", "report-closed"],
      actsOn: {
        cell: {
          "add-meeting": { refusedIf: { "cell-closed": isClosed } },
          "report": {
            sets: { status: "held" },
            allowedIf: mayReportAt,
            refusedIf: { "cell-closed": isClosed },
          },
        },
      },
      run: createMeeting,
    },
    update: {
      allow: can("cell-meetings:write", "cell-meetings:report"),
      refuses: ["already-exists", "invalid-transition", "report-closed"],
      refusedIf: { "report-closed": isReportClosed("cell_meetings") },
      changesIf: { date: isPlanned, attendance: mayReport, visitors: mayReport },
      run: updateMeeting,
    },
    delete: {
      allow: can("cell-meetings:write"),
      refuses: ["report-closed"],
      allowedIf: mayDeleteMeeting,
      refusedIf: { "report-closed": isReportClosed("cell_meetings") },
      run: deleteMeeting,
    },
  },
  actions: {
    report: {
      sets: { status: "held" },
      allowedIf: mayReport,
      refusedIf: {
        "invalid-transition": isCancelled,
        "report-closed": isReportClosed("cell_meetings"),
      },
    },
    cancel: {
      sets: { status: "cancelled" },
      allowedIf: mayPlan,
      refusedIf: { "report-closed": isReportClosed("cell_meetings") },
    },
  },
  reach: { cell: column("cell_id") },
  place: "cell",
  // The operations capture the other events themselves. A report is one event.
  captures: { deleted: "cell-meeting.deleted" },
  constraints: {
    cell_meetings_date_key: dateTaken,
    cell_meetings_reported: {
      pointer: "/data/attributes/status",
      breaks: notAllowedHere("Only a reported meeting is held or not held."),
    },
    cell_meetings_offering_has_currency: {
      pointer: "/data/attributes/offering-currency",
      breaks: { rule: "required", hint: "An amount requires a currency." },
    },
  },
});
