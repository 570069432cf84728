import assert from "node:assert/strict";
import { after, test } from "node:test";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { scheduledJobs } from "../../../src/catalogue.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["cell-join-request.created", "person.created"] });

const open = { is_public: true };
const cell = await makeCell(db, account.id, open);
const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });

const ana = { "full-name": "Ana Lima", "email": "ana@example.org", "phone": "+5511987654321" };
interface Asking {
  cell?: string;
  person?: string;
  contact?: Record<string, unknown>;
  as?: string;
}
const ask = ({ as, cell: id = cell, contact, person }: Asking): Promise<Answer> =>
  service.post(
    "/v1/cell-join-requests",
    document(
      "cell-join-requests",
      { message: "May I come?", ...(contact && { contact }) },
      {
        relationships: {
          cell: { data: { type: "cells", id } },
          ...(person && { person: { data: { type: "people", id: person } } }),
        },
      },
    ),
    as ? { as } : {},
  );
const decide = (
  id: string,
  attributes: Record<string, unknown>,
  { as, person }: { as?: string; person?: string } = {},
) =>
  service.patch(
    `/v1/cell-join-requests/${id}`,
    document("cell-join-requests", attributes, {
      id,
      ...(person && { relationships: { person: { data: { type: "people", id: person } } } }),
    }),
    as ? { as } : {},
  );
const asked = async (asking: Asking) => {
  const answer = await ask(asking);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const refused = (answer: Answer) => [answer.status, ...codes(answer)];
const membersOf = async (id: string) =>
  one(await service.get(`/v1/cells/${id}`)).attributes["members-count"];

test("201 · a person asks for themselves and reads only their own requests", async () => {
  const person = await makePerson(db, account.id);
  const answer = await ask({ person: person.id, as: person.token });
  assert.equal(answer.status, 201, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    "status": "pending",
    "source": "self",
    "is-confirmed": false,
    "decided-at": null,
    "contact": null,
  });
  const other = await makePerson(db, account.id);
  await asked({ person: other.id, as: other.token });
  const listed = await service.get("/v1/cell-join-requests", { as: person.token });
  assert.deepEqual(ids(listed), [one(answer).id]);
  const twice = await ask({ person: person.id, as: person.token });
  assert.deepEqual(refused(twice), [409, "already-exists"]);
});

test("422 · a request has a person or a reachable contact, and not both", async () => {
  const person = await makePerson(db, account.id);
  for (const asking of [
    {},
    { person: person.id, contact: ana },
    { contact: { "full-name": "Ana" } },
    { contact: { email: "ana@example.org" } },
    { contact: { ...ana, phone: "11 98765" } },
  ]) {
    const answer = await ask(asking);
    assert.equal(answer.status, 422, JSON.stringify(asking));
    assert.match(pointers(answer)[0] ?? "", /^\/data\/attributes\/contact/);
  }
});

test("200 · an approval makes the person a participant, once", async () => {
  const person = await makePerson(db, account.id);
  const id = await asked({ person: person.id, as: person.token });
  assert.equal((await decide(id, { status: "approved" }, { as: person.token })).status, 403);
  const told = await eventsOf(async () => {
    const answers = await Promise.all(
      [1, 2].map(() => decide(id, { status: "approved" }, { as: leader.token })),
    );
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    const [answer] = answers;
    assert.ok(answer);
    const { attributes, relationships } = one(answer);
    assert.ok(attributes["decided-at"]);
    assert.deepEqual(relationships["decided-by"]?.data, { type: "people", id: leader.id });
  });
  assert.deepEqual(told, ["cell-membership.created", "cell-join-request.decided"]);
  const declined = await decide(id, { status: "declined" }, { as: leader.token });
  assert.deepEqual(refused(declined), [409, "invalid-transition"]);
});

