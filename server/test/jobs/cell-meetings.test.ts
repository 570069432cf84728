import assert from "node:assert/strict";
import { after, test } from "node:test";
import { planAllMeetings, planMeetings } from "../../src/features/cells/meetings/plan-meetings.ts";
import { inTransaction } from "../../src/store/db.ts";
import { dayFromToday, makeCell } from "../support/cells.ts";
import { freshDatabase } from "../support/database.ts";
import { makeAccount, makeEndpoint, makeRow } from "../support/make.ts";

const database = await freshDatabase("the job plans the meetings of every account");
after(() => database.close());
const { db } = database;
const account = await makeAccount(db);
await makeEndpoint(db, account.id, { events: ["cell-meeting.created"] });

const day = (days: number) => dayFromToday(db, account.id, days);
const weekdayOf = (date: string) => new Date(`${date}T00:00Z`).getUTCDay();

/** A cell that has met weekly for ten weeks, on the weekday of the date so many days from today. */
const weekly = async (
  days: number,
  columns: Record<string, string | number | boolean | null> = {},
) =>
  makeCell(db, account.id, {
    weekday: weekdayOf(await day(days)),
    opened_at: `${await day(-70)}T12:00:00Z`,
    starts_at: 1_200,
    ends_at: 1_290,
    ...columns,
  });

const plan = (...cellIds: string[]) =>
  inTransaction(db, account.id, (tx) => planMeetings(tx, account.id, cellIds));

const datesOf = async (cellId: string) => {
  const rows = await db<{ date: string }[]>`
    select date::text from cell_meetings
    where account_id = ${account.id} and cell_id = ${cellId} order by date`;
  return rows.map(({ date }) => date);
};

test("the meetings of the next 28 days are created with the times of the cell", async () => {
  const cell = await weekly(2, { is_online: true });
  assert.equal(await plan(cell), 4);
  assert.deepEqual(await datesOf(cell), await Promise.all([2, 9, 16, 23].map(day)));
  const [meeting] = await db`
    select status, starts_at, ends_at, is_online, is_automatic from cell_meetings
    where account_id = ${account.id} and cell_id = ${cell}`;
  assert.deepEqual(
    { ...meeting },
    { status: "scheduled", starts_at: 1_200, ends_at: 1_290, is_online: true, is_automatic: true },
  );
});

test("a second run changes nothing, and a meeting that a person planned stays", async () => {
  const cell = await weekly(3);
  const own = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await day(10),
  });
  await plan(cell);
  assert.equal(await plan(cell), 0);
  assert.equal((await datesOf(cell)).length, 4);
  const [kept] = await db`
    select is_automatic from cell_meetings where account_id = ${account.id} and id = ${own}`;
  assert.equal(kept?.["is_automatic"], false);
});

test("another schedule moves upcoming meetings, and not those that are reported or past", async () => {
  const cell = await weekly(1);
  await plan(cell);
  const [first, second] = await datesOf(cell);
  await db`
    update cell_meetings set status = 'held', submitted_at = now()
    where account_id = ${account.id} and cell_id = ${cell} and date = ${first ?? ""}`;
  const past = await day(-6);
  await makeRow(db, "cell_meetings", account.id, { cell_id: cell, date: past, is_automatic: true });
  await db`
    update cells set weekday = ${weekdayOf(await day(5))} where account_id = ${account.id} and id = ${cell}`;
  await plan(cell);
  const dates = await datesOf(cell);
  assert.deepEqual(dates, [past, first, ...(await Promise.all([5, 12, 19, 26].map(day)))]);
  assert.ok(!dates.includes(second ?? ""));
});

test("other times are those of new meetings, and an unchanged meeting keeps its id", async () => {
  const cell = await weekly(4);
  await plan(cell);
  const idsOf = () => db<{ id: string; starts: number }[]>`
    select id, starts_at as starts from cell_meetings
    where account_id = ${account.id} and cell_id = ${cell} order by date`;
  const before = await idsOf();
  await plan(cell);
  assert.deepEqual([...(await idsOf())], [...before]);
  await db`update cells set starts_at = 1100 where account_id = ${account.id} and id = ${cell}`;
  assert.equal(await plan(cell), 8);
  assert.deepEqual(
    (await idsOf()).map(({ starts }) => starts),
    [1_100, 1_100, 1_100, 1_100],
  );
});

test("a recess, a closing, an irregular frequency and a supervision have no planned meetings", async () => {
  for (const columns of [
    { recess_from: await day(0), recess_to: await day(40) },
    { closed_at: `${await day(-1)}T00:00:00Z` },
    { frequency: "irregular" },
    { weekday: null },
    { cell_type: "supervision", level: 1 },
    { opened_at: `${await day(60)}T00:00:00Z` },
  ]) {
    const cell = await weekly(2, columns);
    await makeRow(db, "cell_meetings", account.id, {
      cell_id: cell,
      date: await day(2),
      is_automatic: true,
    });
    await plan(cell);
    assert.deepEqual(await datesOf(cell), [], JSON.stringify(columns));
  }
});

test("events have the cause system, no actor and one batch", async () => {
  const cell = await weekly(2);
  await plan(cell);
  await db`update cells set starts_at = 600 where account_id = ${account.id} and id = ${cell}`;
  await plan(cell);
  const events = await db<
    { type: string; cause: string; actor: string | null; batch: string; snapshot: string }[]
  >`
    select event_type as type, cause, actor_id as actor, batch_id as batch, snapshot from webhook_events
    where account_id = ${account.id} and (snapshot::json -> 'relationships' -> 'cell' -> 'data' ->> 'id' = ${cell}
      or event_type = 'cell-meeting.deleted') order by id desc limit 12`;
  const batches = Map.groupBy(events, ({ batch }) => batch);
  assert.deepEqual(
    [...batches.values()].map((all) => all.map(({ type }) => type).sort()),
    [
      [
        ...Array.from({ length: 4 }, () => "cell-meeting.created"),
        ...Array.from({ length: 4 }, () => "cell-meeting.deleted"),
      ],
      Array.from({ length: 4 }, () => "cell-meeting.created"),
    ],
  );
  assert.ok(events.every(({ actor, cause }) => cause === "system" && actor === null));
});

test("the daily job plans the cells of all active accounts", async () => {
  const other = await makeAccount(db);
  const inactive = await makeAccount(db);
  await db`update accounts set status = 'inactive' where id = ${inactive.id}`;
  const columns = { weekday: 3, opened_at: "2026-01-01T00:00:00Z" };
  const [planned, skipped] = [
    await makeCell(db, other.id, columns),
    await makeCell(db, inactive.id, columns),
  ];
  await planAllMeetings(db);
  const countOf = async (cell: string) => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from cell_meetings where account_id is not null and cell_id = ${cell}`;
    return row?.count;
  };
  assert.deepEqual([await countOf(planned), await countOf(skipped)], [4, 0]);
  assert.equal(await planAllMeetings(db), 0);
});

test("two operations that plan the same cell at once create each meeting once", async () => {
  const cell = await weekly(2);
  await Promise.all(Array.from({ length: 4 }, () => plan(cell)));
  assert.equal((await datesOf(cell)).length, 4);
});
