import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addDays } from "../../../src/base/dates.ts";
import { firstDayOfWeek } from "../../../src/features/cells/meetings/dates.ts";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { document, ids, many, one, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const today = await dayFromToday(db, account.id, 0);
const path = "/v1/cell-report-summaries";

const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const cell = await makeCell(db, account.id, { parent_id: sector });
const far = await makeCell(db, account.id);

const meet = (cellId: string, date: string, columns: Record<string, string | number | null> = {}) =>
  makeRow(db, "cell_meetings", account.id, {
    cell_id: cellId,
    date,
    ...(columns["status"] === "held" || columns["status"] === "not-held"
      ? { submitted_at: "2026-01-01T00:00:00Z" }
      : {}),
    ...columns,
  });
const attend = async (
  meeting: string,
  cellId: string,
  date: string,
  { person_id, ...columns }: Record<string, string | boolean>,
) =>
  makeRow(db, "cell_attendances", account.id, {
    meeting_id: meeting,
    cell_id: cellId,
    date,
    person_id: person_id ?? (await makePerson(db, account.id)).id,
    ...columns,
  });

test("200 · one row per cell and week, with the sums of its meetings", async () => {
  const sunday = "2026-03-01";
  const held = await meet(cell, "2026-03-04", { status: "held", visitors_count: 3 });
  const members: string[] = [];
  for (let n = 0; n < 10; n += 1) members.push((await makeMember(db, account.id, cell)).id);
  // A member with two memberships of the same days is one member.
  const twice = members[0] ?? "";
  await join(db, account.id, cell, twice, { status: "left", left_on: "2026-12-01" });
  for (const [n, status] of ["present", "present", "online", "absent", "excused"].entries())
    await attend(held, cell, "2026-03-04", { status, person_id: members[n] ?? "" });
  // Visitors, and people who joined later, are present and no members of that day.
  await attend(held, cell, "2026-03-04", { status: "present", is_visitor: true });
  for (const columns of [{ joined_on: "2026-03-05" }, { status: "left", left_on: "2026-03-04" }]) {
    const { id } = await makeMember(db, account.id, cell, columns);
    await attend(held, cell, "2026-03-04", { status: "present", person_id: id });
  }
  await meet(cell, "2026-03-05", { status: "not-held", not_held_reason: "Rain" });
  await meet(cell, "2026-03-06");
  await meet(cell, "2026-03-07", { status: "cancelled" });
  await meet(cell, "2026-03-08", { status: "cancelled" });
  const answer = await service.get(
    `${path}?filter[from]=2026-03-01&filter[to]=2026-03-14&include=cell`,
  );
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], 2);
  const [second, first] = many(answer);
  assert.equal(first?.id, `${cell}.${sunday}`);
  assert.deepEqual(first?.attributes, {
    "week": sunday,
    "expected": 3,
    "submitted": 2,
    "held": 1,
    "present": 6,
    "visitors": 3,
    "members": 10,
    "rate": 67,
    "attendance-rate": 30,
  });
  assert.deepEqual(first?.relationships["cell"], { data: { type: "cells", id: cell } });
  assert.deepEqual(
    answer.document.included?.map(({ id }) => id),
    [cell],
  );
  assert.partialDeepStrictEqual(second?.attributes, {
    "week": "2026-03-08",
    "expected": 0,
    "rate": null,
    "members": null,
    "attendance-rate": null,
  });
});

