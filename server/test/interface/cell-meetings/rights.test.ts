import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson, makeRow, makeToken } from "../../support/make.ts";
import { codes, document, ids, many, one, pointers, startService } from "../../support/service.ts";
import { meanwhile } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

/** sector ▶ cell, sector ▶ sibling, and a cell elsewhere. */
const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const cell = await makeCell(db, account.id, { parent_id: sector });
const sibling = await makeCell(db, account.id, { parent_id: sector });
const elsewhere = await makeCell(db, account.id);

const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
const member = await makeMember(db, account.id, cell);
const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
const trainee = await makePerson(db, account.id);
await makeAssignment(db, account.id, {
  personId: trainee.id,
  role: "cell-trainee",
  scopeType: "cell",
  scopeIds: [cell],
});

let made = 0;
const meetingIn = async (cellId: string, columns: Record<string, string | null> = {}) => {
  made += 1;
  return makeRow(db, "cell_meetings", account.id, {
    cell_id: cellId,
    date: await dayFromToday(db, account.id, 100 + made),
    ...columns,
  });
};
const heldDaysAgo = async (cellId: string, days: number) => {
  const date = await dayFromToday(db, account.id, -days);
  await db`
    delete from cell_meetings
    where account_id = ${account.id} and cell_id = ${cellId} and date = ${date}`;
  const submitted_at = "2026-01-01T00:00:00Z";
  return meetingIn(cellId, { date, status: "held", submitted_at });
};
const scheduledToday = async (cellId: string) => {
  const date = await dayFromToday(db, account.id, 0);
  await db`
    delete from cell_meetings
    where account_id = ${account.id} and cell_id = ${cellId} and date = ${date}`;
  return meetingIn(cellId, { date });
};

