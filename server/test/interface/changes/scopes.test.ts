import assert from "node:assert/strict";
import { after, test } from "node:test";
import { feedOf, told } from "../../support/changes.ts";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { document, ids, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const feed = feedOf(service);

/** A network with a supervisor, a cell with a leader, and the rest of the church. */
const network = await makeCell(db, account.id, { cell_type: "supervision", level: 2 });
const cell = await makeCell(db, account.id, { parent_id: network });
const elsewhere = await makeCell(db, account.id);
const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
const supervisor = await makePerson(db, account.id);
await makeAssignment(db, account.id, {
  personId: supervisor.id,
  role: "cell-supervisor",
  scopeType: "cell-tree",
  scopeIds: [network],
});
const readers = { leader, supervisor };

/** The rows that each reader sees of what happened. */
async function seenOf(act: () => Promise<unknown>) {
  const start = await feed.now();
  await act();
  const seen: Record<string, string[]> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const { changes } = await feed.read(start, "page[size]=1000", reader);
    assert.equal(new Set(changes.map(({ id }) => id)).size, changes.length);
    seen[name] = told(changes);
  }
  return seen;
}
const membershipOf = async (personId: string, cellId: string) =>
  ids(
    await service.get(`/v1/cell-memberships?filter[person]=${personId}&filter[cell]=${cellId}`),
  )[0] ?? assert.fail("no membership");
const addMember = async (personId: string, to: string) =>
  one(
    await service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "visitor" },
        {
          relationships: {
            person: { data: { type: "people", id: personId } },
            cell: { data: { type: "cells", id: to } },
          },
        },
      ),
    ),
  ).id;
const change = (type: string, id: string, attributes: object, relationships = {}) =>
  service.patch(
    `/v1/${type}/${id}`,
    document(type, attributes as Record<string, unknown>, { id, relationships }),
  );
const moveTo = (parent: string | null, of = cell) =>
  change("cells", of, {}, { parent: { data: parent && { type: "cells", id: parent } } });

test("200 · a person enters with a membership, and readers of other cells see nothing", async () => {
  const paul = await makePerson(db, account.id);
  let membership = "";
  const seen = await seenOf(async () => {
    membership = await addMember(paul.id, cell);
    await addMember((await makePerson(db, account.id)).id, elsewhere);
  });
  const rows = [`created cell-memberships ${membership}`, `entered people ${paul.id}`];
  assert.deepEqual(seen, { leader: rows, supervisor: rows });
});

test("200 · a person whose membership ended is read again, and former members are seen for a while", async () => {
  const paul = await makeMember(db, account.id, cell);
  const membership = await membershipOf(paul.id, cell);
  const seen = await seenOf(() => change("cell-memberships", membership, { status: "left" }));
  const rows = [`updated cell-memberships ${membership}`, `entered people ${paul.id}`];
  assert.deepEqual(seen, { leader: rows, supervisor: rows });
  await db`
    update cell_memberships set joined_on = '2026-01-01', left_on = '2026-02-01' where account_id = ${account.id} and id = ${membership}`;
  const late = await seenOf(
    () => db`update cell_memberships set version = version + 1, left_reason = 'other', status = 'left', cell_role = 'host'
      where account_id = ${account.id} and id = ${membership}`,
  );
  const left = [`updated cell-memberships ${membership}`, `left people ${paul.id}`];
  assert.deepEqual(late, { leader: left, supervisor: left });
});

test("200 · a person who moves to a cell out of reach leaves it, and a deletion there is not shown", async () => {
  const paul = await makeMember(db, account.id, cell);
  const membership = await membershipOf(paul.id, cell);
  const seen = await seenOf(
    () => db`update cell_memberships set version = version + 1, cell_id = ${elsewhere}
      where account_id = ${account.id} and id = ${membership}`,
  );
  const rows = [`left cell-memberships ${membership}`, `left people ${paul.id}`];
  assert.deepEqual(seen, { leader: rows, supervisor: rows });
  const deleted = await seenOf(
    () => db`delete from cell_memberships where account_id = ${account.id} and id = ${membership}`,
  );
  assert.deepEqual(deleted, { leader: [], supervisor: [] });
});

test("200 · a deleted person is shown with their memberships, which stay", async () => {
  const paul = await makeMember(db, account.id, cell);
  const membership = await membershipOf(paul.id, cell);
  const seen = await seenOf(() => service.delete(`/v1/people/${paul.id}`));
  for (const rows of Object.values(seen)) {
    assert.ok(rows.includes(`deleted people ${paul.id}`), rows.join("\n"));
    assert.ok(rows.includes(`updated cell-memberships ${membership}`), rows.join("\n"));
  }
});