test("200 · the approval of a contact adds a prospect, whose address is never refused", async () => {
  await makePerson(db, account.id, { email: "taken@example.org" });
  const contact = { ...ana, email: "Taken@example.org" };
  const id = await asked({ contact, as: leader.token });
  const told = await eventsOf(async () => {
    const answer = await decide(id, { status: "approved" }, { as: leader.token });
    assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual(told, [
    "person.created",
    "cell-membership.created",
    "cell-join-request.decided",
  ]);
  const prospect = linkedId(one(await service.get(`/v1/cell-join-requests/${id}`)), "person");
  assert.partialDeepStrictEqual(one(await service.get(`/v1/people/${prospect}`)).attributes, {
    "full-name": "Ana Lima",
    "membership-status": "prospect",
    "email": null,
    "other-emails": ["Taken@example.org"],
  });
});

test("200 · an approval can name the person of a contact; nothing else can", async () => {
  const id = await asked({ contact: ana });
  const known = await makePerson(db, account.id);
  assert.equal((await decide(id, {}, { person: known.id })).status, 422);
  const approved = await decide(id, { status: "approved" }, { person: known.id });
  assert.equal(approved.status, 200, approved.text);
  assert.deepEqual(one(approved).relationships["person"]?.data, { type: "people", id: known.id });
});

test("409 · a rejected membership rejects the approval, which leaves nothing behind", async () => {
  const elsewhere = await makeCell(db, account.id);
  const person = await makeMember(db, account.id, elsewhere);
  const id = await asked({ person: person.id });
  const answer = await decide(id, { status: "approved" });
  assert.deepEqual(refused(answer), [409, "participant-elsewhere"]);
  assert.equal(
    one(await service.get(`/v1/cell-join-requests/${id}`)).attributes["status"],
    "pending",
  );
});

test("200 · the requester cancels, and a reason belongs to a declined request", async () => {
  const person = await makePerson(db, account.id);
  const id = await asked({ person: person.id, as: person.token });
  assert.equal((await decide(id, { status: "cancelled" }, { as: leader.token })).status, 403);
  const cancelled = await decide(id, { status: "cancelled" }, { as: person.token });
  assert.equal(cancelled.status, 200, cancelled.text);
  const next = await asked({ person: person.id, as: person.token });
  const reason = { "decline-reason": "Full" };
  assert.equal((await decide(next, reason)).status, 422);
  const declined = await decide(next, { status: "declined", ...reason }, { as: leader.token });
  assert.equal(one(declined).attributes["decline-reason"], "Full");
});

test("409 · closed, closing and full cells take no requests; open ones approve at once, up to their capacity", async () => {
  const person = await makePerson(db, account.id);
  for (const columns of [
    { join_policy: "closed" },
    { closed_at: "2026-01-01T00:00:00Z" },
    { capacity: 1 },
  ]) {
    const id = await makeCell(db, account.id, { ...open, ...columns });
    if ("capacity" in columns) await makeMember(db, account.id, id);
    const answer = await ask({ cell: id, person: person.id, as: person.token });
    assert.deepEqual(refused(answer), [409, "requests-closed"], JSON.stringify(columns));
  }
  const policy = { ...open, join_policy: "open", capacity: 2 };
  const wide = await makeCell(db, account.id, policy);
  const people = await Promise.all([1, 2, 3, 4].map(() => makePerson(db, account.id)));
  const answers = await Promise.all(
    people.map(({ id, token }) => ask({ cell: wide, person: id, as: token })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 201, 409, 409],
  );
  for (const answer of answers.filter(({ status }) => status === 201))
    assert.equal(one(answer).attributes["status"], "approved");
  assert.equal(await membersOf(wide), 2);
  const contact = await ask({ cell: await makeCell(db, account.id, policy), contact: ana });
  assert.equal(one(contact).attributes["status"], "pending");
});

test("204 · the requests of a person go with the person, and contacts after 90 days", async () => {
  const person = await makePerson(db, account.id);
  const id = await asked({ person: person.id });
  assert.equal((await service.delete(`/v1/people/${person.id}`)).status, 204);
  assert.equal((await service.get(`/v1/cell-join-requests/${id}`)).status, 404);
  const decided = (days: number) =>
    makeRow(db, "cell_join_requests", account.id, {
      cell_id: cell,
      contact: JSON.stringify(ana),
      status: "declined",
      decided_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
  const [old, recent] = [await decided(91), await decided(89)];
  const sweep = scheduledJobs.find(({ name }) => name === "cell-join-request-contacts");
  assert.equal(await sweep?.run(db), 1);
  const contactOf = async (request: string) =>
    one(await service.get(`/v1/cell-join-requests/${request}`)).attributes["contact"];
  assert.equal(await contactOf(old), null);
  assert.deepEqual(await contactOf(recent), { ...ana, "phone-display": "+55 11 98765 4321" });
});

test("200 · requests are found by cell, tree, person, status and source", async () => {
  const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const below = await makeCell(db, account.id, { ...open, parent_id: sector });
  const person = await makePerson(db, account.id);
  await join(db, account.id, below, leader.id);
  const own = await asked({ cell: below, person: person.id, as: person.token });
  const other = await asked({ cell: below, contact: ana });
  for (const [filter, found] of [
    [`filter[cell]=${below}`, [own, other]],
    [`filter[tree]=${sector}`, [own, other]],
    [`filter[person]=${person.id}`, [own]],
    [`filter[cell]=${below}&filter[source]=staff`, [other]],
    [`filter[cell]=${below}&filter[status]=approved`, []],
  ] as const) {
    const answer = await service.get(`/v1/cell-join-requests?${filter}`);
    assert.deepEqual(ids(answer).sort(), [...found].sort(), filter);
  }
});
