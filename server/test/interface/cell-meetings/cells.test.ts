import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, makeCell } from "../../support/cells.ts";
import { makeRow } from "../../support/make.ts";
import { document, ids, many, one, startService } from "../../support/service.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

/** The effects of meetings on their cells, and of changes of cells on the planned meetings. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const day = (days: number) => dayFromToday(db, account.id, days);
const weekdayOf = (date: string) => new Date(`${date}T00:00Z`).getUTCDay();

const planned = async (cell: string) => {
  const path = `/v1/cell-meetings?filter[cell]=${cell}&filter[status]=scheduled&sort=date`;
  return many(await service.get(path)).map(({ attributes }) => attributes["date"]);
};
const changeCell = (id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/cells/${id}`, document("cells", attributes, { id }));
const inCell = (id: string) => ({ relationships: { cell: { data: { type: "cells", id } } } });

test("cells · report-overdue, last-meeting-on and members-count follow the reports", async () => {
  const [overdue, reported] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const date = await day(-3);
  for (const cell_id of [overdue, reported])
    await makeRow(db, "cell_meetings", account.id, { cell_id, date });
  const cellsWith = async (value: boolean) =>
    ids(await service.get(`/v1/cells?filter[report-overdue]=${value}`)).filter((id) =>
      [overdue, reported].includes(id),
    );
  assert.deepEqual((await cellsWith(true)).sort(), [overdue, reported].sort());

  const [meeting = ""] = ids(await service.get(`/v1/cell-meetings?filter[cell]=${reported}`));
  const report = { visitors: [{ "full-name": "Rui Melo" }] };
  const answer = await service.patch(
    `/v1/cell-meetings/${meeting}`,
    document("cell-meetings", report, { id: meeting }),
  );
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await cellsWith(true), [overdue]);
  assert.deepEqual(await cellsWith(false), [reported]);
  const read = async (id: string) => one(await service.get(`/v1/cells/${id}`)).attributes;
  assert.partialDeepStrictEqual(await read(reported), {
    "last-meeting-on": date,
    "members-count": 0,
  });
  assert.equal((await read(overdue))["last-meeting-on"], null);
});

test("cells · the service plans meetings when a cell is created, changed, closed and reopened", async () => {
  const weekday = weekdayOf(await day(2));
  const created = await service.post(
    "/v1/cells",
    document("cells", { name: "Planned", weekday, "starts-at": 1200, "ends-at": 1290 }),
  );
  assert.equal(created.status, 201, created.text);
  const { id } = one(created);
  const inDays = (...days: number[]) => Promise.all(days.map(day));
  assert.deepEqual(await planned(id), await inDays(2, 9, 16, 23));

  assert.equal((await changeCell(id, { weekday: weekdayOf(await day(4)) })).status, 200);
  assert.deepEqual(await planned(id), await inDays(4, 11, 18, 25));

  const recess = { "recess-from": await day(10), "recess-to": await day(18) };
  assert.equal((await changeCell(id, recess)).status, 200);
  assert.deepEqual(await planned(id), await inDays(4, 25));

  assert.equal((await changeCell(id, { frequency: "fortnightly" })).status, 200);
  assert.deepEqual(await planned(id), await inDays(4));

  assert.equal((await changeCell(id, { "name": "Renamed", "starts-at": 1100 })).status, 200);
  assert.deepEqual(await planned(id), await inDays(4));

  const closing = await service.post(
    "/v1/cell-closings",
    document("cell-closings", {}, inCell(id)),
  );
  assert.equal(closing.status, 201, closing.text);
  assert.deepEqual(await planned(id), []);

  const reopening = await service.post(
    "/v1/cell-reopenings",
    document("cell-reopenings", {}, inCell(id)),
  );
  assert.equal(reopening.status, 201, reopening.text);
  assert.deepEqual(await planned(id), await inDays(4));
});

test("memberships · a late report adds visitors as people who have left the closed cell", async () => {
  const cell = await makeCell(db, account.id);
  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await day(-3),
  });
  const closing = () =>
    service.post("/v1/cell-closings", document("cell-closings", {}, inCell(cell)));
  assert.equal((await closing()).status, 201);
  const report = (name: string) => ({ visitors: [{ "full-name": name }] });
  const changed = await service.patch(
    `/v1/cell-meetings/${meeting}`,
    document("cell-meetings", report("Rui Melo"), { id: meeting }),
  );
  assert.equal(changed.status, 200, changed.text);
  const date = await day(-4);
  const created = await service.post(
    "/v1/cell-meetings",
    document("cell-meetings", { ...report("Eva Dias"), date }, inCell(cell)),
  );
  assert.equal(created.status, 201, created.text);
  const memberships = many(await service.get(`/v1/cell-memberships?filter[cell]=${cell}`));
  assert.equal(memberships.length, 2);
  for (const { attributes } of memberships)
    assert.partialDeepStrictEqual(attributes, {
      "cell-role": "visitor",
      "status": "left",
      "left-on": await day(0),
      "left-reason": "cell-closed",
    });
});

test("memberships · a report and the closing of its cell at the same time leave no active visitor", async () => {
  const cell = await makeCell(db, account.id);
  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await day(-3),
  });
  const close = () =>
    service.post("/v1/cell-closings", document("cell-closings", {}, inCell(cell)));
  let closing: ReturnType<typeof close> | undefined;
  const reported = await meanwhile(
    db,
    // The report waits here after it has added the visitor to the cell.
    (tx) => tx`lock table cell_attendances in exclusive mode`,
    () =>
      service.patch(
        `/v1/cell-meetings/${meeting}`,
        document("cell-meetings", { visitors: [{ "full-name": "Rui Melo" }] }, { id: meeting }),
      ),
    async () => {
      closing = close();
      await Promise.race([closing, untilWaiting(db, 2)]);
    },
  );
  assert.deepEqual([reported.status, (await closing)?.status], [200, 201]);
  const active = ids(
    await service.get(`/v1/cell-memberships?filter[cell]=${cell}&filter[status]=active`),
  );
  assert.deepEqual(active, []);
});
