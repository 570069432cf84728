import { notThrough } from "../../../access/policy.ts";
import { at, onRow } from "../../../jsonapi/definition/row-conditions.ts";

/** The rules of `reporting-rights.ts`, as `meta.may` shows them. */

/** Through the whole account or a tree, and not only through the cell itself. */
const isSupervisor = at(notThrough("cell", "cell-meetings:write"));

/** Whether the leaders of the cell can no longer change a meeting. `table` has its date. */
export const isReportClosed = (table: "cell_meetings" | "cell_attendances") =>
  onRow`not ${isSupervisor} and today_in(${table}.account_id) > ${table}.date
    + (select report_edit_days from account_facts account where account.account_id = ${table}.account_id)`;

export const mayDeleteMeeting = onRow`${at("cell-meetings:write")} and (${isSupervisor} or cell_meetings.submitted_at is null)`;

/** Only a report sends them. */
export const mayReport = onRow`${at("cell-meetings:report")}`;

/** The date of another meeting is fixed. */
export const isPlanned = onRow`cell_meetings.status = 'scheduled'`;

export const isCancelled = onRow`cell_meetings.status = 'cancelled'`;

export const mayPlan = onRow`${at("cell-meetings:write")}`;

/** A report of a day without a meeting creates the meeting. The condition is on the cell. */
export const mayReportAt = onRow`${at("cell-meetings:write")} and ${at("cell-meetings:report")}`;