test("members of a day are the same for one person, for many and for all weeks", async () => {
  const own = await makeCell(db, account.id);
  const people: string[] = [];
  for (let n = 0; n < 8; n += 1) people.push((await makePerson(db, account.id)).id);
  const day = (n: number) => addDays("2024-01-01", n);
  for (let n = 0; n < 60; n += 1) {
    const [since, length] = [(n * 37) % 70, (n * 11) % 13];
    await join(db, account.id, own, people[n % people.length] ?? "", {
      cell_role: n % 5 === 0 ? "visitor" : "participant",
      joined_on: day(since),
      status: "left",
      left_on: day(since + length),
    });
  }
  await join(db, account.id, own, people[0] ?? "", { joined_on: day(40) });
  for (let n = 0; n < 80; n += 1) await meet(own, day(n), { status: "held" });
  const differing = await db`
    select person, day from unnest(${people}::uuid[]) person, generate_series(0, 90) n, lateral (select ${day(0)}::date + n as day) as days
    where was_member(${account.id}, ${own}, person, day) <> exists (
      select from member_periods p where p.account_id = ${account.id} and p.cell_id = ${own} and p.person_id = person
        and day >= p.since and (p.until is null or day < p.until))`;
  assert.deepEqual(differing, []);
  const counts = await db<{ week: string; members: number; known: number }[]>`
    select week::text, member_days::int as members, (
      select count(*)::int from cell_meetings meeting, unnest(${people}::uuid[]) person
      where meeting.account_id = ${account.id} and meeting.cell_id = ${own} and meeting.date between week and week + 6
        and was_member(${account.id}, ${own}, person, meeting.date)) as known
    from cell_week_counts(${account.id}, array[${own}]::uuid[], ${day(-7)}::date, ${day(90)}::date)`;
  assert.ok(counts.length > 10);
  for (const { known, members, week } of counts) assert.equal(members, known, week);
});

test("200 · weeks begin with the setting first-weekday", async () => {
  const set = (first: number | null) =>
    service.patch(
      `/v1/accounts/${account.id}`,
      document("accounts", { settings: { "first-weekday": first } }, { id: account.id }),
    );
  await meet(far, "2026-04-05");
  assert.equal((await set(1)).status, 200);
  const query = `${path}?filter[cell]=${far}&filter[from]=2026-04-05&filter[to]=2026-04-05`;
  assert.deepEqual(ids(await service.get(query)), [`${far}.2026-03-30`]);
  await set(null);
  assert.deepEqual(ids(await service.get(query)), [`${far}.2026-04-05`]);
});

test("200 · without a range these are the last eight weeks, the present one included", async () => {
  const week = firstDayOfWeek(today, 0);
  const weeks = Array.from({ length: 10 }, (_, n) => addDays(week, 7 - 7 * n));
  const own = await makeCell(db, account.id);
  for (const date of weeks) await meet(own, date);
  const shown = many(await service.get(`${path}?filter[cell]=${own}`));
  assert.deepEqual(
    shown.map(({ attributes }) => attributes["week"]),
    weeks.slice(1, 9),
  );
  const since = many(
    await service.get(`${path}?filter[cell]=${own}&filter[from]=${weeks[2]}&sort=week`),
  );
  assert.deepEqual(
    since.map(({ attributes }) => attributes["week"]),
    weeks.slice(1, 3).reverse(),
  );
  const until = many(await service.get(`${path}?filter[cell]=${own}&filter[to]=${weeks[8]}`));
  assert.deepEqual(
    until.map(({ attributes }) => attributes["week"]),
    weeks.slice(8),
  );
  const page = await service.get(`${path}?filter[cell]=${own}&page[size]=3&page[number]=3`);
  assert.deepEqual(
    many(page).map(({ attributes }) => attributes["week"]),
    weeks.slice(7, 9),
  );
  assert.equal(page.document.meta?.["total"], 8);
  assert.equal(page.document.links?.["next"], null);
});

test("200 · a tree contains its cells, and callers see the cells of their scope", async () => {
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
  const range = "filter[from]=2026-03-01&filter[to]=2026-04-30";
  const cellsIn = async (query: string, as?: string) => {
    const answer = await service.get(`${path}?${range}${query}`, as ? { as } : {});
    const cells = many(answer).map(
      ({ relationships }) => relationships["cell"]?.data as { id: string },
    );
    return [...new Set(cells.map(({ id }) => id))].sort();
  };
  assert.deepEqual(await cellsIn(""), [cell, far].sort());
  assert.deepEqual(await cellsIn(`&filter[tree]=${sector}`), [cell]);
  assert.deepEqual(await cellsIn("", leader.token), [cell]);
  assert.deepEqual(await cellsIn("", supervisor.token), [cell]);
  assert.deepEqual(await cellsIn(`&filter[cell]=${far}`, leader.token), []);
  const { token } = await makePerson(db, account.id);
  assert.equal((await service.get(path, { as: token })).status, 403);
});

