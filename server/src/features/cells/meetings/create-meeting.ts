import { ApiError, fail, type Problem } from "../../../base/errors.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { captureRows, insertRow } from "../../../jsonapi/sql/write.ts";
import type { Tx } from "../../../store/db.ts";
import { mayNotReport, assertNotClosed, assertNotTaken, rightsAt } from "./reporting-rights.ts";
import type { MeetingFields, MeetingValues } from "./fields.ts";
import { lockCellFor, SUBMITTED, writeReport } from "./report.ts";
import { planChange } from "./planned-change.ts";
import { meetingSettings } from "./settings.ts";

/** POST /v1/cell-meetings plans a meeting, or creates and reports it. */
export async function createMeeting(
  context: WriteContext<MeetingFields>,
  input: CreateInput<MeetingFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { cell: cellId } = input.toOne;
  const { date } = input.attributes;
  const settings = await meetingSettings(db, actor.accountId);
  await lockCellFor(context, input.attributes, { id: cellId });
  const cell = await cellOf(db, actor.accountId, cellId);
  const rights = await rightsAt(context, cellId);
  const problems: Problem[] = [];
  const sent = withDefaults(input.attributes, cell);
  const { attributes, isReport, status } = planChange(undefined, sent, settings, problems);
  if (isReport && !rights.report) throw mayNotReport();
  if (problems.length > 0) throw new ApiError(problems);
  assertNotClosed(rights, date, settings);
  await assertNotTaken(context, cellId, date);
  if (cell?.closed_on && date > cell.closed_on)
    throw fail("cell-closed", `The cell was closed on ${cell.closed_on}.`, {
      pointer: "/data/attributes/date",
    });

  const reported = status === "held" || status === "not-held";
  const { id } = await insertRow(
    context,
    resource,
    { ...input, attributes },
    reported ? SUBMITTED : {},
  );
  if (isReport) await writeReport(context, { id, cellId, date }, input.attributes);
  else await captureRows(context, "cell-meetings", "cell-meeting.created", [id]);
  return { id };
}

interface Cell {
  starts_at: number | null;
  ends_at: number | null;
  is_online: boolean;
  closed_on: string | null;
}

async function cellOf(tx: Tx, accountId: string, cellId: string): Promise<Cell | undefined> {
  const [cell] = await tx<Cell[]>`
    select starts_at, ends_at, is_online, (closed_at at time zone time_zone_of(account_id))::date::text as closed_on
    from cells where account_id = ${accountId} and id = ${cellId}`;
  return cell;
}

/** Times that the document omits are those of the cell. The end of the cell is not used if it is not later than the start. */
function withDefaults(sent: MeetingValues, cell: Cell | undefined): MeetingValues {
  if (!cell) return sent;
  const { "is-online": isOnline = cell.is_online, "starts-at": startsAt = cell.starts_at } = sent;
  const fits = startsAt === null || cell.ends_at === null || cell.ends_at > startsAt;
  const { "ends-at": endsAt = fits ? cell.ends_at : null } = sent;
  return { ...sent, "is-online": isOnline, "starts-at": startsAt, "ends-at": endsAt };
}
