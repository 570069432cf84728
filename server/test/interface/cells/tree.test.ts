import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const to = (id: string | null) => ({ data: id === null ? null : { type: "cells", id } });
const create = (attributes: Record<string, unknown>, parent?: string, as?: string) =>
  service.post(
    "/v1/cells",
    document("cells", attributes, parent ? { relationships: { parent: to(parent) } } : {}),
    as ? { as } : {},
  );
const change = (id: string, attributes: Record<string, unknown>, parent?: string | null) =>
  service.patch(
    `/v1/cells/${id}`,
    document("cells", attributes, {
      id,
      ...(parent !== undefined && { relationships: { parent: to(parent) } }),
    }),
  );
const made = async (attributes: Record<string, unknown>, parent?: string) => {
  const answer = await create(attributes, parent);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const supervision = (name: string, level: number, parent?: string) =>
  made({ name, "cell-type": "supervision", level }, parent);

/** The pairs of `cell_ancestors`, compared with the parents. */
async function assertClosure(): Promise<void> {
  const [row] = await db<{ kept: string[]; computed: string[] }[]>`
    with recursive above (cell_id, ancestor_id, distance) as (
      select id, id, 0 from cells where account_id = ${account.id}
      union all
      select above.cell_id, cells.parent_id, distance + 1 from above
      join cells on cells.account_id = ${account.id} and cells.id = above.ancestor_id
      where cells.parent_id is not null)
    select array(select concat_ws(' ', cell_id, ancestor_id, distance) from cell_ancestors
        where account_id = ${account.id} order by 1) as kept,
      array(select concat_ws(' ', cell_id, ancestor_id, distance) from above order by 1) as computed`;
  assert.deepEqual(row?.kept, row?.computed);
}

test("201 · a cell and a supervision have the defaults of the interface", async () => {
  const cell = one(await create({ name: "Alfama" }));
  assert.partialDeepStrictEqual(cell.attributes, {
    "cell-type": "cell",
    "level": 0,
    "status": "active",
    "gender-category": "mixed",
    "frequency": "weekly",
    "join-policy": "request",
    "is-public": false,
    "is-online": false,
    "members-count": 0,
    "last-meeting-on": null,
    "public-settings": {
      "show-address": false,
      "show-leader-email": false,
      "show-leader-phone": false,
      "accept-join-requests": true,
    },
  });
  const sector = one(await create({ "name": "Sector", "cell-type": "supervision" }));
  assert.equal(sector.attributes["level"], 1);
  const open = one(await create({ "name": "Open", "public-settings": { "show-address": true } }));
  assert.partialDeepStrictEqual(open.attributes["public-settings"], {
    "show-address": true,
    "accept-join-requests": true,
  });
});

test("422 · a level that does not fit the type or the parent is rejected at the member that was sent", async () => {
  const sector = await supervision("Low", 1);
  const high = await supervision("High", 3);
  const cell = await made({ name: "Cell" }, sector);
  const level = ["/data/attributes/level"];
  const parent = ["/data/relationships/parent/data"];
  for (const [answer, expected] of [
    [await create({ name: "x", level: 1 }), level],
    [await create({ "name": "x", "cell-type": "supervision", "level": 0 }), level],
    [await create({ "name": "x", "cell-type": "supervision", "level": 1 }, sector), parent],
    [await create({ name: "x" }, cell), parent],
    [await create({ name: "x" }, newId()), parent],
    [await change(sector, {}, cell), parent],
    [await change(sector, {}, sector), parent],
    [await change(high, { level: 6 }), level],
    [await change(sector, { "level": 0, "cell-type": "cell" }), level],
  ] as const)
    assert.deepEqual([answer.status, pointers(answer)], [422, expected], answer.text);
  assert.equal((await change(sector, {}, high)).status, 200);
  assert.deepEqual(pointers(await change(sector, { level: 3 })), level);
  assert.deepEqual(pointers(await change(high, { level: 1 })), level);
  await assertClosure();
});

test("422 · ends before starts are rejected at the end, also against stored values", async () => {
  const id = await made({ "name": "Times", "starts-at": 1_200, "recess-from": "2999-07-01" });
  for (const [attributes, name] of [
    [{ "ends-at": 1_200 }, "ends-at"],
    [{ "recess-to": "2999-06-30" }, "recess-to"],
    [{ "age-min": 20, "age-max": 19 }, "age-max"],
  ] as const) {
    const answer = await change(id, attributes);
    assert.deepEqual([answer.status, pointers(answer)], [422, [`/data/attributes/${name}`]]);
  }
});

test("200 · a move takes the whole subtree along, and the tree filter follows it", async () => {
  const [area, network] = [await supervision("Area", 2), await supervision("Network", 3)];
  const sector = await supervision("Sector", 1, area);
  const cell = await made({ name: "Moved" }, sector);
  const inTree = async (of: string) =>
    ids(await service.get(`/v1/cells?filter[tree]=${of}&sort=id`)).sort();
  assert.deepEqual(await inTree(area), [area, cell, sector].sort());
  const answer = await change(sector, {}, network);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await inTree(area), [area]);
  assert.deepEqual(await inTree(network), [cell, network, sector].sort());
  await change(sector, {}, null);
  assert.deepEqual(await inTree(sector), [cell, sector].sort());
  await assertClosure();
});

