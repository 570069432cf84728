import { operator } from "../../../access/operator.ts";
import { newId } from "../../../base/ids.ts";
import { capture, capturesEvents, type NewEvent } from "../../../events/capture.ts";
import { ID, layoutOf } from "../../../jsonapi/definition/layout.ts";
import { writeResource } from "../../../jsonapi/response/document.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { type Db, inTransaction, type Tx } from "../../../store/db.ts";
import { json } from "../../../store/sql.ts";
import { addDays } from "../../../base/dates.ts";
import { meetingDates, type Schedule } from "./dates.ts";
import { cellMeetings } from "./definition.ts";

/** The number of days for which meetings are planned. The first one is today. */
const DAYS_AHEAD = 28;

/** The number of cells whose meetings one transaction plans. */
const CELLS_AT_ONCE = 500;

/** A cell with a schedule, and the values that its planned meetings take. */
interface ScheduledCell extends Schedule {
  cellId: string;
  startsAt: number | null;
  endsAt: number | null;
  isOnline: boolean;
}

/**
 * Makes the upcoming meetings of these cells agree with their schedules. Every operation that writes a schedule, a recess
 * or the closing of a cell calls it, and a job calls it once a day.
 *
 * It deletes only planned meetings that the service created. Meetings that people planned stay. Returns the number of
 * meetings that it added or deleted.
 */
export async function planMeetings(
  tx: Tx,
  accountId: string,
  cellIds: readonly string[],
): Promise<number> {
  const cells = await tx<(ScheduledCell & { today: string })[]>`
    select id as "cellId", weekday, frequency, starts_at as "startsAt", ends_at as "endsAt", is_online as "isOnline",
      (opened_at at time zone time_zone_of(account_id))::date::text as "openedOn", recess_from::text as "recessFrom",
      recess_to::text as "recessTo", today_in(account_id)::text as today
    from cells
    where account_id = ${accountId} and id = any(${[...cellIds]}::uuid[]) and cell_type = 'cell'
      and weekday is not null and frequency <> 'irregular' and closed_at is null`;
  const wanted = cells.flatMap(({ today, ...cell }) =>
    meetingDates(cell, today, addDays(today, DAYS_AHEAD - 1)).map((date) => ({
      id: newId(),
      date,
      cell_id: cell.cellId,
      starts_at: cell.startsAt,
      ends_at: cell.endsAt,
      is_online: cell.isOnline,
    })),
  );
  const deleted = await tx<{ id: string }[]>`
    delete from cell_meetings meeting
    where account_id = ${accountId} and cell_id = any(${[...cellIds]}::uuid[]) and status = 'scheduled'
      and is_automatic and date >= today_in(${accountId}) and not exists (
        select from json_populate_recordset(null::cell_meetings, ${json(wanted)}::json) wanted
        where wanted.cell_id = meeting.cell_id and wanted.date = meeting.date
          and (wanted.starts_at, wanted.ends_at, wanted.is_online)
            is not distinct from (meeting.starts_at, meeting.ends_at, meeting.is_online))
    returning id`;
  const created = await tx<{ id: string }[]>`
    insert into cell_meetings (account_id, id, cell_id, date, starts_at, ends_at, is_online, is_automatic)
    select ${accountId}, id, cell_id, date, starts_at, ends_at, is_online, true
    from json_populate_recordset(null::cell_meetings, ${json(wanted)}::json)
    on conflict on constraint cell_meetings_date_key do nothing
    returning id`;
  await capturePlans(tx, accountId, { created: idsOf(created), deleted: idsOf(deleted) });
  return created.length + deleted.length;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

/** The service is the author of these events, also when a change by a person caused them. */
async function capturePlans(
  tx: Tx,
  accountId: string,
  { created, deleted }: { created: readonly string[]; deleted: readonly string[] },
): Promise<void> {
  if (created.length + deleted.length === 0 || !(await capturesEvents(tx, accountId))) return;
  const actor = operator(accountId);
  const batchId = newId();
  const { type } = cellMeetings;
  const captureEvent = (event: NewEvent["type"], id: string, snapshot: () => string) =>
    capture(tx, actor, { type: event, subject: { type, id }, batchId, snapshot });
  for (const id of deleted)
    await captureEvent("cell-meeting.deleted", id, () => JSON.stringify({ type, id }));

  const statement = new StatementBuilder(accountId);
  const rows = await statement.rows(
    tx,
    `select ${layoutOf(cellMeetings).columns} from cell_meetings` +
      ` where account_id = ${statement.account} and id = any(${statement.bind(created)}::uuid[]) order by id`,
  );
  const reader = { actor, publicUrl: "", customFields: undefined, audience: "everyone" } as const;
  for (const row of rows)
    await captureEvent("cell-meeting.created", row[ID] as string, () =>
      writeResource(cellMeetings, row, reader),
    );
}

/** The daily job. Each transaction plans some cells of one account. */
export async function planAllMeetings(db: Db): Promise<number> {
  const accounts = await db<{ id: string; cells: string[] }[]>`
    select account_id as id, array_agg(id order by id) as cells from cells
    where account_id in (select account_id from account_facts where status = 'active') and cell_type = 'cell'
      and weekday is not null and frequency <> 'irregular' and closed_at is null
    group by account_id`;
  let changed = 0;
  for (const { cells, id } of accounts)
    for (let from = 0; from < cells.length; from += CELLS_AT_ONCE) {
      const some = cells.slice(from, from + CELLS_AT_ONCE);
      changed += await inTransaction(db, id, (tx) => planMeetings(tx, id, some));
    }
  return changed;
}
