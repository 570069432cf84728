import assert from "node:assert/strict";
import { after, test } from "node:test";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint, type Member } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  identifiers,
  ids,
  linkedId,
  many,
  one,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const membershipsOf = async (cell: string) =>
  many(await service.get(`/v1/cell-memberships?filter[cell]=${cell}`));
/** The active members of a cell, with their roles and the days on which they joined. */
const membersOf = async (cell: string) =>
  Object.fromEntries(
    (await membershipsOf(cell))
      .filter(({ attributes }) => attributes["status"] === "active")
      .map((row) => [
        linkedId(row, "person"),
        [row.attributes["cell-role"], row.attributes["joined-on"]],
      ]),
  );

/** A cell whose members moved to another cell, and the path of the transfer. */
async function transferred(...roles: string[]) {
  const [from, to] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const people: Member[] = [];
  for (const cell_role of roles) people.push(await makeMember(db, account.id, from, { cell_role }));
  return { from, to, people, path: await transfer(from, to) };
}

async function transfer(from: string, to: string): Promise<string> {
  const memberships = ids(
    await service.get(`/v1/cell-memberships?filter[cell]=${from}&filter[status]=active`),
  );
  const answer = await service.post(
    "/v1/cell-transfers",
    document(
      "cell-transfers",
      {},
      {
        relationships: {
          "memberships": identifiers("cell-memberships", memberships),
          "to-cell": { data: { type: "cells", id: to } },
        },
      },
    ),
  );
  assert.equal(answer.status, 201, answer.text);
  return `/v1/cell-transfers/${one(answer).id}`;
}

const result = (answer: Answer) => [answer.status, codes(answer)];
const announced = async (path: string) =>
  (one(await service.get(`${path}?meta[may]=true`)).meta as { may: { delete: unknown } }).may
    .delete;

test("204 · the members are back with their roles and days, and the other cell has no trace of them", async () => {
  await makeEndpoint(db, account.id, {
    events: ["cell-membership.ended", "cell-membership.created", "cell-membership.updated"],
  });
  const { from, path, people, to } = await transferred("leader", "participant");
  assert.equal(await announced(path), true);
  const events = await eventsOf(async () => {
    assert.equal((await service.delete(path)).status, 204);
  });
  assert.deepEqual(events.map(String).sort(), [
    "cell-membership.ended",
    "cell-membership.ended",
    "cell-membership.updated",
    "cell-membership.updated",
  ]);
  assert.deepEqual(
    await membersOf(from),
    Object.fromEntries(
      people.map(({ id }, at) => [id, [["leader", "participant"][at], "2026-01-01"]]),
    ),
  );
  for (const { attributes } of await membershipsOf(from))
    assert.deepEqual([attributes["left-on"], attributes["left-reason"]], [null, null]);
  assert.deepEqual(await membershipsOf(to), []);
  assert.equal((await service.get(path)).status, 404);
});

test("204 · a person who was in the other cell before stays there, too", async () => {
  const [from, to] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const { id } = await makeMember(db, account.id, from, { cell_role: "host" });
  await join(db, account.id, to, id, { cell_role: "visitor" });
  const path = await transfer(from, to);
  assert.equal((await service.delete(path)).status, 204);
  assert.deepEqual(await membersOf(from), { [id]: ["host", "2026-01-01"] });
  // The role that the transfer raised stays.
  assert.deepEqual(await membersOf(to), { [id]: ["host", "2026-01-01"] });
});

test("409 · nothing is taken back once a person has moved on, after 7 days, or into a closed cell", async () => {
  const ended = await transferred("host", "participant");
  await db`
    update cell_memberships set status = 'left', left_on = joined_on, version = version + 1
    where account_id = ${account.id} and cell_id = ${ended.to} and cell_role = 'host'`;
  const old = await transferred("host");
  const weekAgo = db`created_at = created_at - interval '8 days', modified_at = modified_at - interval '8 days'
    where account_id = ${account.id}`;
  await db`update cell_transfers set ${weekAgo}`;
  await db`update cell_memberships set ${weekAgo}`;
  const closed = await transferred("host");
  await db`update cells set closed_at = now() where account_id = ${account.id} and id = ${closed.from}`;
  for (const { path, to } of [ended, old, closed]) {
    const before = await membersOf(to);
    assert.equal(await announced(path), "conflict");
    assert.deepEqual(result(await service.delete(path)), [409, ["conflict"]]);
    assert.deepEqual(await membersOf(to), before);
  }
});

test("409 · a person who has become a participant of a third cell is not one of two", async () => {
  const { path, people, to } = await transferred("participant");
  await db`update cell_memberships set cell_role = 'visitor' where account_id = ${account.id} and cell_id = ${to}`;
  const third = await makeCell(db, account.id);
  await join(db, account.id, third, people[0]?.id ?? "");
  assert.deepEqual(result(await service.delete(path)), [409, ["participant-elsewhere"]]);
});

test("403 · both cells need cell-memberships:write, and a leader brings no leader back", async () => {
  const { from, path, to } = await transferred("participant");
  const leader = await makeMember(db, account.id, from, { cell_role: "leader" });
  const as = { as: leader.token };
  assert.equal((await service.delete(path, as)).status, 403);
  await join(db, account.id, to, leader.id, { cell_role: "leader" });
  assert.equal((await service.delete(path, as)).status, 204);

  const leading = await transferred("co-leader");
  for (const cell of [leading.from, leading.to])
    await join(db, account.id, cell, leader.id, { cell_role: "leader" });
  assert.equal((await service.delete(leading.path, as)).status, 403);
});