test("200 · moves that cross in parallel leave a tree without a circle", async () => {
  const all: string[] = [];
  for (let level = 1; level <= 5; level += 1) all.push(await supervision(`Level ${level}`, level));
  const moves = all.flatMap((child) =>
    all.map((parent) => () => change(child, {}, parent === child ? null : parent)),
  );
  const answers = await Promise.all(moves.map((move) => move()));
  for (const answer of answers) assert.ok([200, 422].includes(answer.status), answer.text);
  const levels = await Promise.all(
    all.map((id, position) => change(id, { level: ((position + 2) % 5) + 1 })),
  );
  for (const answer of levels) assert.ok([200, 422].includes(answer.status), answer.text);
  await assertClosure();
});

test("200 · supervisors are the leaders above, the nearest first", async () => {
  const network = await supervision("Two up", 2);
  const sector = await supervision("One up", 1, network);
  const cell = await made({ name: "Below" }, sector);
  const far = await makeMember(db, account.id, network, { cell_role: "leader" });
  const near = await makeMember(db, account.id, sector, { cell_role: "leader" });
  await makeMember(db, account.id, sector, { cell_role: "co-leader" });
  const host = await makeMember(db, account.id, cell, { cell_role: "host" });
  const { relationships } = one(await service.get(`/v1/cells/${cell}`));
  const linked = (name: string) =>
    [relationships[name]?.data].flat().map((each) => (each as { id: string }).id);
  assert.deepEqual(linked("supervisors"), [near.id, far.id]);
  assert.deepEqual(linked("host"), [host.id]);
  const linkage = await service.get(`/v1/cells/${cell}/relationships/supervisors`);
  assert.deepEqual(ids(linkage), [near.id, far.id]);
});

test("409 · a cell with children is not deleted; 204 · a leaf is, with what belongs to it", async () => {
  const parent = await supervision("Parent", 1);
  const child = await made({ "name": "Child", "weekday": 3, "starts-at": 1_200 }, parent);
  await makeMember(db, account.id, child);
  const refused = await service.delete(`/v1/cells/${parent}`);
  assert.deepEqual([refused.status, codes(refused)], [409, ["cell-has-children"]]);
  assert.equal((await service.delete(`/v1/cells/${child}`)).status, 204);
  assert.equal((await service.delete(`/v1/cells/${parent}`)).status, 204);
  for (const table of ["cell_memberships", "cell_meetings", "cell_ancestors"]) {
    const rows = await db`
      select 1 from ${db(table)} where account_id = ${account.id} and cell_id = ${child}`;
    assert.equal(rows.length, 0, table);
  }
});

test("cell.created, cell.updated and cell.deleted are captured; equal values write nothing", async () => {
  await makeEndpoint(db, account.id, { events: ["cell.created", "cell.updated", "cell.deleted"] });
  const told = await eventsOf(async () => {
    const id = await made({ name: "Told" });
    const before = etag(await service.get(`/v1/cells/${id}`));
    await change(id, { name: "Told" });
    assert.equal(etag(await service.get(`/v1/cells/${id}`)), before);
    await change(id, { name: "Told again" });
    await service.delete(`/v1/cells/${id}`);
  });
  assert.deepEqual(told, ["cell.created", "cell.updated", "cell.deleted"]);
});

test("200 · the status follows from closing, opening and recess, in the account's time zone", async () => {
  await service.patch(
    "/v1/accounts/me",
    document("accounts", { settings: { "time-zone": "Pacific/Kiritimati" } }, { id: account.id }),
  );
  const [days] = await db<{ before: string; today: string; after: string }[]>`
    select (today - 1)::text as before, today::text, (today + 1)::text as after
    from today_in(${account.id}) as today`;
  assert.ok(days);
  const statusOf = async (columns: Record<string, string>) => {
    const id = await makeCell(db, account.id, columns);
    return one(await service.get(`/v1/cells/${id}`)).attributes["status"];
  };
  assert.equal(await statusOf({ recess_from: days.before, recess_to: days.today }), "in-recess");
  assert.equal(await statusOf({ recess_from: days.today }), "in-recess");
  assert.equal(await statusOf({ recess_from: days.after }), "active");
  assert.equal(await statusOf({ opened_at: "2999-01-01T00:00:00Z" }), "planned");
  const closed = { closed_at: "2026-01-01T00:00:00Z", recess_from: days.today };
  assert.equal(await statusOf(closed), "closed");
  const found = async (filter: string) =>
    (await service.get(`/v1/cells?${filter}`)).document.meta?.["total"];
  assert.equal(await found("filter[status]=in-recess"), 2);
  assert.equal(await found("filter[status]=planned,closed"), 2);
  assert.equal(await found("filter[is-active]=false"), 2);
});
