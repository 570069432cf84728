import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join, makeCell } from "../../support/cells.ts";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  many,
  one,
  pointers,
  startService,
  type TestService,
} from "../../support/service.ts";
import {
  BEHIND_PROXY,
  openPublicArea,
  sendAsVisitor,
  solvedProof,
  WEBSITE,
} from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService({ ...BEHIND_PROXY, sendsMail: true });
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());
beforeEach(async () => {
  await service.db`delete from cells where account_id = ${accountId}`;
  await openPublicArea(service.db, accountId, { "public-challenge": "none" });
});

const makePublicCell = (columns: Parameters<typeof makeCell>[2] = {}) =>
  makeCell(service.db, accountId, { is_public: true, ...columns });

const contact = { "full-name": "Ana Lima", "email": "ana.lima@visitor.example" };

const ask = (
  cellId: string,
  attributes: Record<string, unknown> = {},
  headers: Record<string, string | null> = {},
) =>
  sendAsVisitor(
    service,
    accountId,
    "cell-join-requests",
    document(
      "cell-join-requests",
      { contact, consent: true, ...attributes },
      { relationships: { cell: { data: { type: "cells", id: cellId } } } },
    ),
    headers,
  );

const requests = async () => many(await service.get("/v1/cell-join-requests"));

const jobs = (name: string) => service.db<{ id: string; personId: string | null }[]>`
  select data ->> 'id' as id, data ->> 'personId' as "personId" from pgboss.job
  where name = ${name} and data ->> 'accountId' = ${accountId} order by created_on`;

test("202 · a visitor gets a receipt, and staff get a pending request", async () => {
  const id = await makePublicCell();
  const answer = await ask(id, {
    contact: { ...contact, phone: "+55 11 98765-4321" },
    message: "I would like to come",
  });
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("access-control-allow-origin"), WEBSITE);
  assert.equal(answer.headers.get("location"), null);
  const { attributes, type } = one(answer);
  assert.deepEqual([type, attributes], ["cell-join-requests", { status: "received" }]);
  const [request, ...others] = await requests();
  assert.deepEqual(others, []);
  assert.notEqual(request?.id, one(answer).id, "the receipt names no resource");
  assert.deepEqual(request?.attributes["contact"], {
    ...contact,
    "phone": "+5511987654321",
    "phone-display": "+55 11 98765 4321",
  });
  const { message, source, status } = request?.attributes ?? {};
  assert.deepEqual([message, source, status], ["I would like to come", "public", "pending"]);
  assert.equal(request?.attributes["is-confirmed"], false);
  assert.equal(request?.relationships["created-by"]?.data, null);
});

test("202 · a second request from the same address gets the same answer and counts as the first", async () => {
  await makeEndpoint(service.db, accountId, { events: ["cell-join-request.created"] });
  const id = await makePublicCell();
  const first = await ask(id);
  const answers = await Promise.all(
    ["ana.lima@visitor.example", "Ana.Lima@Visitor.example"].map((email) =>
      ask(id, { contact: { ...contact, email } }),
    ),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 202);
    assert.equal(answer.text.length, first.text.length);
  }
  const [request, ...others] = await requests();
  assert.deepEqual(others, []);
  const events = await service.db<{ subjectId: string }[]>`
    select subject_id as "subjectId" from webhook_events where account_id = ${accountId}`;
  assert.deepEqual(events, [{ subjectId: request?.id }]);
  // After the decision, the address can ask again.
  const declined = document(
    "cell-join-requests",
    { status: "declined" },
    { id: request?.id ?? "" },
  );
  assert.equal(
    (await service.patch(`/v1/cell-join-requests/${request?.id}`, declined)).status,
    200,
  );
  await ask(id);
  assert.equal((await requests()).length, 2);
});

test("202 · parallel requests from one address are one request", async () => {
  const id = await makePublicCell();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal((await requests()).length, 1);
});

test("202 · a member's address changes nothing in the answer, the mails or the members", async () => {
  const id = await makePublicCell({ join_policy: "open" });
  const member = await makePerson(service.db, accountId, { email: "member@church.example" });
  await service.db`delete from pgboss.job where name = 'confirmation-mails'`;
  // An address gets three mails a day, also from other tests.
  await service.home`delete from counters`;
  const known = await ask(id, { contact: { ...contact, email: "member@church.example" } });
  const unknown = await ask(id, { contact: { ...contact, email: "nobody@church.example" } });
  assert.deepEqual(
    [known.status, known.text.length, Object.keys(one(known).attributes)],
    [unknown.status, unknown.text.length, Object.keys(one(unknown).attributes)],
  );
  assert.equal((await jobs("confirmation-mails")).length, 2);
  for (const request of await requests()) {
    assert.equal(request.attributes["status"], "pending");
    assert.equal(request.relationships["person"]?.data, null);
  }
  await service.db`delete from people where account_id = ${accountId} and id = ${member.id}`;
});

