import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makeEndpoint, makePerson, type Member } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const day = (days: number) => dayFromToday(db, account.id, days);
const today = await day(0);

const membershipOf = async (cell: string, { id }: { id: string }): Promise<string> => {
  const query = `filter[cell]=${cell}&filter[person]=${id}&filter[status]=active`;
  return ids(await service.get(`/v1/cell-memberships?${query}`))[0] ?? "";
};
const identifiers = (type: string, all: readonly string[]) => ({
  data: all.map((id) => ({ type, id })),
});
const transfer = (
  memberships: readonly string[],
  toCell: string,
  { as, ...attributes }: { "as"?: Member; "transferred-on"?: string } = {},
) =>
  service.post(
    "/v1/cell-transfers",
    document("cell-transfers", attributes, {
      relationships: {
        "memberships": identifiers("cell-memberships", memberships),
        "to-cell": { data: { type: "cells", id: toCell } },
      },
    }),
    as ? { as: as.token } : {},
  );
/** The active members of a cell with their roles. */
const rolesIn = async (cell: string) =>
  new Map(
    many(await service.get(`/v1/cell-memberships?filter[cell]=${cell}&filter[status]=active`)).map(
      (row) => [linkedId(row, "person"), row.attributes["cell-role"]],
    ),
  );
const entry = (position: number) => `/data/relationships/memberships/data/${position}/id`;
const twoCells = async () =>
  [await makeCell(db, account.id), await makeCell(db, account.id)] as const;
/** A cell with some members of the given roles, another cell, and their memberships. */
async function network(...roles: string[]) {
  const [from, to] = await twoCells();
  const people: Member[] = [];
  for (const cell_role of roles) people.push(await makeMember(db, account.id, from, { cell_role }));
  const memberships: string[] = [];
  for (const person of people) memberships.push(await membershipOf(from, person));
  return { from, to, people, memberships };
}

test("201 · memberships end and begin on a day with their roles, and everything is one batch", async () => {
  await makeEndpoint(db, account.id, {
    events: ["cell-membership.ended", "cell-membership.created", "cell-membership.updated"],
  });
  const { from, memberships, people, to } = await network(
    "participant",
    "visitor",
    "host",
    "trainee",
  );
  const [, , host, trainee] = people;
  await join(db, account.id, to, host?.id ?? "", { cell_role: "visitor" });
  await join(db, account.id, to, trainee?.id ?? "", { cell_role: "co-leader" });
  const on = await day(-2);
  const events = await eventsOf(async () => {
    const answer = await transfer(memberships, to, { "transferred-on": on });
    assert.equal(answer.status, 201, answer.text);
    const { attributes, relationships } = one(answer);
    assert.equal(attributes["transferred-on"], on);
    assert.deepEqual(relationships["from-cell"]?.data, { type: "cells", id: from });
    const read = await service.get(answer.headers.get("location") ?? "");
    assert.deepEqual(
      ((one(read).relationships["memberships"]?.data ?? []) as { id: string }[])
        .map(({ id }) => id)
        .sort(),
      [...memberships].sort(),
    );
    const elsewhere = await makeCell(db, account.id);
    for (const [cell, found] of [
      [from, 1],
      [to, 1],
      [elsewhere, 0],
    ] as const)
      assert.equal(ids(await service.get(`/v1/cell-transfers?filter[cell]=${cell}`)).length, found);
  });
  assert.deepEqual(
    Object.fromEntries(
      Map.groupBy(events, String)
        .entries()
        .map(([type, all]) => [type, all.length]),
    ),
    { "cell-membership.ended": 4, "cell-membership.created": 2, "cell-membership.updated": 1 },
  );
  const [batches] = await db<{ count: number }[]>`
    select count(distinct batch_id)::int as count from webhook_events
    where account_id = ${account.id} and event_type like 'cell-membership.%'`;
  assert.equal(batches?.count, 1);
  assert.deepEqual((await rolesIn(from)).size, 0);
  // A person who is there already keeps the higher role.
  assert.deepEqual(
    Object.fromEntries(await rolesIn(to)),
    Object.fromEntries(
      people.map(({ id }, n) => [id, ["participant", "visitor", "host", "co-leader"][n]]),
    ),
  );
  const ended = many(await service.get(`/v1/cell-memberships?filter[cell]=${from}`));
  for (const { attributes } of ended)
    assert.partialDeepStrictEqual(attributes, {
      "status": "left",
      "left-on": on,
      "left-reason": "moved-cell",
    });
  const [begun] = many(
    await service.get(`/v1/cell-memberships?filter[cell]=${to}&filter[person]=${people[0]?.id}`),
  );
  assert.equal(begun?.attributes["joined-on"], on);
});

