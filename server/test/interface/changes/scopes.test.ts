import assert from "node:assert/strict";
import { after, test } from "node:test";
import { feedOf, told } from "../../support/changes.ts";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { codes, document, ids, one, type Resource, startService } from "../../support/service.ts";

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
  const starts = new Map<string, string>();
  for (const [name, reader] of Object.entries(readers)) starts.set(name, await feed.now(reader));
  await act();
  const seen: Record<string, string[]> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const answer = await feed.ask(`page[after]=${starts.get(name)}&page[size]=1000`, reader);
    if (answer.status === 410) {
      seen[name] = codes(answer);
      continue;
    }
    const changes = answer.document.data as Resource[];
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
  const starts = [await feed.now(leader), await feed.now(supervisor)];
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
  for (const [at, reader] of Object.values(readers).entries()) {
    const { changes } = await feed.read(starts[at], "", reader);
    const rows = told(changes);
    assert.ok(rows.includes(`merged people ${removed.id}`), rows.join("\n"));
    assert.ok(rows.includes(`updated cell-memberships ${membership}`), rows.join("\n"));
    assert.ok(rows.some((row) => row.endsWith(`people ${kept.id}`) && !row.startsWith("left")));
    const merged = changes.find(({ attributes }) => attributes["action"] === "merged");
    assert.equal(merged?.attributes["merged-into"], kept.id);
  }
});

test("410 · a cell that enters the tree or leaves it refuses the positions of its supervisor, also after another change", async () => {
  const inside = await makeCell(db, account.id, { parent_id: network });
  await makeMember(db, account.id, inside);
  const refused = { leader: [], supervisor: ["reach-changed"] };
  const out = await seenOf(async () => {
    await moveTo(null, inside);
    await change("cells", inside, { description: "Elsewhere" });
  });
  assert.deepEqual(out, refused);
  assert.deepEqual(await seenOf(() => moveTo(network, inside)), refused);
});

test("410 · a move of the own cell, and of one above it, refuses the positions of a leader", async () => {
  const lower = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const refused = { leader: ["reach-changed"], supervisor: ["reach-changed"] };
  assert.deepEqual(await seenOf(() => moveTo(lower)), refused);
  assert.deepEqual(await seenOf(() => moveTo(network, lower)), {
    leader: ["reach-changed"],
    supervisor: ["reach-changed"],
  });
  assert.deepEqual(await seenOf(() => moveTo(network)), {
    leader: ["reach-changed"],
    supervisor: [`updated cells ${cell}`],
  });
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

test("410 · a move out of the tree is noticed after the former place was deleted", async () => {
  const lower = await makeCell(db, account.id, {
    parent_id: network,
    cell_type: "supervision",
    level: 1,
  });
  const inside = await makeCell(db, account.id, { parent_id: lower });
  const seen = await seenOf(async () => {
    await moveTo(null, inside);
    assert.equal((await service.delete(`/v1/cells/${lower}`)).status, 204);
  });
  assert.deepEqual(seen["supervisor"], ["reach-changed"]);
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
  const start = await feed.now(leader);
  await addMember(paul.id, cell);
  const { changes } = await feed.read(start, "filter[types]=people", leader);
  assert.deepEqual(told(changes), [`entered people ${paul.id}`]);
  const again = await feed.read(changes[0]?.id, "filter[types]=people", leader);
  assert.deepEqual(told(again.changes), [`entered people ${paul.id}`]);
  assert.deepEqual((await feed.read(again.next, "", leader)).changes, []);
});

test("410 · a cell that becomes public, or stops being so, refuses the positions of callers with a scope", async () => {
  const paul = await makePerson(db, account.id);
  for (const isPublic of [true, false]) {
    const [start, whole] = [await feed.now(paul), await feed.now()];
    await change("cells", elsewhere, { "is-public": isPublic });
    const answer = await feed.ask(`page[after]=${start}`, paul);
    assert.deepEqual([answer.status, codes(answer)], [410, ["reach-changed"]]);
    assert.deepEqual(told((await feed.read(whole)).changes), [`updated cells ${elsewhere}`]);
  }
});

test("410 · a role that is given or taken refuses the positions before it", async () => {
  const paul = await makePerson(db, account.id);
  for (const isGiven of [true, false]) {
    const start = await feed.now(paul);
    if (isGiven) await makeAssignment(db, account.id, { personId: paul.id, role: "secretary" });
    else
      await db`delete from role_assignments where account_id = ${account.id} and person_id = ${paul.id}`;
    const answer = await feed.ask(`page[after]=${start}`, paul);
    assert.deepEqual([answer.status, codes(answer)], [410, ["reach-changed"]]);
    // The position of another person is refused as well, and so is one of an older version, which has no rights in it.
    for (const other of [await feed.now(leader), start.split(".", 1)[0]])
      assert.equal((await feed.ask(`page[after]=${other}`, paul)).status, 410);
    assert.deepEqual((await feed.read(await feed.now(paul), "", paul)).changes, []);
  }
});

test("410 · a person who joins a cell reads the lists again", async () => {
  const paul = await makePerson(db, account.id);
  const start = await feed.now(paul);
  await addMember(paul.id, cell);
  assert.equal((await feed.ask(`page[after]=${start}`, paul)).status, 410);
});
