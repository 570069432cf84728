import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makeEndpoint, makePerson } from "../../support/make.ts";
import { grant } from "../../support/roles.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { meanwhile } from "../../support/together.ts";

/** Attacks of a cell leader on people and cells outside the scope, and on the hidden members of people inside it. */

// Every write confirms the rights of its caller before it ends.
const service = await startService({ callerMsMax: 0 });
after(() => service.stop());
const { account, db } = service;

const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const own = await makeCell(db, account.id, { parent_id: sector });
const far = await makeCell(db, account.id);
const leader = await makeMember(db, account.id, own, { cell_role: "leader" });
const member = await makeMember(db, account.id, own);
await makeEndpoint(db, account.id, {
  events: ["cell-meeting.reported", "person.created", "cell-membership.created"],
});
const supervisor = await makeMember(db, account.id, sector, { cell_role: "leader" });
const stranger = await makeMember(db, account.id, far);
const as = leader.token;

const change = (id: string, attributes: Record<string, unknown>, options: object = { as }) =>
  service.patch(`/v1/people/${id}`, document("people", attributes, { id }), options);
const to = (type: string, id: string) => ({ data: { type, id } });
/** The error of a response, without the id of the request. */
const errorsOf = ({ document: { errors = [] }, status }: Answer, id: string): string =>
  JSON.stringify([
    status,
    errors.map(({ code, detail, source }) => [code, detail, source]),
  ]).replaceAll(id, "<id>");

test("403 · a whole document with every member of a person names each one that a leader may not set", async () => {
  const whole = one(await service.get(`/v1/people/${member.id}`)).attributes;
  const changed = {
    ...whole,
    "full-name": "Thief",
    "administrative-status": "full-administrator",
    "is-active": false,
    "medical-notes": "None",
    "other-emails": ["thief@grace.example"],
    "external-ids": { a: "b" },
    "phones": [{ number: "+5511999990001" }],
  };
  const answer = await change(member.id, changed);
  assert.equal(answer.status, 403, answer.text);
  for (const name of ["full-name", "administrative-status", "is-active", "medical-notes"])
    assert.ok(pointers(answer).includes(`/data/attributes/${name}`), `${name} ${answer.text}`);
  const stored = one(await service.get(`/v1/people/${member.id}`)).attributes;
  assert.deepEqual(stored, whole);
});

test("422 · a person outside the scope is like an absent one in memberships and requests", async () => {
  const absent = newId();
  const relationships = (person: string) => ({
    cell: to("cells", own),
    person: to("people", person),
  });
  for (const [type, attributes] of [
    ["cell-memberships", { "cell-role": "participant" }],
    ["cell-memberships", { "cell-role": "visitor" }],
    ["cell-join-requests", {}],
  ] as const) {
    const add = (person: string) =>
      service.post(
        `/v1/${type}`,
        document(type, attributes, { relationships: relationships(person) }),
        { as },
      );
    const [hidden, nowhere] = [await add(stranger.id), await add(absent)];
    assert.deepEqual([hidden.status, ...codes(hidden)], [422, "invalid-relationship"], hidden.text);
    assert.equal(errorsOf(hidden, stranger.id), errorsOf(nowhere, absent), type);
  }
});

test("422 · an open cell does not reveal the memberships of a person outside the scope", async () => {
  const open = await makeCell(db, account.id, { parent_id: sector, join_policy: "open" });
  await join(db, account.id, open, leader.id, { cell_role: "leader" });
  const ask = (person: string) =>
    service.post(
      "/v1/cell-join-requests",
      document(
        "cell-join-requests",
        {},
        { relationships: { cell: to("cells", open), person: to("people", person) } },
      ),
      { as },
    );
  const absent = newId();
  const [hidden, nowhere] = [await ask(stranger.id), await ask(absent)];
  assert.equal(errorsOf(hidden, stranger.id), errorsOf(nowhere, absent));
  assert.equal(hidden.status, 422, hidden.text);
});

test("200 · a search finds a person by the addresses that the caller sees, and by no others", async () => {
  const hidden = `hidden-${newId().slice(-8)}`;
  const shown = `shown-${newId().slice(-8)}`;
  const emails = { "email": `${shown}@grace.example`, "other-emails": [`${hidden}@grace.example`] };
  assert.equal((await change(member.id, emails, {})).status, 200);
  const found = async (q: string, token: string) =>
    ids(await service.get(`/v1/people?filter[q]=${encodeURIComponent(q)}`, { as: token }));
  const administrator = account.administrator.token;
  for (const q of [hidden, `${hidden}@grace.example`, hidden.slice(0, 9)]) {
    assert.deepEqual(await found(q, administrator), [member.id], q);
    assert.deepEqual(await found(q, as), [], q);
    assert.deepEqual(await found(q, member.token), [member.id], q);
  }
  for (const q of [shown, `${shown}@grace.example`])
    assert.deepEqual(await found(q, as), [member.id], q);
});

