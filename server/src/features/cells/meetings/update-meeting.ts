import { ApiError, forbidden, notFound, type Problem } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { mayNotReport, assertNotClosed, assertNotTaken, rightsAt } from "./reporting-rights.ts";
import type { MeetingFields } from "./fields.ts";
import { lockCellFor, SUBMITTED, writeReport } from "./report.ts";
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
  // Reports of one meeting wait for each other here, so that each person keeps one row.
  const [locked] = await db<{ cell_id: string; meeting: Meeting }[]>`
    select cell_id, jsonb_build_object('date', date, 'starts-at', starts_at, 'ends-at', ends_at, 'status', status,
      'not-held-reason', not_held_reason, 'visitors-count', visitors_count, 'offering-amount', offering_amount,
      'offering-currency', offering_currency) as meeting
    from cell_meetings where account_id = ${actor.accountId} and id = ${id} for no key update`;
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
  await writeReport(context, { id, cellId, date }, input.attributes);
  return { id };
}
