import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint, makePerson } from "../../support/make.ts";
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
await makeEndpoint(db, account.id, { events: ["cell.multiplied", "cell.created"] });

const people = (...ids: string[]) => ({ data: ids.map((id) => ({ type: "people", id })) });

/** A cell with a leader, a co-leader and members in a sector with a supervisor. */
async function stage() {
  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const cell = await makeCell(db, account.id, {
    parent_id: sector,
    category: "Families",
    weekday: 3,
    starts_at: 1_200,
    ends_at: 1_290,
    capacity: 20,
  });
  const member = (cell_role: string) => makeMember(db, account.id, cell, { cell_role });
  return {
    sector,
    cell,
    supervisor: await makeMember(db, account.id, sector, { cell_role: "leader" }),
    leader: await member("leader"),
    helper: await member("co-leader"),
    host: await member("host"),
    participant: await member("participant"),
    staying: await member("participant"),
  };
}

interface Proposal {
  newCell?: Record<string, unknown>;
  members: string[];
  leaders: string[];
  as?: string;
}
const propose = (cell: string, { as, leaders, members, newCell }: Proposal): Promise<Answer> =>
  service.post(
    "/v1/cell-multiplications",
    document(
      "cell-multiplications",
      { "new-cell": newCell ?? { name: "II" }, "note": "We are 18" },
      {
        relationships: {
          "parent-cell": { data: { type: "cells", id: cell } },
          "members": people(...members),
          "leaders": people(...leaders),
        },
      },
    ),
    as ? { as } : {},
  );
const change = (
  id: string,
  attributes: Record<string, unknown>,
  { as, members }: { as?: string; members?: string[] } = {},
) =>
  service.patch(
    `/v1/cell-multiplications/${id}`,
    document("cell-multiplications", attributes, {
      id,
      ...(members && { relationships: { members: people(...members) } }),
    }),
    as ? { as } : {},
  );
const activeIn = async (cell: string) => {
  const query = `filter[cell]=${cell}&filter[status]=active&include=person`;
  const all = many(await service.get(`/v1/cell-memberships?${query}`));
  return Object.fromEntries(
    all.map((one) => [linkedId(one, "person"), one.attributes["cell-role"]]),
  );
};

test("200 · a leader proposes and a supervisor approves, which makes the new cell at once", async () => {
  const { cell, helper, host, leader, participant, sector, staying, supervisor } = await stage();
  const proposed = await propose(cell, {
    newCell: { "name": "Jardim II", "weekday": 4, "starts-at": 1_300 },
    members: [helper.id, host.id, participant.id],
    leaders: [participant.id],
    as: leader.token,
  });
  assert.equal(proposed.status, 201, proposed.text);
  assert.equal(one(proposed).attributes["status"], "proposed");
  const { id } = one(proposed);
  const early = await change(id, { status: "approved" }, { as: leader.token });
  assert.deepEqual([early.status, pointers(early)], [403, ["/data/attributes/status"]]);

  await db`
    update cell_memberships set status = 'left', left_on = current_date, left_reason = 'other'
    where person_id = ${host.id}`;
  const told = await eventsOf(async () => {
    const approved = await change(id, { status: "approved" }, { as: supervisor.token });
    assert.equal(approved.status, 200, approved.text);
    assert.equal(one(approved).attributes["status"], "done");
    assert.deepEqual(one(approved).relationships["decided-by"]?.data, {
      type: "people",
      id: supervisor.id,
    });
  });
  const count = (type: string) => told.filter((one) => one === type).length;
  assert.deepEqual(
    ["cell.created", "cell.multiplied", "cell-membership.ended", "cell-membership.created"].map(
      count,
    ),
    [1, 1, 2, 2],
  );
  assert.ok(!told.includes("cell.updated"));

  const done = one(await service.get(`/v1/cell-multiplications/${id}`));
  const resulting = linkedId(done, "resulting-cell");
  const made = one(await service.get(`/v1/cells/${resulting}`));
  assert.partialDeepStrictEqual(made.attributes, {
    "name": "Jardim II",
    "category": "Families",
    "weekday": 4,
    "starts-at": 1_300,
    "ends-at": null,
    "capacity": null,
  });
  assert.deepEqual(made.relationships["parent"]?.data, { type: "cells", id: sector });
  assert.deepEqual(made.relationships["multiplied-from"]?.data, { type: "cells", id: cell });
  assert.deepEqual(made.relationships["supervisors"]?.data, [
    { type: "people", id: supervisor.id },
  ]);
  assert.deepEqual(await activeIn(resulting), {
    [participant.id]: "leader",
    [helper.id]: "co-leader",
  });
  assert.deepEqual(await activeIn(cell), {
    [leader.id]: "leader",
    [staying.id]: "participant",
  });
  const [old] = many(
    await service.get(`/v1/cell-memberships?filter[cell]=${cell}&filter[person]=${helper.id}`),
  );
  assert.equal(old?.attributes["left-reason"], "multiplied");
  const again = await change(id, { status: "rejected" });
  assert.deepEqual([again.status, codes(again)], [409, ["invalid-transition"]]);
});

