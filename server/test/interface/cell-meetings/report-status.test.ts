import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell } from "../../support/cells.ts";
import { makeRow } from "../../support/make.ts";
import { document, ids, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const cell = await makeCell(db, account.id);

const settings = (members: Record<string, unknown>) =>
  service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { settings: members }, { id: account.id }),
  );

/** Local times of the account, which the database converts. Minutes are counted from the present. */
async function meetingThatEnded(minutesAgo: number, columns: Record<string, string | null> = {}) {
  await db`delete from cell_meetings where account_id = ${account.id}`;
  const [end] = await db<{ date: string; minute: number }[]>`
    select local::date::text as date, (extract(hour from local) * 60 + extract(minute from local))::int as minute
    from (select now() at time zone time_zone_of(${account.id}) - ${minutesAgo}::int * interval '1 minute' as local) ended`;
  return makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: end?.date ?? "",
    ends_at: end?.minute ?? 0,
    ...columns,
  });
}

const statusOf = async (id: string) =>
  one(await service.get(`/v1/cell-meetings/${id}`)).attributes["report-status"];

for (const zone of ["UTC", "America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
  test(`${zone} · a report is due after the end of the meeting, and overdue after a day`, async () => {
    assert.equal((await settings({ "time-zone": zone, "report-due-hours": null })).status, 200);
    for (const [minutesAgo, status] of [
      [-30, "not-due"],
      [5, "due"],
      [24 * 60 - 5, "due"],
      [24 * 60 + 5, "overdue"],
    ] as const) {
      const id = await meetingThatEnded(minutesAgo);
      assert.equal(await statusOf(id), status, `${minutesAgo}`);
      for (const wanted of ["not-due", "due", "overdue", "submitted", "late"]) {
        const found = await service.get(`/v1/cell-meetings?filter[report-status]=${wanted}`);
        assert.deepEqual(ids(found), wanted === status ? [id] : [], wanted);
      }
    }
  });

test("the setting report-due-hours moves the limit, and a report after it is late", async () => {
  await settings({ "time-zone": "UTC", "report-due-hours": 0 });
  assert.equal(await statusOf(await meetingThatEnded(5)), "overdue");
  const reported = (submitted: string) =>
    meetingThatEnded(60, { status: "held", submitted_at: submitted });
  const [time] = await db<{ early: string; late: string }[]>`
    select (now() - interval '90 minutes')::text as early, now()::text as late`;
  assert.equal(await statusOf(await reported(time?.early ?? "")), "submitted");
  const late = await reported(time?.late ?? "");
  assert.equal(await statusOf(late), "late");
  const found = await service.get("/v1/cell-meetings?filter[report-status]=late,overdue");
  assert.deepEqual(ids(found), [late]);
  const both = await service.get("/v1/cell-meetings?filter[report-status]=due,overdue");
  const each = await Promise.all(
    ["due", "overdue"].map(async (one) =>
      ids(await service.get(`/v1/cell-meetings?filter[report-status]=${one}`)),
    ),
  );
  assert.deepEqual(new Set(ids(both)), new Set(each.flat()));
  await settings({ "report-due-hours": null });
  assert.equal(await statusOf(late), "submitted");
});

test("a meeting without an end ends with its day, and a cancelled one has no report status", async () => {
  await settings({ "time-zone": "UTC", "report-due-hours": 0 });
  const today = await meetingThatEnded(0, { ends_at: null });
  assert.equal(await statusOf(today), "not-due");
  const [row] = await db<{ date: string }[]>`select (today_in(${account.id}) - 1)::text as date`;
  const yesterday = await meetingThatEnded(0, { ends_at: null, date: row?.date ?? "" });
  assert.equal(await statusOf(yesterday), "overdue");
  assert.equal(await statusOf(await meetingThatEnded(5, { status: "cancelled" })), null);
});
