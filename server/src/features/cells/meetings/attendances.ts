import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  boolean,
  choice,
  date,
  describe,
  optional,
  readOnly,
  lines,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { deleteAttendance } from "./delete-attendance.ts";
import { attendanceStatuses } from "./fields.ts";
import { isReportClosed } from "./may.ts";
import { inTree } from "../tree.ts";

/** A member without a row in a report was absent. Lists show it on request. */
const shownStatuses = [...attendanceStatuses, "missed"] as const;

export const cellAttendances = resource({
  type: "cell-attendances",
  description:
    "The attendance of a person at a meeting of a cell. The report of the meeting writes it.",
  table: "cell_attendances",
  attributes: {
    ...timestamps,
    "status": describe(readOnly(choice(shownStatuses)), {
      description: "`missed` is a row of `filter[with-missed]`.",
    }),
    "is-visitor": readOnly(boolean()),
    "first-time": readOnly(boolean()),
    "note": readOnly(optional(lines({ maxLength: 200 }))),
    "date": readOnly(date()),
  },
  relationships: {
    ...authorship,
    meeting: linkOnly(toOne("cell-meetings", { column: "meeting_id" })),
    cell: linkOnly(toOne("cells", { column: "cell_id" })),
    person: linkOnly(toOne("people", { column: "person_id" })),
  },
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_attendances.cell_id"),
    "person": { match: "id", column: "person_id" },
    "meeting": { match: "id", column: "meeting_id" },
    "status": { match: "one-of", column: "status", values: shownStatuses },
    "is-visitor": { match: "boolean", column: "is_visitor" },
    "from": { match: "from", column: "date" },
    "to": { match: "to", column: "date" },
    "with-missed": { match: "adds", view: "missed_attendances", within: "person" },
  },
  sorts: {
    "date": { column: "date" },
    ...timeSorts,
  },
  defaultSort: "-date",
  operations: {
    list: can("cell-meetings:read"),
    read: can("cell-meetings:read"),
    delete: {
      allow: can("cell-meetings:report"),
      refuses: ["report-closed"],
      refusedIf: { "report-closed": isReportClosed("cell_attendances") },
      run: deleteAttendance,
    },
  },
  reach: { cell: column("cell_id"), self: column("person_id") },
  constraints: {
    cell_attendances_person_key: alreadyExists(
      "/data/relationships/person/data",
      "The person has a row in this meeting already.",
    ),
  },
});
