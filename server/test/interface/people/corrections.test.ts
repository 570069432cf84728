import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson, type Member } from "../../support/make.ts";
import {
  codes,
  document,
  ids,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

/** Leaders correct the prospects whom they typed, and reach the people who have just left. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const leaderOf = (cell: string) => makeMember(db, account.id, cell, { cell_role: "leader" });
const change = (id: string, attributes: Record<string, unknown>, as: Member) =>
  service.patch(`/v1/people/${id}`, document("people", attributes, { id }), { as: as.token });
const add = async (attributes: Record<string, unknown>, as: Member) => {
  const answer = await service.post("/v1/people", document("people", attributes), { as: as.token });
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const refused = async (id: string, attributes: Record<string, unknown>, as: Member) => {
  const answer = await change(id, attributes, as);
  return [answer.status, codes(answer), pointers(answer)];
};
const forbidden = (...names: string[]) => [
  403,
  names.map(() => "forbidden"),
  names.map((name) => `/data/attributes/${name}`),
];

test("200 · a leader corrects the prospect that they typed, also in a report", async () => {
  const cell = await makeCell(db, account.id);
  const leader = await leaderOf(cell);
  const typed = await add({ "full-name": "Rui Mello" }, leader);
  const sent = {
    "full-name": "Rui Melo",
    "first-name": "Rui",
    "last-name": "Melo",
    "preferred-name": "Rui",
    "birth-month-day": "05-17",
    "phones": [{ number: "+5511912345678", label: "mobile" }],
    "email": "rui@church.example",
  };
  const corrected = await change(typed, sent, leader);
  assert.equal(corrected.status, 200, corrected.text);
  assert.partialDeepStrictEqual(one(corrected).attributes, sent);

  const report = await service.post(
    "/v1/cell-meetings?include=attendances",
    document(
      "cell-meetings",
      { date: await dayFromToday(db, account.id, -1), visitors: [{ "full-name": "Eva Diaz" }] },
      { relationships: { cell: { data: { type: "cells", id: cell } } } },
    ),
    { as: leader.token },
  );
  const [row] = report.document.included ?? [];
  const visitor = (row && linkedId(row, "person")) ?? "";
  const named = await change(visitor, { "full-name": "Eva Dias" }, leader);
  assert.equal(named.status, 200, named.text);
  const other = await leaderOf(cell);
  assert.deepEqual(await refused(visitor, { "full-name": "Eva" }, other), forbidden("full-name"));
});

test("403 · neither members of the cell, nor after 30 days, nor once the person is no prospect", async () => {
  const cell = await makeCell(db, account.id);
  const leader = await leaderOf(cell);
  const member = await makeMember(db, account.id, cell);
  const names = { "full-name": "Other", "birth-month-day": "05-17" };
  assert.deepEqual(
    await refused(member.id, names, leader),
    forbidden("full-name", "birth-month-day"),
  );
  const typed = await add({ "full-name": "Rui Mello" }, leader);
  for (const name of ["occupation", "membership-status"])
    assert.deepEqual(
      await refused(typed, { [name]: name === "occupation" ? "Carpenter" : "member" }, leader),
      forbidden(name),
    );
  const set = (columns: string) =>
    db.query(`update people set ${columns} where id = '${typed}' and account_id = '${account.id}'`);
  await set("created_at = now() - interval '31 days'");
  assert.deepEqual(await refused(typed, { "full-name": "Rui" }, leader), forbidden("full-name"));
  // Telephone numbers need person-contacts:write only, while the person is in scope.
  assert.equal((await change(typed, { phones: [] }, leader)).status, 200);
  await set("created_at = now(), membership_status = 'attender'");
  await join(db, account.id, cell, typed);
  assert.deepEqual(await refused(typed, { "full-name": "Rui" }, leader), forbidden("full-name"));
  // The present value needs no right.
  assert.equal((await change(typed, { "full-name": "Rui Mello" }, leader)).status, 200);
});

test("200 · the e-mail address of another person is stored among the others, and not reported", async () => {
  const cell = await makeCell(db, account.id);
  const leader = await leaderOf(cell);
  const taken = await makePerson(db, account.id, { email: "taken@church.example" });
  const typed = await add({ "full-name": "Rui Melo", "email": "rui.melo@church.example" }, leader);
  const member = await makeMember(db, account.id, cell);
  for (const id of [typed, member.id]) {
    const answer = await change(id, { email: "taken@church.example" }, leader);
    assert.equal(answer.status, 200, answer.text);
    assert.notEqual(one(answer).attributes["email"], "taken@church.example");
    const { attributes } = one(await service.get(`/v1/people/${id}`));
    assert.deepEqual(attributes["other-emails"], ["taken@church.example"]);
  }
  assert.equal(
    one(await service.get(`/v1/people/${taken.id}`)).attributes["email"],
    "taken@church.example",
  );
  const office = await service.patch(
    `/v1/people/${typed}`,
    document("people", { email: "taken@church.example" }, { id: typed }),
  );
  assert.deepEqual([office.status, codes(office)], [409, ["already-exists"]]);
});

test("200 · 404 · people who left in the last 30 days stay in the scope, in the reduced view", async () => {
  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const cell = await makeCell(db, account.id, { parent_id: sector });
  const left = async (daysAgo: number) =>
    makeMember(db, account.id, cell, {
      status: "left",
      left_on: await dayFromToday(db, account.id, -daysAgo),
      joined_on: "2020-01-01",
    });
  const [today, last, gone] = [await left(0), await left(30), await left(31)];
  const present = await makeMember(db, account.id, cell);
  const leader = await leaderOf(cell);
  const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
  const details = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: details.id,
    role: "secretary",
    scopeType: "cell-tree",
    scopeIds: [sector],
  });
  for (const { id: reader, token: as } of [leader, supervisor, details]) {
    const list = await service.get("/v1/people?page[size]=100", { as });
    const seen = new Set(ids(list));
    assert.ok(seen.has(today.id) && seen.has(last.id) && !seen.has(gone.id));
    assert.equal(list.document.meta?.["total"], seen.size);
    assert.equal((await service.get(`/v1/people/${gone.id}`, { as })).status, 404);
    const read = one(await service.get(`/v1/people/${last.id}`, { as }));
    assert.equal(read.attributes["full-name"] !== undefined, true);
    assert.equal("occupation" in read.attributes, false);
    const member = one(await service.get(`/v1/people/${present.id}`, { as }));
    assert.equal("occupation" in member.attributes, reader === details.id);
  }
  // A leader takes back a person who has just left.
  const back = await service.post(
    "/v1/cell-memberships",
    document(
      "cell-memberships",
      { "cell-role": "participant" },
      {
        relationships: {
          cell: { data: { type: "cells", id: cell } },
          person: { data: { type: "people", id: last.id } },
        },
      },
    ),
    { as: leader.token },
  );
  assert.equal(back.status, 201, back.text);
  const shown = many(
    await service.get(`/v1/cell-memberships?filter[person]=${last.id}`, { as: leader.token }),
  );
  assert.equal(shown.length, 2);
});
