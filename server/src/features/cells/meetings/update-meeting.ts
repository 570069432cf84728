import { ApiError, forbidden, notFound, type Problem } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { mayNotReport, assertNotClosed, assertNotTaken, rightsAt } from "./reporting-rights.ts";
import type { MeetingFields } from "./fields.ts";
import { lockCellFor, removeAttendance, SUBMITTED, writeReport } from "./report.ts";
import { isReported, planChange, type Meeting } from "./planned-change.ts";
import { meetingSettings } from "./settings.ts";
import { meetingTransitions } from "./statuses.ts";

/** PATCH /v1/cell-meetings/:id changes, reports or corrects a meeting. */
export async function updateMeeting(
  context: WriteContext<MeetingFields>,
  id: string,
  input: UpdateInput<MeetingFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  await lockCellFor(context, input.attributes, { ofMeeting: id });
  // Reports of one meeting wait for each other here, so that each person keeps one row. Attendances also refer to the cell,
  // and rows are locked in the order of the clauses.
  const [locked] = await db<{ cell_id: string; meeting: Meeting }[]>`
    select m.cell_id, jsonb_build_object('date', m.date, 'starts-at', m.starts_at, 'ends-at', m.ends_at, 'status', m.status,
      'not-held-reason', m.not_held_reason, 'visitors-count', m.visitors_count, 'offering-amount', m.offering_amount,
      'offering-currency', m.offering_currency) as meeting
    from cell_meetings m join cells cell on cell.account_id = m.account_id and cell.id = m.cell_id
    where m.account_id = ${actor.accountId} and m.id = ${id} for key share of cell for no key update of m`;
  if (!locked) throw notFound();
  const { cell_id: cellId, meeting: current } = locked;
  const settings = await meetingSettings(db, actor.accountId);
  const rights = await rightsAt(context, cellId);
  const problems: Problem[] = [];
  const { attributes, isReport, status } = planChange(
    current,
    input.attributes,
    settings,
    problems,
  );
  if (isReport && !rights.report) throw mayNotReport();
  if (!isReport && !rights.write) throw forbidden("This person may only report this meeting.");
  if (problems.length > 0) throw new ApiError(problems);
  checkTransition(meetingTransitions, current.status, status);
  if (Object.keys(input.attributes).length > 0) assertNotClosed(rights, current.date, settings);

  const { date = current.date } = attributes;
  if (date !== current.date) await assertNotTaken(context, cellId, date);
  const change = { ...input, attributes };
  if (!isReport)
    return updateRow(context, resource, id, change, {}, { event: "cell-meeting.updated" });
  // A report that changes only attendances makes a new version of the meeting, too.
  const first = isReported(current.status) ? {} : SUBMITTED;
  await updateRow(context, resource, id, change, first, { touch: true });
  const meeting = { id, cellId, date };
  if (current.status === "held" && status === "not-held") await removeAttendance(context, meeting);
  await writeReport(context, meeting, input.attributes);
  return { id };
}