test("404 · versions, tags and fields of a person outside the scope are like those of an absent one", async () => {
  const path = `/v1/people/${stranger.id}`;
  const tag = etag(await service.get(path));
  const absent = newId();
  for (const headers of [{ "If-None-Match": tag }, { "If-None-Match": "*" }]) {
    const answer = await service.get(path, { as, headers });
    assert.equal(answer.status, 404, answer.text);
  }
  for (const headers of [{ "If-Match": tag }, { "If-Match": '"1"' }, { "If-Match": "*" }]) {
    const phones = [{ number: "+5511999990002" }];
    const hidden = await change(stranger.id, { phones }, { as, headers });
    const nowhere = await change(absent, { phones }, { as, headers });
    assert.equal(hidden.status, 404, hidden.text);
    assert.equal(errorsOf(hidden, stranger.id), errorsOf(nowhere, absent));
  }
  const asked = await service.get(
    `/v1/people/${member.id}?fields[people]=medical-notes,other-emails,resource-scope,has-login`,
    { as },
  );
  assert.deepEqual(one(asked).attributes, {});
});

test("200 · includes of depth two end at the scope", async () => {
  await join(db, account.id, far, member.id, { cell_role: "visitor" });
  for (const include of [
    "cell-memberships.cell",
    "cells.memberships",
    "cells.leaders",
    "leads.parent",
  ]) {
    const answer = await service.get(`/v1/people/${member.id}?include=${include}`, { as });
    assert.equal(answer.status, 200, answer.text);
    for (const id of [far, stranger.id]) assert.ok(!answer.text.includes(id), `${include} ${id}`);
  }
});

test("404 · a repeated request with its key is answered as its caller's rights are now", async () => {
  const person = await makeMember(db, account.id, own);
  const options = { as, headers: { "Idempotency-Key": newId() } };
  const phones = [{ number: "+5511999990003" }];
  assert.equal((await change(person.id, { phones }, options)).status, 200);
  assert.equal((await change(person.id, { phones }, options)).status, 200);
  await db`
    update cell_memberships set status = 'left'
    where account_id = ${account.id} and person_id = ${person.id}`;
  const repeated = await change(person.id, { phones }, options);
  assert.deepEqual([repeated.status, ...codes(repeated)], [404, "not-found"], repeated.text);
});

test("403 · a caller cannot give a role whose scopes are partly outside of their own", async () => {
  const role = { role: "cell-trainee", scopeType: "cell", personId: member.id };
  const give = (scopeIds: string[]) => grant(service, { ...role, scopeIds, as: supervisor.token });
  assert.equal((await give([own])).status, 201);
  const absent = newId();
  const [mixed, nowhere] = [await give([own, far]), await give([own, absent])];
  assert.equal(mixed.status, 403, mixed.text);
  assert.equal(errorsOf(mixed, far), errorsOf(nowhere, absent));
});

test("403 · a supervisor who loses the tree during a move does not move the cell", async () => {
  const other = await makeCell(db, account.id, {
    cell_type: "supervision",
    level: 1,
  });
  const cell = await makeCell(db, account.id, { parent_id: sector });
  const both = await makePerson(db, account.id);
  for (const id of [sector, other])
    await makeAssignment(db, account.id, {
      personId: both.id,
      role: "cell-supervisor",
      scopeType: "cell-tree",
      scopeIds: [id],
    });
  const answer = await meanwhile(
    db,
    (tx) => tx`select from cells where account_id = ${account.id} for update`,
    () =>
      service.patch(
        `/v1/cells/${cell}`,
        document("cells", {}, { id: cell, relationships: { parent: to("cells", other) } }),
        { as: both.token },
      ),
    (tx) => tx`
      delete from role_assignments where account_id = ${account.id} and person_id = ${both.id}`,
  );
  assert.equal(answer.status, 403, answer.text);
  const { relationships } = one(await service.get(`/v1/cells/${cell}`));
  assert.deepEqual(relationships["parent"]?.data, { type: "cells", id: sector });
});

test("201 · the event of a report contains neither its entries nor the notes about people", async () => {
  const words = `words-${newId()}`;
  const body = document(
    "cell-meetings",
    {
      date: "2026-01-15",
      status: "held",
      attendance: [{ "person-id": member.id, "status": "present", "note": words }],
      visitors: [{ "full-name": "Rui Melo", "note": words }],
    },
    { relationships: { cell: to("cells", own) } },
  );
  const reported = await service.post("/v1/cell-meetings", body);
  assert.equal(reported.status, 201, reported.text);
  const events = await db<{ type: string; snapshot: string }[]>`
    select event_type as type, snapshot from webhook_events where account_id = ${account.id}`;
  const types = new Set(events.map(({ type }) => type));
  for (const type of ["cell-meeting.reported", "person.created", "cell-membership.created"])
    assert.ok(types.has(type), type);
  for (const { snapshot, type } of events) {
    assert.ok(!snapshot.includes(words), type);
    const { attributes } = JSON.parse(snapshot) as { attributes: object };
    assert.ok(!("attendance" in attributes) && !("visitors" in attributes), type);
  }
});
