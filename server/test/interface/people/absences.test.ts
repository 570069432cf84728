import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makeRow } from "../../support/make.ts";
import { ids, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const meet = async (cell: string, daysAgo: number, status = "held") =>
  makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await dayFromToday(db, account.id, -daysAgo),
    status,
    submitted_at: status === "held" ? "2026-01-01T00:00:00Z" : null,
  });

const attend = async (meeting: string, person: { id: string }, status: string) => {
  const [row] = await db<{ cell: string; date: string }[]>`
    select cell_id as cell, date::text from cell_meetings where account_id = ${account.id} and id = ${meeting}`;
  await makeRow(db, "cell_attendances", account.id, {
    meeting_id: meeting,
    cell_id: row?.cell ?? "",
    date: row?.date ?? "",
    person_id: person.id,
    status,
  });
};

const summaryOf = async ({ id }: { id: string }) =>
  one(await service.get(`/v1/people/${id}?fields[people]=attendance-summary`)).attributes[
    "attendance-summary"
  ];

const absentAtLeast = async (streak: number) =>
  new Set(ids(await service.get(`/v1/people?filter[absent-streak-min]=${streak}`)));

test("a member without a row at a held meeting was absent, like one with a row that says so", async () => {
  const cell = await makeCell(db, account.id);
  const [ana, ben] = [
    await makeMember(db, account.id, cell),
    await makeMember(db, account.id, cell),
  ];
  for (const daysAgo of [28, 21, 14, 7]) {
    const meeting = await meet(cell, daysAgo);
    if (daysAgo === 28) await attend(meeting, ana, "present");
    if (daysAgo === 14) await attend(meeting, ana, "absent");
  }
  const first = await dayFromToday(db, account.id, -28);
  assert.deepEqual(await summaryOf(ana), {
    "last-attended-at": first,
    "rate-90d": 25,
    "absent-streak": 3,
  });
  assert.deepEqual(await summaryOf(ben), {
    "last-attended-at": null,
    "rate-90d": 0,
    "absent-streak": 4,
  });
  assert.ok((await absentAtLeast(3)).has(ana.id));
  assert.ok(!(await absentAtLeast(4)).has(ana.id));
  assert.ok((await absentAtLeast(4)).has(ben.id));
});

test("meetings that were not held and excuses count for nothing", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  await attend(await meet(cell, 21), ana, "online");
  await attend(await meet(cell, 14), ana, "excused");
  await meet(cell, 10, "scheduled");
  await meet(cell, 9, "cancelled");
  assert.deepEqual(await summaryOf(ana), {
    "last-attended-at": await dayFromToday(db, account.id, -21),
    "rate-90d": 100,
    "absent-streak": 0,
  });
});

test("meetings before joining, since leaving, and of a visitor are no absences", async () => {
  const cell = await makeCell(db, account.id);
  const day = (daysAgo: number) => dayFromToday(db, account.id, -daysAgo);
  const joined = await makeMember(db, account.id, cell, { joined_on: await day(10) });
  const left = await makeMember(db, account.id, cell, { status: "left", left_on: await day(14) });
  const visitor = await makeMember(db, account.id, cell, { cell_role: "visitor" });
  for (const daysAgo of [28, 21, 14, 10, 3]) await meet(cell, daysAgo);
  const streakOf = async (person: { id: string }) =>
    ((await summaryOf(person)) as Record<string, number>)["absent-streak"];
  assert.equal(await streakOf(joined), 2);
  assert.equal(await streakOf(left), 2);
  assert.equal(await streakOf(visitor), 0);
});

test("memberships of the same days count an absence once", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  await join(db, account.id, cell, ana.id, {
    status: "left",
    left_on: await dayFromToday(db, account.id, -3),
  });
  await attend(await meet(cell, 21), ana, "present");
  for (const daysAgo of [14, 7]) await meet(cell, daysAgo);
  assert.deepEqual(await summaryOf(ana), {
    "last-attended-at": await dayFromToday(db, account.id, -21),
    "rate-90d": 33,
    "absent-streak": 2,
  });
  assert.ok(!(await absentAtLeast(3)).has(ana.id));
});

test("a presence in another cell ends the streak", async () => {
  const [own, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const ana = await makeMember(db, account.id, own);
  await meet(own, 21);
  await attend(await meet(other, 14), ana, "present");
  await meet(own, 7);
  assert.deepEqual(await summaryOf(ana), {
    "last-attended-at": await dayFromToday(db, account.id, -14),
    "rate-90d": 33,
    "absent-streak": 1,
  });
});