test("201 · leaders become participants, unless the caller may give the role there", async () => {
  const { memberships, people, to } = await network("leader", "co-leader");
  assert.equal((await transfer(memberships, to)).status, 201);
  assert.deepEqual(people.map(({ id }) => id).sort(), [...(await rolesIn(to)).keys()].sort());
  assert.deepEqual(new Set((await rolesIn(to)).values()), new Set(["leader", "co-leader"]));

  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const [own, sibling] = [
    await makeCell(db, account.id, { parent_id: sector }),
    await makeCell(db, account.id, { parent_id: sector }),
  ];
  const supervisor = await makePerson(db, account.id);
  const scoped = (role: string, cell: string, scopeType = "cell") =>
    makeAssignment(db, account.id, { personId: supervisor.id, role, scopeType, scopeIds: [cell] });
  await scoped("cell-supervisor", own, "cell-tree");
  await scoped("cell-leader", sibling);
  const leader = await makeMember(db, account.id, own, { cell_role: "leader" });
  const answer = await transfer([await membershipOf(own, leader)], sibling, { as: supervisor });
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual([...(await rolesIn(sibling))], [[leader.id, "participant"]]);
});

test("403 · both cells need cell-memberships:write, and a leader dismisses no leader", async () => {
  const { from, memberships, to } = await network("co-leader", "participant");
  const [, member = ""] = memberships;
  const leader = await makeMember(db, account.id, from, { cell_role: "leader" });
  const outside = await transfer([member], to, { as: leader });
  assert.equal(outside.status, 403, outside.text);
  await join(db, account.id, to, leader.id, { cell_role: "leader" });
  const dismissed = await transfer(memberships, to, { as: leader });
  assert.deepEqual([dismissed.status, pointers(dismissed)], [403, [entry(0)]]);
  const moved = await transfer([member], to, { as: leader });
  assert.equal(moved.status, 201, moved.text);

  // The secretary of another cell reads the memberships of this one and cannot change them.
  const reader = await makePerson(db, account.id);
  const give = (role: string, cell: string) =>
    makeAssignment(db, account.id, {
      personId: reader.id,
      role,
      scopeType: "cell",
      scopeIds: [cell],
    });
  await give("cell-trainee", to);
  await give("cell-leader", from);
  const [back = ""] = ids(
    await service.get(`/v1/cell-memberships?filter[cell]=${to}&filter[status]=active`),
  );
  const taken = await transfer([back], from, { as: reader });
  assert.deepEqual([taken.status, pointers(taken)], [403, ["/data/relationships/memberships"]]);
});

test("422 · 1 to 100 active and visible memberships of one cell, each entry at its place", async () => {
  const { from, memberships, to } = await network("participant", "visitor");
  const other = await makeMember(db, account.id, to);
  const elsewhere = await membershipOf(to, other);
  const [first = "", second = ""] = memberships;
  const refused = async (...given: Parameters<typeof transfer>) => {
    const answer = await transfer(...given);
    return [answer.status, codes(answer), pointers(answer)];
  };
  const list = "/data/relationships/memberships/data";
  const invalid = (...places: string[]) => [422, places.map(() => "invalid-relationship"), places];
  assert.deepEqual(await refused([], to), invalid(list));
  assert.deepEqual(await refused(Array.from({ length: 101 }, newId), to), invalid(list));
  assert.deepEqual(await refused([first, elsewhere], to), invalid(entry(1)));
  assert.deepEqual(await refused([first, newId()], to), invalid(entry(1)));
  assert.deepEqual(await refused(memberships, from), invalid("/data/relationships/to-cell/data"));
  const leader = await makeMember(db, account.id, to, { cell_role: "leader" });
  assert.deepEqual(await refused([first, second], to, { as: leader }), invalid(entry(0), entry(1)));
  for (const date of [await day(2), "2025-12-31"])
    assert.deepEqual(await refused([first], to, { "transferred-on": date }), [
      422,
      ["invalid-attribute"],
      ["/data/attributes/transferred-on"],
    ]);
  assert.equal((await transfer([first], to)).status, 201);
  assert.deepEqual(await refused([second, first], to), invalid(entry(1)));
  assert.equal((await rolesIn(from)).size, 1, "nothing moves if an entry is rejected");
});

