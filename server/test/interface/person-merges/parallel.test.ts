import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { type Answer, codes, document, one, startService } from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { meanwhile, together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const person = async (): Promise<string> => (await makePerson(db, account.id)).id;
const outcomes = (answers: readonly Answer[]) =>
  answers.map((answer) => [answer.status, ...codes(answer)].join(" ")).sort();
const exists = async (id: string) => (await service.get(`/v1/people/${id}`)).status === 200;

test("when two merges cross, one wins and the other sees the new state", async () => {
  const [one, other] = [await person(), await person()];
  const answers = await together(db, account.id, [
    () => merge(service, one, [other]),
    () => merge(service, other, [one]),
  ]);
  assert.deepEqual(outcomes(answers), ["201", "422 invalid-relationship"]);
  assert.notEqual(await exists(one), await exists(other));
});

test("the same merge twice in parallel has one effect", async () => {
  const [kept, removed] = [await person(), await person()];
  const answers = await together(db, account.id, [
    () => merge(service, kept, [removed]),
    () => merge(service, kept, [removed]),
  ]);
  assert.deepEqual(outcomes(answers), ["201", "422 invalid-relationship"]);
  const { attributes } = one(await service.get(`/v1/people/${kept}`));
  assert.deepEqual(attributes["merged-ids"], [removed]);
});

test("the same merge twice in parallel with one Idempotency-Key returns one response", async () => {
  const [kept, removed] = [await person(), await person()];
  const options = { headers: { "Idempotency-Key": "twice" } };
  const answers = await Promise.all([1, 2].map(() => merge(service, kept, [removed], {}, options)));
  assert.deepEqual(outcomes(answers), ["201", "201"]);
  assert.equal(new Set(answers.map((answer) => one(answer).id)).size, 1);
});

test("two merges into different people share a removed person, and one of them wins", async () => {
  const [one, other, shared] = [await person(), await person(), await person()];
  const answers = await together(db, account.id, [
    () => merge(service, one, [shared]),
    () => merge(service, other, [shared]),
  ]);
  assert.deepEqual(outcomes(answers), ["201", "422 invalid-relationship"]);
});

test("a merge that waits for a deletion of a removed person is rejected", async () => {
  const [kept, removed] = [await person(), await person()];
  const answers = await together(db, account.id, [
    () => service.delete(`/v1/people/${removed}`),
    () => merge(service, kept, [removed]),
  ]);
  const [deleted, merged] = answers as [Answer, Answer];
  assert.ok(
    ["204 422", "404 201"].includes(`${deleted.status} ${merged.status}`),
    outcomes(answers).join(),
  );
  if (merged.status === 201) assert.deepEqual(codes(deleted), ["person-merged"]);
});

test("a change that commits while the merge waits is merged", async () => {
  const [kept, removed] = [await person(), await person()];
  const answer = await meanwhile(
    db,
    (tx) =>
      tx`update people set occupation = 'Baker' where account_id = ${account.id} and id = ${removed}`,
    () => merge(service, kept, [removed]),
  );
  assert.equal(answer.status, 201, answer.text);
  const { attributes } = one(await service.get(`/v1/people/${kept}`));
  assert.equal(attributes["occupation"], "Baker");
});

test("404 · a change that waits for the merge gets the id of the kept person", async () => {
  const [kept, removed] = [await person(), await person()];
  const [merged, changed] = await together(db, account.id, [
    () => merge(service, kept, [removed]),
    () =>
      service.patch(
        `/v1/people/${removed}`,
        document("people", { occupation: "Baker" }, { id: removed }),
      ),
  ]);
  assert.equal(merged?.status, 201);
  assert.ok(changed?.status === 200 || codes(changed as Answer)[0] === "person-merged");
  const { attributes } = one(await service.get(`/v1/people/${kept}`));
  assert.equal(attributes["occupation"], changed?.status === 200 ? "Baker" : null);
});

test("a reference that is added while the merge runs ends at the kept person", async () => {
  const [kept, removed] = [await person(), await person()];
  const course = await makeRow(db, "courses", account.id, { name: "Foundations" });
  const teachers = `/v1/courses/${course}/relationships/teachers`;
  const body = { data: [{ type: "people", id: removed }] };
  const answers = await together(db, account.id, [
    () => merge(service, kept, [removed]),
    () => service.request("POST", teachers, { body }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 200],
  );
  const linkage = (await service.get(teachers)).document.data;
  assert.deepEqual(linkage, [{ type: "people", id: kept }]);
});

test("a log-in of a removed person during the merge leaves no token behind", async () => {
  const kept = await person();
  const removed = await makeLogin(db, account, "racer");
  const body = JSON.stringify({
    username: removed.email,
    password: PASSWORD,
    account: account.alias,
  });
  const headers = { "Content-Type": "application/json" };
  const [merged, loggedIn] = await together(db, account.id, [
    () => merge(service, kept, [removed.id]),
    () => service.request("POST", "/authenticate", { as: null, body, headers }),
  ]);
  assert.equal(merged?.status, 201);
  assert.ok([200, 401].includes(loggedIn?.status ?? 0));
  const tokens =
    await db`select from access_tokens where account_id = ${account.id} and person_id = ${removed.id}`;
  assert.equal(tokens.length, 0);
});

test("many merges and changes of the same people at once end without a deadlock or a lost row", async () => {
  await makeEndpoint(db, account.id, { events: ["person.merged"] });
  const people = await Promise.all(Array.from({ length: 6 }, person));
  const cell = await makeRow(db, "cells", account.id, { name: "North" });
  for (const person_id of people)
    await makeRow(db, "cell_memberships", account.id, { cell_id: cell, person_id });
  const [first = "", ...rest] = people;
  const answers = await Promise.all([
    ...rest.map((id, place) => merge(service, rest[place - 1] ?? first, [id])),
    ...rest.map((id) =>
      service.patch(`/v1/people/${id}`, document("people", { occupation: id }, { id })),
    ),
  ]);
  for (const answer of answers)
    assert.ok([200, 201, 404, 422].includes(answer.status), answer.text);
  for (const id of rest)
    if (await exists(id)) assert.equal((await merge(service, first, [id])).status, 201);
  const rows = await db<{ person_id: string }[]>`
    select person_id from cell_memberships where account_id = ${account.id} and cell_id = ${cell}`;
  assert.deepEqual(
    rows.map(({ person_id }) => person_id),
    [first],
  );
});