test("200 · a merged person is shown with the kept one, who enters", async () => {
  const removed = await makeMember(db, account.id, cell);
  const kept = await makePerson(db, account.id);
  const membership = await membershipOf(removed.id, cell);
  const start = await feed.now();
  await service.post(
    "/v1/person-merges",
    document(
      "person-merges",
      {},
      {
        relationships: {
          kept: { data: { type: "people", id: kept.id } },
          removed: { data: [{ type: "people", id: removed.id }] },
        },
      },
    ),
  );
  for (const reader of Object.values(readers)) {
    const { changes } = await feed.read(start, "", reader);
    const rows = told(changes);
    assert.ok(rows.includes(`merged people ${removed.id}`), rows.join("\n"));
    assert.ok(rows.includes(`updated cell-memberships ${membership}`), rows.join("\n"));
    assert.ok(rows.some((row) => row.endsWith(`people ${kept.id}`) && !row.startsWith("left")));
    const merged = changes.find(({ attributes }) => attributes["action"] === "merged");
    assert.equal(merged?.attributes["merged-into"], kept.id);
  }
});

test("200 · a cell that moves out of the tree leaves with its memberships and people, and enters with them", async () => {
  const inside = await makeCell(db, account.id, { parent_id: network });
  const paul = await makeMember(db, account.id, inside);
  const membership = await membershipOf(paul.id, inside);
  const out = await seenOf(() => moveTo(null, inside));
  assert.deepEqual(
    { ...out, supervisor: new Set(out["supervisor"]) },
    {
      leader: [],
      supervisor: new Set([
        `left cells ${inside}`,
        `left cell-memberships ${membership}`,
        `left people ${paul.id}`,
      ]),
    },
  );
  const back = await seenOf(() => moveTo(network, inside));
  assert.deepEqual(
    new Set(back["supervisor"]),
    new Set([
      `updated cells ${inside}`,
      `entered cell-memberships ${membership}`,
      `entered people ${paul.id}`,
    ]),
  );
});

test("200 · a move within the tree is a change of the cell alone", async () => {
  const lower = await makeCell(db, account.id, {
    parent_id: network,
    cell_type: "supervision",
    level: 1,
  });
  const inside = await makeCell(db, account.id, { parent_id: network });
  await makeMember(db, account.id, inside);
  const seen = await seenOf(() => moveTo(lower, inside));
  assert.deepEqual(seen["supervisor"], [`updated cells ${inside}`]);
});

test("200 · a deleted cell is shown in the tree that had it, with its memberships", async () => {
  const inside = await makeCell(db, account.id, { parent_id: network });
  const outside = await makeCell(db, account.id);
  for (const one of [inside, outside])
    await join(db, account.id, one, (await makePerson(db, account.id)).id);
  const memberships = ids(await service.get(`/v1/cell-memberships?filter[cell]=${inside}`));
  const seen = await seenOf(async () => {
    for (const one of [inside, outside])
      assert.equal((await service.delete(`/v1/cells/${one}`)).status, 204);
  });
  assert.deepEqual(seen["leader"], []);
  const rows = (seen["supervisor"] ?? []).filter((row) => !row.includes("people"));
  assert.deepEqual(
    new Set(rows),
    new Set([
      `deleted cells ${inside}`,
      ...memberships.map((id) => `deleted cell-memberships ${id}`),
    ]),
  );
});

test("200 · leaders see who leads the supervision above them come and go", async () => {
  const above = await makePerson(db, account.id);
  await join(db, account.id, network, above.id, { cell_role: "visitor" });
  const membership = await membershipOf(above.id, network);
  const promoted = await seenOf(() =>
    change("cell-memberships", membership, { "cell-role": "leader" }),
  );
  assert.deepEqual(promoted["leader"], [`entered people ${above.id}`]);
  const demoted = await seenOf(() =>
    change("cell-memberships", membership, { "cell-role": "visitor" }),
  );
  assert.deepEqual(demoted["leader"], [`left people ${above.id}`]);
});

test("200 · a filter by type also shows what memberships bring", async () => {
  const paul = await makePerson(db, account.id);
  const start = await feed.now();
  await addMember(paul.id, cell);
  const { changes } = await feed.read(start, "filter[types]=people", leader);
  assert.deepEqual(told(changes), [`entered people ${paul.id}`]);
  const again = await feed.read(changes[0]?.id, "filter[types]=people", leader);
  assert.deepEqual(told(again.changes), [`entered people ${paul.id}`]);
  assert.deepEqual((await feed.read(again.next, "", leader)).changes, []);
});

test("200 · a public cell that is no longer public leaves the view of every person", async () => {
  const paul = await makePerson(db, account.id);
  await change("cells", elsewhere, { "is-public": true });
  const start = await feed.now();
  await change("cells", elsewhere, { "is-public": false });
  await change("cells", elsewhere, { description: "Private" });
  assert.deepEqual(told((await feed.read(start, "", paul)).changes), [`left cells ${elsewhere}`]);
});