test("400 · at most 53 weeks, and dates", async () => {
  const ok = await service.get(`${path}?filter[from]=2025-03-02&filter[to]=2026-03-07`);
  assert.equal(ok.status, 200, ok.text);
  const refused: [query: string, parameter: string][] = [
    ["filter[from]=2025-03-01&filter[to]=2026-03-07", "filter[from]"],
    ["filter[from]=2020-01-01", "filter[from]"],
    ["filter[from]=yesterday", "filter[from]"],
    ["filter[to]=2026-02-30", "filter[to]"],
    ["filter[id]=1", "filter[id]"],
    ["sort=id", "sort"],
    ["page[after]=", "sort"],
  ];
  for (const [query, parameter] of refused) {
    const answer = await service.get(`${path}?${query}`);
    assert.deepEqual([answer.status, parameters(answer)], [400, [parameter]], query);
  }
});

test("200 · deleting a person changes no number of a week that was reported", async () => {
  const own = await makeCell(db, account.id);
  const [leader, member, visitor] = await Promise.all([
    makeMember(db, account.id, own, { cell_role: "leader" }),
    makeMember(db, account.id, own),
    makeMember(db, account.id, own, { cell_role: "visitor" }),
  ]);
  await makeMember(db, account.id, own);
  // Memberships of the same days count one member, also after the deletion.
  const earlier = { status: "left", joined_on: "2025-12-01", left_on: "2026-02-01" };
  await join(db, account.id, own, member.id, earlier);
  await join(db, account.id, own, visitor.id, { ...earlier, left_on: "2025-12-15" });
  for (const date of ["2025-12-10", "2026-01-14", today]) {
    const meeting = await meet(own, date, { status: "held" });
    for (const { id } of [leader, member, visitor])
      await attend(meeting, own, date, { status: "present", person_id: id, note: "Sang" });
  }
  const weeks = [
    `${path}?filter[cell]=${own}&filter[from]=2025-12-01&filter[to]=2026-02-28`,
    `${path}?filter[cell]=${own}`,
    `/v1/cell-report-totals?filter[tree]=${own}`,
  ];
  const read = async () => {
    const answers = await Promise.all(weeks.map((week) => service.get(week)));
    return answers.flatMap((answer) => many(answer).map(({ attributes }) => attributes));
  };
  const before = await read();
  assert.partialDeepStrictEqual(before[0], { "week": "2026-01-11", "members": 3 });
  for (const { id } of [member, visitor, leader])
    assert.equal((await service.delete(`/v1/people/${id}`)).status, 204);
  assert.deepEqual(await read(), before);

  const rows = many(await service.get(`/v1/cell-attendances?filter[cell]=${own}`));
  assert.equal(rows.length, 9);
  for (const { attributes, relationships } of rows)
    assert.deepEqual([relationships["person"]?.data, attributes["note"]], [null, null]);
  const memberships = many(await service.get(`/v1/cell-memberships?filter[cell]=${own}`));
  const left = memberships.filter(({ relationships }) => relationships["person"]?.data === null);
  assert.equal(left.length, 4);
  for (const { attributes } of left) assert.equal(attributes["status"], "left");
  // A membership that is deleted as a mistake no longer counts, and neither do its attendances.
  for (const { id } of left) await service.delete(`/v1/cell-memberships/${id}`);
  assert.partialDeepStrictEqual((await read())[0], { "members": 1, "attendance-rate": 0 });

  // The first report of a past day also counts members who were deleted meanwhile.
  const gone = await makeMember(db, account.id, own, { joined_on: "2026-03-01" });
  assert.equal((await service.delete(`/v1/people/${gone.id}`)).status, 204);
  const reported = await service.post(
    "/v1/cell-meetings",
    document(
      "cell-meetings",
      { date: "2026-03-04", status: "held", attendance: [] },
      { relationships: { cell: { data: { type: "cells", id: own } } } },
    ),
  );
  assert.equal(one(reported).attributes["members-count"], 2);
});
