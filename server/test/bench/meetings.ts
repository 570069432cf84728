import type { Db } from "../../src/store/db.ts";
import { makeToken, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import type { ServerChild } from "./child.ts";
import { median } from "./routes.ts";

const ORIGIN = "http://localhost";
const REPEATS = 40;
const WEEKS = 52;
/** The members of ten that have a row at a meeting. The account then has about two million rows. */
const ATTENDED_OF_TEN = 8;
const REPORTED = 30;

/** A year of weekly meetings of every cell. Two members of ten have no row at a meeting. */
export async function addMeetings(db: Db, { id }: TestAccount): Promise<void> {
  await db.begin(id, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`
      update cell_memberships set joined_on = current_date - 400
      where account_id = ${id}`;
    await tx`
      insert into cell_meetings (account_id, id, cell_id, date, status, submitted_at, members_count, visitors_count)
      select ${id}::uuid, history_id(now()), cell.id, current_date - 7 * week, 'held', now(), 10, 0
      from cells cell, generate_series(1, ${WEEKS}::int) week
      where cell.account_id = ${id} and cell.cell_type = 'cell'`;
    // Without statistics, PostgreSQL would compare every meeting with every membership of the account.
    await tx`analyze cell_memberships, cell_meetings`;
    await tx`
      insert into cell_attendances (account_id, id, meeting_id, cell_id, person_id, date, status)
      select ${id}::uuid, history_id(now()), meeting.id, meeting.cell_id, member.person_id, meeting.date,
        case when abs(hashtext(member.person_id::text || meeting.date)) % 10 = 0 then 'excused' else 'present' end
      from cell_meetings meeting
      join cell_memberships member on member.account_id = ${id} and member.cell_id = meeting.cell_id
      where meeting.account_id = ${id}
        and abs(hashtext(meeting.date || member.person_id::text)) % 10 < ${ATTENDED_OF_TEN}`;
  });
}

export interface Network {
  account: TestAccount;
  root: string;
  supervisor: { id: string; token: string };
}

/** The attendances of a network, a report of 30 people, and the people who stay away. */
export async function timeMeetings(
  db: Db,
  service: ServerChild,
  { account, root, supervisor }: Network,
): Promise<Judged[]> {
  const [range] = await db<{ from: string; to: string }[]>`
    select (current_date - 90)::text as from, current_date::text as to`;
  // An area has 500 cells.
  const [area] = await db<{ id: string; from: string }[]>`
    select id, (current_date - 364)::text as from from cells
    where account_id = ${account.id} and level = 2 order by id limit 1`;
  const year = `filter[tree]=${area?.id}&filter[from]=${area?.from}&page[size]=100`;
  const quarter = `filter[from]=${range?.from}&filter[to]=${range?.to}`;
  const reading = (token: string, path: string) => () => request(service, token, "GET", path);
  const { token } = account.administrator;
  const tree = `/v1/cell-attendances?filter[tree]=${root}&${quarter}&include=person,cell`;
  return [
    await figure(
      "attendances of a network for a quarter, first page: ms",
      200,
      reading(token, tree),
    ),
    await figure(
      "the same for a supervisor of the tree: ms",
      200,
      reading(supervisor.token, `/v1/cell-attendances?${quarter}&include=person,cell`),
    ),
    await figure(
      "report summaries of a network for eight weeks: ms",
      400,
      reading(token, `/v1/cell-report-summaries?filter[tree]=${root}`),
    ),
    await figure(
      "meetings of a quarter for a supervisor of the tree, first page: ms",
      200,
      reading(supervisor.token, `/v1/cell-meetings?${quarter}&include=cell`),
    ),
    await figure(
      "report summaries of 500 cells for a year, first page: ms",
      300,
      reading(token, `/v1/cell-report-summaries?${year}`),
    ),
    await figure(
      "report summaries of 500 cells for a year, page 200: ms",
      300,
      reading(token, `/v1/cell-report-summaries?${year}&page[number]=200`),
    ),
    await figure(
      "report totals of 500 cells for a year: ms",
      300,
      reading(token, `/v1/cell-report-totals?${year}`),
    ),
    await figure(
      "report totals of 500 cells for a year by supervision, first page: ms",
      300,
      reading(token, `/v1/cell-report-totals?${year}&filter[group]=supervision`),
    ),
    await figure(
      "people who missed five meetings in a row, first page: ms",
      300,
      reading(token, "/v1/people?filter[absent-streak-min]=5&page[size]=25"),
      5,
    ),
    await figure("report of 30 people: ms", 60, await reporting(db, service, account)),
  ];
}

async function figure(
  what: string,
  below: number,
  run: () => Promise<number>,
  repeats: number = REPEATS,
): Promise<Judged> {
  const taken: number[] = [];
  for (let time = 0; time < repeats / 4; time += 1) await run();
  for (let repeat = 0; repeat < repeats; repeat += 1) taken.push(await run());
  return {
    what: `100,000 people, 2,000,000 attendances, ${what}`,
    value: median(taken),
    budget: { below },
  };
}

/** A leader reports the meetings of a cell with 30 members, one meeting after the other. */
async function reporting(db: Db, service: ServerChild, { id }: TestAccount) {
  const [cell] = await db<{ id: string; leader: string; people: string[] }[]>`
    select cell_id as id, (array_agg(person_id))[1] as leader, (array_agg(person_id))[1:${REPORTED}] as people
    from cell_memberships where account_id = ${id} and status = 'active' group by cell_id
    order by count(*) desc limit 1`;
  const others = await db<{ id: string }[]>`
    select id from people
    where account_id = ${id} and id <> all(${cell?.people ?? []}::uuid[]) order by id limit ${REPORTED - (cell?.people.length ?? 0)}`;
  await db`
    insert into cell_memberships (account_id, id, cell_id, person_id, cell_role, joined_on)
    select ${id}::uuid, history_id(now()), ${cell?.id ?? ""}::uuid, person, 'participant', current_date - 30
    from unnest(${others.map((one) => one.id)}::uuid[]) person`;
  await db`
    update cell_memberships set cell_role = 'leader'
    where account_id = ${id} and cell_id = ${cell?.id ?? ""} and person_id = ${cell?.leader ?? ""}`;
  const people = [...(cell?.people ?? []), ...others.map((one) => one.id)];
  const token = await makeToken(db, id, cell?.leader ?? "");
  const meetings = await db<{ id: string }[]>`
    insert into cell_meetings (account_id, id, cell_id, date)
    select ${id}::uuid, history_id(now()), ${cell?.id ?? ""}::uuid, current_date - day
    from generate_series(0, 13) day where day % 7 <> 0
    returning id`;
  let next = 0;
  return () => {
    const meeting = meetings[next++ % meetings.length]?.id ?? "";
    const attendance = people.map((person, n) => ({
      "person-id": person,
      "status": (n + next) % 7 === 0 ? "absent" : "present",
    }));
    const body = { data: { type: "cell-meetings", id: meeting, attributes: { attendance } } };
    return request(service, token, "PATCH", `/v1/cell-meetings/${meeting}`, body);
  };
}

async function request(
  { port }: ServerChild,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Origin: ORIGIN,
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/vnd.api+json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(text);
  return took;
}
