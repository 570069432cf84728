import { newId } from "../../../base/ids.ts";
import type { DemoAccount } from "../../../sample-data/demo-account.ts";
import { addDays } from "./dates.ts";
import { planMeetings } from "./plan.ts";

const WEEKS = 52;

const themes = ["Hope", "Psalm 23", "The good Samaritan", "Prayer", "Grace", "Ruth", "Forgiveness"];

interface DemoCell {
  id: string;
  weekday: number;
  startsAt: number | null;
  endsAt: number | null;
  members: string[];
  today: string;
}

/**
 * A year of weekly meetings for the cells with a schedule: most are reported on the next morning, some late, a few not at
 * all. The numbers of week, cell and person decide the attendance, so each demo account is the same.
 */
export async function addDemoMeetings(account: DemoAccount): Promise<void> {
  const { accountId, tx } = account;
  const cells = await tx<DemoCell[]>`
    select id, weekday, starts_at as "startsAt", ends_at as "endsAt", today_in(account_id)::text as today,
      array(select person_id::text from cell_memberships m where m.account_id = ${accountId} and m.cell_id = cells.id
        and m.status = 'active' and m.cell_role <> 'visitor' order by id) as members
    from cells
    where account_id = ${accountId} and cell_type = 'cell' and weekday is not null and closed_at is null
    order by id`;
  for (const [place, cell] of cells.entries()) await addYear(account, cell, place);
  await addVisitors(account);
  const ids = cells.map(({ id }) => id);
  await planMeetings(tx, accountId, ids);
}

/** One prospect came to the last meeting of each cell, as long as there are prospects without a cell. */
async function addVisitors({ accountId, tx }: DemoAccount): Promise<void> {
  const visits = await tx<{ meeting: string; cell: string; date: string; person: string }[]>`
    with last as (
      select distinct on (cell_id) id, cell_id, date from cell_meetings
      where account_id = ${accountId} and status = 'held' order by cell_id, date desc
    ), prospect as (
      select id from people where account_id = ${accountId} and membership_status = 'prospect'
        and id not in (select person_id from cell_memberships where account_id = ${accountId})
    )
    select last.id as meeting, last.cell_id as cell, last.date::text as date, prospect.id as person
    from (select *, row_number() over (order by cell_id) as place from last) last
    join (select *, row_number() over (order by id) as place from prospect) prospect using (place)`;
  for (const { cell, date, meeting, person } of visits) {
    await tx`
      insert into cell_memberships (account_id, id, cell_id, person_id, cell_role, joined_on)
      values (${accountId}, ${newId()}, ${cell}, ${person}, 'visitor', ${date})`;
    await tx`
      insert into cell_attendances (account_id, id, meeting_id, cell_id, person_id, date, status, is_visitor, first_time)
      values (${accountId}, ${newId()}, ${meeting}, ${cell}, ${person}, ${date}, 'present', true, true)`;
    await tx`
      update cell_meetings set visitors_count = 1 where account_id = ${accountId} and id = ${meeting}`;
  }
}

async function addYear(account: DemoAccount, cell: DemoCell, place: number): Promise<void> {
  const { endsAt, id, members, startsAt, today, weekday } = cell;
  const [leader = null] = members;
  const past = (new Date(`${today}T00:00Z`).getUTCDay() - weekday + 7) % 7 || 7;
  const meetings: Record<string, unknown>[] = [];
  const attendances: Record<string, unknown>[] = [];
  for (let week = 0; week < WEEKS; week += 1) {
    const date = addDays(today, -past - 7 * week);
    const meeting = { id: newId(), cell_id: id, date, starts_at: startsAt, ends_at: endsAt };
    const written = { is_online: week % 9 === 4, is_automatic: true };
    // The newest meetings of two cells are not reported yet.
    if (week < 2 && place % 4 === week + 1) {
      meetings.push({ ...meeting, ...written, status: "scheduled" });
      continue;
    }
    const isHeld = (week + place) % 13 !== 6;
    const came = isHeld
      ? members.filter((_, n) => n === 0 || (n * 7 + week * 3 + place) % 5 !== 0)
      : [];
    const reportedOn = addDays(date, week % 10 === 3 ? 4 : 1);
    meetings.push({
      ...meeting,
      ...written,
      status: isHeld ? "held" : "not-held",
      not_held_reason: isHeld ? null : "Holidays",
      theme: isHeld ? themes[(week + place) % themes.length] : null,
      members_count: members.length,
      visitors_count: isHeld ? 0 : null,
      children_count: isHeld ? (place % 3) + (week % 2) : null,
      submitted_at: `${reportedOn}T00:30:00Z`,
      submitted_by: leader,
    });
    for (const person of came)
      attendances.push({
        id: newId(),
        meeting_id: meeting.id,
        cell_id: id,
        date,
        person_id: person,
        status: "present",
      });
  }
  await account.insert("cell_meetings", meetings);
  await account.insert("cell_attendances", attendances);
}
