import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, {
  events: [
    "cell.closed",
    "cell.reopened",
    "cell-membership.ended",
    "cell-membership.created",
    "cell-join-request.decided",
  ],
});

const to = (id: string) => ({ data: { type: "cells", id } });
const close = (cell: string, movedTo?: string, as?: string): Promise<Answer> =>
  service.post(
    "/v1/cell-closings",
    document(
      "cell-closings",
      { "closing-reason": "The house was sold" },
      { relationships: { "cell": to(cell), ...(movedTo && { "moved-to": to(movedTo) }) } },
    ),
    as ? { as } : {},
  );
const reopen = (cell: string) =>
  service.post(
    "/v1/cell-reopenings",
    document("cell-reopenings", {}, { relationships: { cell: to(cell) } }),
  );
const attributesOf = async (id: string) => one(await service.get(`/v1/cells/${id}`)).attributes;
const membershipsOf = async (cell: string) => {
  const query = `filter[cell]=${cell}&sort=created-at&include=person`;
  return many(await service.get(`/v1/cell-memberships?${query}`)).map((one) => ({
    person: linkedId(one, "person"),
    role: one.attributes["cell-role"],
    status: one.attributes["status"],
    reason: one.attributes["left-reason"],
  }));
};

test("201 · a closing ends memberships, cancels upcoming meetings and declines pending requests", async () => {
  const cell = await makeCell(db, account.id);
  const member = await makeMember(db, account.id, cell);
  const upcoming = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await dayFromToday(db, account.id, 3),
  });
  const past = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await dayFromToday(db, account.id, -3),
  });
  const planned = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await dayFromToday(db, account.id, 4),
    is_automatic: true,
  });
  const asking = await makePerson(db, account.id);
  const request = await makeRow(db, "cell_join_requests", account.id, {
    cell_id: cell,
    person_id: asking.id,
  });
  const told = await eventsOf(async () => {
    const answer = await close(cell);
    assert.equal(answer.status, 201, answer.text);
    assert.equal((await service.get(answer.headers.get("location") ?? "")).status, 200);
  });
  assert.deepEqual(told, [
    "cell-membership.ended",
    "cell-meeting.deleted",
    "cell-join-request.decided",
    "cell.closed",
  ]);
  const batches = await db<{ batches: number }[]>`
    select count(distinct batch_id)::int as batches from webhook_events
    where account_id = ${account.id} and event_type not like 'cell-meeting.%'`;
  assert.equal(batches[0]?.batches, 1);
  assert.partialDeepStrictEqual(await attributesOf(cell), {
    "status": "closed",
    "closing-reason": "The house was sold",
    "members-count": 0,
  });
  assert.deepEqual(await membershipsOf(cell), [
    { person: member.id, role: "participant", status: "left", reason: "cell-closed" },
  ]);
  const meetings = await db<{ id: string; status: string }[]>`
    select id, status from cell_meetings where cell_id = ${cell}`;
  const statusOf = (id: string) => meetings.find((one) => one.id === id)?.status;
  assert.deepEqual(
    [statusOf(upcoming), statusOf(past), statusOf(planned)],
    ["cancelled", "scheduled", undefined],
  );
  const decided = one(await service.get(`/v1/cell-join-requests/${request}`));
  assert.equal(decided.attributes["status"], "declined");
  assert.ok(decided.attributes["decided-at"]);
});

test("201 · with moved-to the members move, leaders as participants, and each person once", async () => {
  const [cell, target, third] = await Promise.all([1, 2, 3].map(() => makeCell(db, account.id)));
  assert.ok(cell && target && third);
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const host = await makeMember(db, account.id, cell, { cell_role: "host" });
  const known = await makeMember(db, account.id, cell, { cell_role: "visitor" });
  await join(db, account.id, target, known.id, { cell_role: "participant" });
  const elsewhere = await makeMember(db, account.id, third);
  await join(db, account.id, cell, elsewhere.id, { cell_role: "co-leader" });
  const told = await eventsOf(async () => {
    const answer = await close(cell, target);
    assert.equal(answer.status, 201, answer.text);
  });
  const count = (type: string) => told.filter((one) => one === type).length;
  assert.deepEqual(
    [count("cell-membership.ended"), count("cell-membership.created"), count("cell.closed")],
    [4, 2, 1],
  );
  const moved = (await membershipsOf(target)).map(({ person, role }) => [person, role]);
  assert.deepEqual(Object.fromEntries(moved), {
    [leader.id]: "participant",
    [host.id]: "host",
    [known.id]: "participant",
  });
  const reasons = new Set((await membershipsOf(cell)).map(({ reason }) => reason));
  assert.deepEqual([...reasons], ["moved-cell"]);
});

test("409 · 422 · a closing that cannot be is rejected, and nothing of it happens", async () => {
  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const child = await makeCell(db, account.id, { parent_id: sector });
  const member = await makeMember(db, account.id, child);
  const parent = await close(sector);
  assert.deepEqual([parent.status, codes(parent)], [409, ["cell-has-children"]]);
  const moved = ["/data/relationships/moved-to/data"];
  const same = await close(child, child);
  assert.deepEqual([same.status, pointers(same)], [422, moved]);
  const closed = await makeCell(db, account.id, { closed_at: "2026-01-01T00:00:00Z" });
  const gone = await close(child, closed);
  assert.deepEqual([gone.status, pointers(gone)], [422, moved]);
  assert.equal((await membershipsOf(child))[0]?.person, member.id);
  assert.equal((await attributesOf(child))["status"], "active");
  assert.equal((await close(child)).status, 201);
  const again = await close(child);
  assert.deepEqual([again.status, codes(again)], [409, ["cell-closed"]]);
  assert.equal((await close(sector)).status, 201);
});

test("409 · parallel closings close once, also those that move members to each other", async () => {
  const [one, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  await makeMember(db, account.id, one);
  await makeMember(db, account.id, other);
  const answers = await Promise.all([close(one, other), close(other, one), close(one, other)]);
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1, String(statuses));
  for (const status of statuses) assert.ok([201, 409, 422].includes(status), String(statuses));
});

test("403 · a supervisor closes cells of the tree, with members moving inside it", async () => {
  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const [cell, sibling] = [
    await makeCell(db, account.id, { parent_id: sector }),
    await makeCell(db, account.id, { parent_id: sector }),
  ];
  const elsewhere = await makeCell(db, account.id);
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
  assert.equal((await close(cell, undefined, leader.token)).status, 403);
  assert.equal((await close(elsewhere, undefined, supervisor.token)).status, 403);
  const outside = await close(cell, elsewhere, supervisor.token);
  assert.deepEqual(
    [outside.status, pointers(outside)],
    [403, ["/data/relationships/moved-to/data"]],
  );
  const closed = await close(cell, sibling, supervisor.token);
  assert.equal(closed.status, 201, closed.text);
});

test("201 · a reopened cell has its computed status and no members; 409 · an open one is not reopened", async () => {
  const cell = await makeCell(db, account.id, { weekday: 3, frequency: "weekly" });
  await makeMember(db, account.id, cell);
  const early = await reopen(cell);
  assert.deepEqual([early.status, codes(early)], [409, ["invalid-transition"]]);
  await close(cell);
  const told = await eventsOf(async () => {
    const answer = await reopen(cell);
    assert.equal(answer.status, 201, answer.text);
  });
  assert.ok(told.includes("cell.reopened"));
  assert.partialDeepStrictEqual(await attributesOf(cell), {
    "status": "active",
    "closed-at": null,
    "closing-reason": null,
    "members-count": 0,
  });
});