test("202 · the leaders of the cell get a mail", async () => {
  const id = await makePublicCell();
  const leader = await makePerson(service.db, accountId, { email: "leader@church.example" });
  const participant = await makePerson(service.db, accountId, { email: "other@church.example" });
  await join(service.db, accountId, id, leader.id, { cell_role: "leader" });
  await join(service.db, accountId, id, participant.id);
  await service.db`delete from pgboss.job where name = 'arrival-mails'`;
  await ask(id);
  assert.deepEqual(
    (await jobs("arrival-mails")).map(({ personId }) => personId),
    [leader.id],
  );
});

test("202 · a program that fills in the hidden field gets a receipt, and nothing is stored", async () => {
  const id = await makePublicCell();
  const answer = await ask(id, { website: "https://spam.example" });
  assert.deepEqual([answer.status, one(answer).attributes], [202, { status: "received" }]);
  assert.deepEqual(await requests(), []);
  for (const website of ["", null]) assert.equal((await ask(id, { website })).status, 202);
});

test("422 · a cell that is absent, private or not active is reported in the same way", async () => {
  const outcomes = [];
  for (const id of [
    newId(),
    await makePublicCell({ is_public: false }),
    await makePublicCell({ closed_at: "2026-01-01" }),
    "no-id",
  ]) {
    const answer = await ask(id);
    const [problem] = answer.document.errors ?? [];
    outcomes.push([answer.status, problem?.code, problem?.detail]);
  }
  assert.equal(new Set(outcomes.map(([status, code]) => `${status} ${code}`)).size, 1);
  assert.deepEqual(outcomes[0]?.slice(0, 2), [422, "invalid-relationship"]);
});

test("409 · a cell that takes no requests says so", async () => {
  const full = await makePublicCell({ capacity: 1 });
  const member = await makePerson(service.db, accountId);
  await join(service.db, accountId, full, member.id);
  const silent = await makePublicCell();
  await service.db`
    update cells set public_settings = public_settings || '{"accept-join-requests": false}' where id = ${silent}`;
  for (const id of [await makePublicCell({ join_policy: "closed" }), full, silent]) {
    const answer = await ask(id);
    assert.deepEqual([answer.status, codes(answer)], [409, ["requests-closed"]]);
    assert.deepEqual(pointers(answer), ["/data/relationships/cell/data"]);
  }
});

test("422 · all mistakes are reported together, and unknown members are rejected", async () => {
  const id = await makePublicCell();
  const answer = await ask(id, {
    contact: { "full-name": " ", "email": "nowhere", "phone": "1" },
    consent: false,
    message: "x".repeat(1_001),
    status: "approved",
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set([
      "/data/attributes/consent",
      "/data/attributes/contact/email",
      "/data/attributes/contact/full-name",
      "/data/attributes/contact/phone",
      "/data/attributes/message",
      "/data/attributes/status",
    ]),
  );
  const missing = await ask(id, { contact: { "full-name": "Ana" } });
  assert.deepEqual(pointers(missing), ["/data/attributes/contact/email"]);
});

test("422 · with `public-challenge` `pow` each request needs a new proof", async () => {
  const id = await makePublicCell();
  await openPublicArea(service.db, accountId, { "public-challenge": "pow" });
  for (const proof of [undefined, null, "", "bm90aGluZw=="]) {
    const answer = await ask(id, { proof });
    assert.deepEqual([answer.status, codes(answer)], [422, ["proof-invalid"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/proof"]);
  }
  const proof = await solvedProof(service, accountId);
  const wrong = await ask(await makePublicCell({ join_policy: "closed" }), { proof });
  assert.deepEqual(codes(wrong), ["requests-closed"], "a rejected request does not use the proof");
  const answers = await Promise.all(
    ["one", "two", "three"].map((name) =>
      ask(id, { proof, contact: { ...contact, email: `${name}@visitor.example` } }),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [202, 422, 422],
  );
  assert.equal((await requests()).length, 1);
  assert.deepEqual(codes(await ask(id, { proof })), ["proof-invalid"]);
});

test("4xx · the caller is a page of the website or an integration, and a person's token means nothing", async () => {
  const id = await makePublicCell();
  const bearer = `Bearer ${service.account.administrator.token}`;
  for (const [headers, status, code] of [
    [{ Authorization: null }, 401, "credentials-missing"],
    [{ Authorization: bearer }, 401, "credentials-invalid"],
    [{ Origin: null }, 401, "client-token-missing"],
    [{ Origin: "https://evil.example" }, 403, "origin-not-allowed"],
  ] as const) {
    const answer = await ask(id, {}, headers);
    assert.deepEqual([answer.status, codes(answer)], [status, [code]]);
  }
  await openPublicArea(service.db, accountId, { "public-area": false });
  assert.deepEqual(codes(await ask(id)), ["forbidden"]);
  await openPublicArea(service.db, accountId, { "public-area": true });
  assert.deepEqual(await requests(), []);
});

test("413 · a body has at most 64 KiB, and 415 · it is JSON:API", async () => {
  const id = await makePublicCell();
  const large = await ask(id, { message: "x".repeat(70_000) });
  assert.deepEqual([large.status, codes(large)], [413, ["body-too-large"]]);
  const other = await ask(id, {}, { "Content-Type": "application/json" });
  assert.deepEqual([other.status, codes(other)], [415, ["unsupported-media-type"]]);
});

test("405 · visitors read no requests", async () => {
  const answer = await service.get("/p/v1/cell-join-requests");
  assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
});