const change = (id: string, as: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/cell-meetings/${id}`, document("cell-meetings", attributes, { id }), { as });
const plan = async (cellId: string, as: string, attributes: Record<string, unknown> = {}) => {
  made += 1;
  const date = await dayFromToday(db, account.id, 100 + made);
  const relationships = { cell: { data: { type: "cells", id: cellId } } };
  const body = document("cell-meetings", { date, ...attributes }, { relationships });
  return service.post("/v1/cell-meetings", body, { as });
};

test("200 · a member reads their own attendances and no others", async () => {
  const attendance = [member, leader].map(({ id }) => ({ "person-id": id, "status": "present" }));
  const meeting = await scheduledToday(cell);
  assert.equal((await change(meeting, leader.token, { attendance })).status, 200);
  const own = await service.get("/v1/cell-attendances", { as: member.token });
  assert.ok(many(own).length > 0);
  for (const row of many(own))
    assert.deepEqual(row.relationships["person"]?.data, { type: "people", id: member.id });
  const rows = await service.get(`/v1/cell-attendances?filter[meeting]=${meeting}`, {
    as: leader.token,
  });
  assert.equal(rows.document.meta?.["total"], 2);
  for (const { id } of many(own)) {
    const answer = await service.delete(`/v1/cell-attendances/${id}`, { as: member.token });
    assert.equal(answer.status, 403);
  }
});

test("403 · report-closed · a leader corrects a report for 14 days, a supervisor always", async () => {
  const late = await heldDaysAgo(cell, 15);
  for (const attributes of [{ theme: "X" }, { visitors: [] }, { status: "held" }]) {
    const answer = await change(late, leader.token, attributes);
    assert.deepEqual([answer.status, codes(answer)], [403, ["report-closed"]]);
  }
  assert.equal((await change(late, supervisor.token, { theme: "X" })).status, 200);
  assert.equal(
    (await change(await heldDaysAgo(cell, 14), leader.token, { theme: "X" })).status,
    200,
  );

  const date = await dayFromToday(db, account.id, -40);
  const old = await plan(cell, leader.token, { date, status: "held" });
  assert.deepEqual([old.status, codes(old)], [403, ["report-closed"]]);
  assert.equal((await plan(cell, supervisor.token, { date, status: "held" })).status, 201);
});

test("403 · report-closed · the setting report-edit-days moves the limit", async () => {
  const set = (days: number | null) =>
    service.patch(
      `/v1/accounts/${account.id}`,
      document("accounts", { settings: { "report-edit-days": days } }, { id: account.id }),
    );
  assert.equal((await set(0)).status, 200);
  const yesterday = await heldDaysAgo(cell, 1);
  assert.deepEqual(codes(await change(yesterday, leader.token, { theme: "X" })), ["report-closed"]);
  assert.equal((await set(60)).status, 200);
  assert.equal(
    (await change(await heldDaysAgo(cell, 60), leader.token, { theme: "X" })).status,
    200,
  );
  assert.equal((await set(null)).status, 200);
});

test("403 · a reported meeting is deleted by a supervisor, not by its leader", async () => {
  const meeting = await heldDaysAgo(cell, 1);
  const path = `/v1/cell-meetings/${meeting}`;
  const answer = await service.delete(path, { as: leader.token });
  assert.deepEqual([answer.status, codes(answer)], [403, ["forbidden"]]);
  assert.equal((await service.delete(path, { as: supervisor.token })).status, 204);
});

test("attendances · a leader deletes a row until the report is closed", async () => {
  const rowIn = async (meeting: string) => {
    const { date } = one(await service.get(`/v1/cell-meetings/${meeting}`)).attributes;
    return makeRow(db, "cell_attendances", account.id, {
      meeting_id: meeting,
      cell_id: cell,
      date: date as string,
      status: "present",
      person_id: member.id,
    });
  };
  const remove = async (days: number, as: string) =>
    service.delete(`/v1/cell-attendances/${await rowIn(await heldDaysAgo(cell, days))}`, { as });
  assert.equal((await remove(3, leader.token)).status, 204);
  assert.deepEqual(codes(await remove(15, leader.token)), ["report-closed"]);
  assert.equal((await remove(16, supervisor.token)).status, 204);
  assert.equal((await remove(4, trainee.token)).status, 403);
});

test("a leader names only people of the cell, and sees visitors in the reduced view", async () => {
  const stranger = await makeMember(db, account.id, elsewhere);
  const meeting = await scheduledToday(cell);
  const refused = await change(meeting, leader.token, {
    attendance: [{ "person-id": stranger.id, "status": "present" }],
  });
  assert.deepEqual(pointers(refused), ["/data/attributes/attendance/0/person-id"]);
  const answer = await service.patch(
    `/v1/cell-meetings/${meeting}?include=attendances.person`,
    document("cell-meetings", { visitors: [{ "full-name": "Rui Melo" }] }, { id: meeting }),
    { as: leader.token },
  );
  assert.equal(answer.status, 200, answer.text);
  const person = answer.document.included?.find(({ type }) => type === "people");
  assert.equal(person?.attributes["membership-status"], "prospect");
  assert.ok(person && !("medical-notes" in person.attributes));
});

test("a leader who is removed during a report writes all of it or nothing", async () => {
  const passing = await makeMember(db, account.id, sibling, { cell_role: "leader" });
  const token = await makeToken(db, account.id, passing.id);
  const meeting = await scheduledToday(sibling);
  const visitors = [{ "full-name": "Half Done" }];
  const answer = await meanwhile(
    db,
    (tx) => tx`
      select from cell_meetings where account_id = ${account.id} and id = ${meeting} for update`,
    () => change(meeting, token, { visitors }),
    (tx) => tx`
      update cell_memberships set status = 'left', left_on = current_date
      where account_id = ${account.id} and person_id = ${passing.id}`,
  );
  const rows = await service.get(`/v1/cell-attendances?filter[meeting]=${meeting}`);
  const { status } = one(await service.get(`/v1/cell-meetings/${meeting}`)).attributes;
  const outcome = { answer: answer.status, rows: ids(rows).length, status };
  assert.ok(
    [
      { answer: 200, rows: 1, status: "held" },
      { answer: 403, rows: 0, status: "scheduled" },
      { answer: 404, rows: 0, status: "scheduled" },
    ].some((one) => JSON.stringify(one) === JSON.stringify(outcome)),
    JSON.stringify(outcome),
  );
  const later = await change(meeting, token, { visitors });
  assert.equal(later.status, 403);
});
