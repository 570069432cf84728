import assert from "node:assert/strict";
import { after, test } from "node:test";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { ids, linkedId, many, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const path = "/v1/cell-report-totals";
const range = "filter[from]=2026-03-01&filter[to]=2026-03-14";

const area = await makeCell(db, account.id, { cell_type: "supervision", level: 2 });
const sector = { cell_type: "supervision", level: 1, parent_id: area };
const [north, south] = [
  await makeCell(db, account.id, sector),
  await makeCell(db, account.id, sector),
];
const [one, two, three, alone] = [
  await makeCell(db, account.id, { parent_id: north }),
  await makeCell(db, account.id, { parent_id: north }),
  await makeCell(db, account.id, { parent_id: south }),
  await makeCell(db, account.id),
];

/** A held meeting of a cell with some members, of whom the first ones were present, and one visitor. */
async function meet(
  cell: string,
  date: string,
  { members, present }: Record<"members" | "present", number>,
) {
  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date,
    status: "held",
    submitted_at: "2026-03-20T00:00:00Z",
    visitors_count: 1,
  });
  const visitor = (await makePerson(db, account.id)).id;
  await join(db, account.id, cell, visitor, { cell_role: "visitor" });
  const people = [visitor];
  for (let n = 0; n < members; n += 1) {
    const { id } = await makeMember(db, account.id, cell);
    if (n < present) people.push(id);
  }
  for (const person of people)
    await makeRow(db, "cell_attendances", account.id, {
      meeting_id: meeting,
      cell_id: cell,
      date,
      person_id: person,
      status: "present",
      is_visitor: person === visitor,
    });
}

await meet(one, "2026-03-03", { members: 4, present: 3 });
await meet(two, "2026-03-04", { members: 2, present: 2 });
await meet(three, "2026-03-05", { members: 5, present: 0 });
await meet(alone, "2026-03-06", { members: 1, present: 1 });
await makeRow(db, "cell_meetings", account.id, { cell_id: one, date: "2026-03-10" });

test("200 · the numbers of all cells in reach, by week", async () => {
  const answer = await service.get(`${path}?${range}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], 2);
  const [second, first] = many(answer);
  assert.deepEqual([first?.id, second?.id], ["2026-03-01", "2026-03-08"]);
  assert.deepEqual(first?.attributes, {
    "week": "2026-03-01",
    "expected": 4,
    "submitted": 4,
    "held": 4,
    "present": 10,
    "visitors": 4,
    "members": 12,
    "rate": 100,
    "attendance-rate": 50,
  });
  assert.deepEqual(first?.relationships, { supervision: { data: null } });
  assert.partialDeepStrictEqual(second?.attributes, {
    "expected": 1,
    "submitted": 0,
    "members": null,
    "rate": 0,
    "attendance-rate": null,
  });
});

test("200 · grouped, a cell counts for the supervision above it, and the rows add up to the total", async () => {
  const answer = await service.get(
    `${path}?${range}&filter[group]=supervision&include=supervision&sort=week`,
  );
  const rows = many(answer);
  const counts = rows.map((row) => [
    row.id,
    row.attributes["members"],
    row.attributes["attendance-rate"],
  ]);
  const sectors = [
    [`${north}.2026-03-01`, 6, 83],
    [`${south}.2026-03-01`, 5, 0],
  ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  assert.deepEqual(counts, [
    ...sectors,
    ["2026-03-01", 1, 100],
    [`${north}.2026-03-08`, null, null],
  ]);
  const below = rows.find(({ id }) => id === `${north}.2026-03-01`);
  assert.equal(below && linkedId(below, "supervision"), north);
  assert.deepEqual(
    answer.document.included?.map(({ id }) => id).toSorted(),
    [north, south].toSorted(),
  );
  const pages: string[] = [];
  for (const number of [1, 2, 3, 4])
    pages.push(
      ...ids(
        await service.get(
          `${path}?${range}&filter[group]=supervision&sort=week&page[size]=1&page[number]=${number}`,
        ),
      ),
    );
  assert.deepEqual(pages, ids(answer));
});

test("200 · a tree, and the cells of the caller", async () => {
  const sums = async (query: string, as?: string) =>
    many(await service.get(`${path}?${range}${query}`, as ? { as } : {})).map(
      ({ attributes, id }) => [id, attributes["held"]],
    );
  assert.deepEqual(await sums(`&filter[tree]=${area}`), [
    ["2026-03-08", 0],
    ["2026-03-01", 3],
  ]);
  const supervisor = await makeMember(db, account.id, south, { cell_role: "leader" });
  assert.deepEqual(await sums("", supervisor.token), [["2026-03-01", 1]]);
  assert.deepEqual(await sums(`&filter[tree]=${north}`, supervisor.token), []);
  const { token } = await makePerson(db, account.id);
  assert.equal((await service.get(path, { as: token })).status, 403);
});

test("400 · at most 53 weeks, and groups that exist", async () => {
  for (const [query, parameter] of [
    ["filter[from]=2025-03-01&filter[to]=2026-03-07", "filter[from]"],
    ["filter[group]=cell", "filter[group]"],
    ["filter[cell]=1", "filter[cell]"],
    ["sort=-rate", "sort"],
  ] as const) {
    const answer = await service.get(`${path}?${query}`);
    assert.deepEqual([answer.status, parameters(answer)], [400, [parameter]], query);
  }
});