test("200 · approved twice in parallel, a multiplication makes one cell", async () => {
  const { cell, participant, sector } = await stage();
  const { id } = one(await propose(cell, { members: [participant.id], leaders: [participant.id] }));
  const answers = await Promise.all([1, 2, 3].map(() => change(id, { status: "approved" })));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
  for (const status of statuses) assert.ok([200, 409].includes(status), String(statuses));
  const below = await service.get(`/v1/cells?filter[parent]=${sector}`);
  assert.equal(below.document.meta?.["total"], 2);
});

test("422 · members and leaders are active members of the cell, named at their entries", async () => {
  const { cell, participant } = await stage();
  const stranger = await makePerson(db, account.id);
  const strange = await propose(cell, {
    members: [participant.id, stranger.id],
    leaders: [participant.id],
  });
  assert.deepEqual(
    [strange.status, pointers(strange)],
    [422, ["/data/relationships/members/data/1/id"]],
  );
  const empty = await propose(cell, { members: [participant.id], leaders: [] });
  assert.deepEqual([empty.status, pointers(empty)], [422, ["/data/relationships/leaders/data"]]);
  const times = { "name": "x", "starts-at": 600, "ends-at": 600 };
  const late = await propose(cell, {
    newCell: times,
    members: [participant.id],
    leaders: [participant.id],
  });
  assert.deepEqual([late.status, pointers(late)], [422, ["/data/attributes/new-cell/ends-at"]]);
});

test("403 · the proposer changes a proposal; other leaders, members and strangers do not", async () => {
  const { cell, helper, leader, participant, supervisor } = await stage();
  const { id } = one(
    await propose(cell, {
      members: [participant.id],
      leaders: [participant.id],
      as: leader.token,
    }),
  );
  const changed = await change(
    id,
    { note: "We are 19" },
    { as: leader.token, members: [participant.id, helper.id] },
  );
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await change(id, { note: "x" }, { as: helper.token })).status, 403);
  assert.equal((await change(id, { note: "x" }, { as: participant.token })).status, 403);
  const outside = await change(id, {}, { as: leader.token, members: [supervisor.id] });
  assert.equal(outside.status, 422);
  const linkage = `/v1/cell-multiplications/${id}/relationships/members`;
  assert.equal((await service.patch(linkage, people(supervisor.id))).status, 405);
  const rejected = await change(
    id,
    { "status": "rejected", "decline-reason": "Not yet" },
    { as: supervisor.token },
  );
  assert.equal(one(rejected).attributes["decline-reason"], "Not yet");
  assert.equal((await change(id, { note: "x" }, { as: leader.token })).status, 422);
});

test("409 · a closed cell is neither proposed nor multiplied", async () => {
  const { cell, participant } = await stage();
  const proposal = { members: [participant.id], leaders: [participant.id] };
  const { id } = one(await propose(cell, proposal));
  await db`update cells set closed_at = now() where id = ${cell}`;
  const approved = await change(id, { status: "approved" });
  assert.deepEqual([approved.status, codes(approved)], [409, ["cell-closed"]]);
  const again = await propose(cell, proposal);
  assert.deepEqual([again.status, codes(again)], [409, ["cell-closed"]]);
  assert.equal(
    one(await service.get(`/v1/cell-multiplications/${id}`)).attributes["status"],
    "proposed",
  );
});
