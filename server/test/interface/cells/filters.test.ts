import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeRow } from "../../support/make.ts";
import { ids, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const campinas = await makeCell(db, account.id, {
  name: "Jardim América",
  category: "Famílias",
  weekday: 3,
  address: JSON.stringify({
    city: "Campinas",
    neighborhood: "Cambuí",
    latitude: -22.9,
    longitude: -47.06,
  }),
});
const lisbon = await makeCell(db, account.id, {
  name: "Alfama",
  weekday: 0,
  is_public: true,
  address: JSON.stringify({ city: "Lisboa", latitude: 38.71, longitude: -9.13 }),
});
const leader = await makeMember(db, account.id, lisbon, { cell_role: "leader" });
const helper = await makeMember(db, account.id, campinas, { cell_role: "co-leader" });
await makeMember(db, account.id, campinas, { cell_role: "visitor" });
await makeRow(db, "cell_meetings", account.id, { cell_id: campinas, date: "2026-01-07" });
await makeRow(db, "cell_meetings", account.id, {
  cell_id: lisbon,
  date: "2026-01-04",
  status: "held",
  submitted_at: "2026-01-04T22:00:00Z",
});

for (const [filter, found] of [
  ["q=cambui jardim", [campinas]],
  ["q=familias", [campinas]],
  ["q=lisb", [lisbon]],
  ["q=100%25", []],
  ["name=AMERICA", [campinas]],
  ["category=familias", [campinas]],
  ["city=lisboa", [lisbon]],
  ["neighborhood=CAMBUI", [campinas]],
  ["weekday=0,3", [campinas, lisbon]],
  ["is-public=true", [lisbon]],
  [`leader=${helper.id},${leader.id}`, [campinas, lisbon]],
  ["without-leader=true", [campinas]],
  ["report-overdue=true", [campinas]],
  ["report-overdue=false", [lisbon]],
  ["near=-22.91,-47.05,5", [campinas]],
  ["near=-22.91,-47.05,0.5", []],
  ["near=38.7,-9.1,500", [lisbon]],
] as const)
  test(`200 · filter ${filter}`, async () => {
    const answer = await service.get(`/v1/cells?filter[${filter.replace("=", "]=")}`);
    assert.deepEqual(ids(answer).sort(), [...found].sort(), answer.text);
  });

test("200 · cells are sorted by members and by their last meeting, those without one last", async () => {
  const sorted = async (sort: string) => ids(await service.get(`/v1/cells?sort=${sort}`));
  await makeMember(db, account.id, lisbon);
  assert.deepEqual(await sorted("-members-count"), [lisbon, campinas]);
  assert.deepEqual(await sorted("members-count"), [campinas, lisbon]);
  for (const sort of ["last-meeting-on", "-last-meeting-on"])
    assert.deepEqual(await sorted(sort), [lisbon, campinas]);
});

test("200 · filter[parent] finds the children of cells, and the cells above which there is none", async () => {
  const child = await makeCell(db, account.id, { name: "Child", parent_id: campinas });
  const found = async (value: string) =>
    new Set(ids(await service.get(`/v1/cells?filter[parent]=${value}`)));
  assert.deepEqual(await found("none"), new Set([campinas, lisbon]));
  assert.deepEqual(await found(campinas), new Set([child]));
  assert.deepEqual(await found(`${campinas},none`), new Set([campinas, lisbon, child]));
  assert.deepEqual(await found("nothing"), new Set());
});