test("409 · a closed cell, and a participant of a third cell", async () => {
  const { from, memberships, people, to } = await network("participant", "host");
  const closed = await makeCell(db, account.id, { closed_at: "2026-01-01T00:00:00Z" });
  const late = await transfer(memberships, closed);
  assert.deepEqual([late.status, codes(late)], [409, ["cell-closed"]]);
  const third = await makeCell(db, account.id);
  await join(db, account.id, third, people[1]?.id ?? "", { cell_role: "participant" });
  // A host of the new cell stays one, so the third cell does not matter.
  assert.equal((await transfer(memberships.slice(1), to)).status, 201);
  await db`
    update cell_memberships set cell_role = 'host'
    where account_id = ${account.id} and cell_id = ${from} and status = 'active'`;
  await join(db, account.id, third, people[0]?.id ?? "", { cell_role: "participant" });
  await db`
    update cell_memberships set cell_role = 'participant'
    where account_id = ${account.id} and cell_id = ${from} and status = 'active'`;
  const elsewhere = await transfer(memberships.slice(0, 1), to);
  assert.deepEqual(
    [elsewhere.status, codes(elsewhere), pointers(elsewhere)],
    [409, ["participant-elsewhere"], [entry(0)]],
  );
});

test("201 · 422 · two transfers of one membership at the same time move it once", async () => {
  const { memberships, people, to } = await network("participant");
  const other = await makeCell(db, account.id);
  const answers = await together(db, account.id, [
    () => transfer(memberships, to),
    () => transfer(memberships, other),
  ]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 422]));
  const [known, none] = answers[0]?.status === 201 ? [to, other] : [other, to];
  assert.deepEqual([...(await rolesIn(known)).keys()], [people[0]?.id]);
  assert.equal((await rolesIn(none)).size, 0);
});

test("people who join or leave during a transfer are in one cell, once", async () => {
  const { memberships, people, to } = await network("host", "participant");
  const [host, participant] = people;
  const add = (person: string) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "visitor" },
        {
          relationships: {
            cell: { data: { type: "cells", id: to } },
            person: { data: { type: "people", id: person } },
          },
        },
      ),
    );
  const leave = (id: string) =>
    service.patch(
      `/v1/cell-memberships/${id}`,
      document("cell-memberships", { status: "left" }, { id }),
    );
  const joined = await together(db, account.id, [
    () => transfer(memberships.slice(0, 1), to),
    () => add(host?.id ?? ""),
  ]);
  assert.equal(joined[0]?.status, 201);
  assert.ok([201, 409].includes(joined[1]?.status ?? 0));
  assert.equal((await rolesIn(to)).get(host?.id ?? ""), "host");
  // The end of a membership waits for no lock of people, so either of them can be first.
  const [moved, gone] = await Promise.all([
    transfer(memberships.slice(1), to),
    leave(memberships[1] ?? ""),
  ]);
  // A membership that has ended can be changed to its present status.
  assert.ok([201, 422].includes(moved.status), moved.text);
  assert.equal(gone.status, 200, gone.text);
  assert.equal((await rolesIn(to)).has(participant?.id ?? ""), moved.status === 201);
  const former = one(await service.get(`/v1/cell-memberships/${memberships[1]}`)).attributes;
  assert.equal(former["status"], "left");
  assert.equal(former["left-on"], today);
});
