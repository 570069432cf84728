import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint, makePerson, makeAssignment } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, {
  events: ["cell-membership.created", "cell-membership.updated", "cell-membership.ended"],
});

const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const cell = await makeCell(db, account.id, { parent_id: sector });
const other = await makeCell(db, account.id);
const [yesterday, today, tomorrow, later] = await Promise.all(
  [-1, 0, 1, 2].map((days) => dayFromToday(db, account.id, days)),
);

interface Caller {
  as?: string;
}
const join = (
  personId: string,
  attributes: Record<string, unknown> = {},
  { as, to = cell }: Caller & { to?: string } = {},
): Promise<Answer> =>
  service.post(
    "/v1/cell-memberships",
    document(
      "cell-memberships",
      { "cell-role": "participant", ...attributes },
      {
        relationships: {
          cell: { data: { type: "cells", id: to } },
          person: { data: { type: "people", id: personId } },
        },
      },
    ),
    as ? { as } : {},
  );
const change = (id: string, attributes: Record<string, unknown>, { as }: Caller = {}) =>
  service.patch(
    `/v1/cell-memberships/${id}`,
    document("cell-memberships", attributes, { id }),
    as ? { as } : {},
  );
const person = async () => (await makePerson(db, account.id)).id;
const joined = async (attributes: Record<string, unknown> = {}) => {
  const answer = await join(await person(), attributes);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const refused = (answer: Answer) => [answer.status, ...codes(answer), ...pointers(answer)];
const at = (name: string) => `/data/attributes/${name}`;

test("201 · a membership begins today unless a date is sent", async () => {
  const answer = await join(await person());
  assert.partialDeepStrictEqual(one(answer).attributes, {
    "cell-role": "participant",
    "status": "active",
    "joined-on": today,
    "left-on": null,
    "left-reason": null,
  });
  const dated = one(await join(await person(), { "joined-on": "2020-02-29" }));
  assert.equal(dated.attributes["joined-on"], "2020-02-29");
});

test("200 · ending a membership fills in the day and the reason; a return is a new membership", async () => {
  const id = await joined();
  const ended = await change(id, { status: "left" });
  assert.partialDeepStrictEqual(one(ended).attributes, {
    "status": "left",
    "left-on": today,
    "left-reason": "other",
  });
  const again = await change(id, { status: "active" });
  assert.deepEqual(refused(again), [409, "invalid-transition", at("status")]);
  assert.deepEqual(again.document.errors?.[0]?.meta?.["allowed"], []);
  const corrected = await change(id, { "left-reason": "left-church", "left-on": tomorrow });
  assert.equal(corrected.status, 200, corrected.text);
  assert.equal((await join(linkedId(one(ended), "person"))).status, 201);
});

test("422 · impossible dates, and an end of an active membership, are named", async () => {
  const invalid = (name: string) => [422, "invalid-attribute", at(name)];
  assert.deepEqual(
    refused(await join(await person(), { "joined-on": later })),
    invalid("joined-on"),
  );
  assert.deepEqual(refused(await join(await person(), { "left-on": today })), invalid("left-on"));
  const id = await joined({ "joined-on": today });
  assert.deepEqual(refused(await change(id, { "left-on": today })), invalid("left-on"));
  assert.deepEqual(refused(await change(id, { "left-reason": "other" })), invalid("left-reason"));
  const early = await change(id, { "status": "left", "left-on": yesterday });
  assert.deepEqual(refused(early), invalid("left-on"));
  const late = await change(id, { "status": "left", "left-on": later });
  assert.deepEqual(refused(late), invalid("left-on"));
  await change(id, { status: "left" });
  assert.deepEqual(refused(await change(id, { "left-on": null })), invalid("left-on"));
});

test("409 · a second active membership of the same cell is rejected, with the id of the first", async () => {
  const personId = await person();
  const first = one(await join(personId)).id;
  const second = await join(personId, { "cell-role": "visitor" });
  assert.deepEqual(refused(second), [409, "already-exists", "/data/relationships/person/data"]);
  assert.equal(second.document.errors?.[0]?.meta?.["id"], first);
});

test("409 · a participant of another cell is rejected, unless the account allows several cells", async () => {
  const personId = await person();
  await join(personId);
  const elsewhere = [409, "participant-elsewhere", at("cell-role")];
  assert.deepEqual(refused(await join(personId, {}, { to: other })), elsewhere);
  const helper = await join(personId, { "cell-role": "host" }, { to: other });
  assert.equal(helper.status, 201, helper.text);
  const promoted = await change(one(helper).id, { "cell-role": "participant" });
  assert.deepEqual(refused(promoted), elsewhere);
  const allow = (several: boolean | null) =>
    service.patch(
      "/v1/accounts/me",
      document("accounts", { settings: { "one-participant-cell": several } }, { id: account.id }),
    );
  await allow(false);
  const now = await change(one(helper).id, { "cell-role": "participant" });
  assert.equal(now.status, 200, now.text);
  await allow(null);
});

test("201 · only the role `participant` is limited to one cell: leaders of other cells join", async () => {
  for (const role of ["leader", "co-leader", "trainee", "host", "secretary", "visitor"]) {
    const personId = await person();
    const first = await join(personId, { "cell-role": role }, { to: other });
    assert.equal(first.status, 201, first.text);
    const second = await join(personId);
    assert.equal(second.status, 201, `${role}: ${second.text}`);
  }
});

test("409 · parallel requests make a person a member of one cell, once", async () => {
  const personId = await person();
  const twice = await together(db, account.id, [
    () => join(personId, { "cell-role": "visitor" }),
    () => join(personId, { "cell-role": "visitor" }),
    () => join(personId, { "cell-role": "visitor" }),
  ]);
  assert.deepEqual(
    twice.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409, 409],
  );
  const another = await person();
  const both = await together(db, account.id, [
    () => join(another),
    () => join(another, {}, { to: other }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  );
});

test("409 · a closed cell takes no members", async () => {
  const closed = await makeCell(db, account.id, { closed_at: "2026-01-01T00:00:00Z" });
  const answer = await join(await person(), {}, { to: closed });
  assert.deepEqual(refused(answer), [409, "cell-closed", "/data/relationships/cell/data"]);
});

test("403 · leaders are appointed by supervisors, leaders of supervisions for the whole account only", async () => {
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
  const forbidden = [403, "forbidden", at("cell-role")];
  const member = await makeMember(db, account.id, cell);
  const [row] = await db<{ id: string }[]>`
    select id from cell_memberships where person_id = ${member.id}`;
  const id = row?.id ?? "";
  const as = leader.token;
  assert.equal((await change(id, { "cell-role": "trainee" }, { as })).status, 200);
  assert.deepEqual(refused(await change(id, { "cell-role": "co-leader" }, { as })), forbidden);
  const promoted = await change(id, { "cell-role": "leader" }, { as: supervisor.token });
  assert.equal(promoted.status, 200, promoted.text);
  assert.deepEqual(refused(await change(id, { status: "left" }, { as })), forbidden);
  assert.deepEqual(refused(await change(id, { "cell-role": "host" }, { as })), forbidden);

  const newcomer = await makeMember(db, account.id, sector);
  const [above] = await db<{ id: string }[]>`
    select id from cell_memberships where person_id = ${newcomer.id}`;
  const appoint = { "cell-role": "leader" };
  const own = await change(above?.id ?? "", appoint, { as: supervisor.token });
  assert.deepEqual(refused(own), forbidden);
  const pastor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: pastor.id, role: "pastor" });
  const appointed = await change(above?.id ?? "", appoint, { as: pastor.token });
  assert.equal(appointed.status, 200, appointed.text);
});

test("cell-membership events: created, updated, and ended without updated", async () => {
  const told = await eventsOf(async () => {
    const id = await joined();
    await change(id, { "cell-role": "host" });
    await change(id, { "cell-role": "host" });
    await change(id, { "status": "left", "left-reason": "left-church" });
    await service.delete(`/v1/cell-memberships/${id}`);
  });
  assert.deepEqual(told, [
    "cell-membership.created",
    "cell-membership.updated",
    "cell-membership.ended",
  ]);
});
