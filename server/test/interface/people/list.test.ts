import { json } from "../../../src/store/sql.ts";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeAssignment,
  makeAccount,
  makeCourse,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import { document, ids, many, one, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
await makePerson(db, other.id, { fullName: "José Theirs", email: "jose@example.org" });

async function add(attributes: Record<string, unknown>): Promise<string> {
  const answer = await service.post("/v1/people", document("people", attributes));
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
}
const ada = account.administrator.id;
const jose = await add({
  "full-name": "José Ávila",
  "preferred-name": "Zé",
  "email": "Jose@Example.org",
  "phones": [{ number: "+5511987654321" }],
  "sex": "male",
  "birthdate": "1990-03-15",
  "membership-status": "member",
  "is-baptized": true,
});
const bea = await add({
  "full-name": "Beatriz 100%_\\",
  "other-emails": ["familia@example.org"],
  "phones": [{ number: "+493012345678" }],
  "sex": "female",
  "birth-month-day": "12-24",
  "is-active": false,
  "is-baptized": false,
});
const carl = await add({ "full-name": "Carl Strauß", "membership-status": "attender" });
const everybody = [ada, bea, carl, jose];

const list = (query = "") => service.get(`/v1/people${query && "?"}${query}`);
const found = async (query: string) => {
  const answer = await list(query);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], many(answer).length);
  return ids(answer);
};
const search = (text: string) => found(`filter[q]=${encodeURIComponent(text)}`);

test("200 · a list has every person of the account by full name, inactive ones too", async () => {
  const answer = await list();
  assert.deepEqual(ids(answer), everybody);
  assert.deepEqual(answer.document.meta, { total: 4, page: 1, size: 100 });
});

test("200 · filter[q] searches names, e-mail addresses and telephone numbers", async () => {
  for (const text of [
    "jose",
    "AVILA",
    "ávila josé",
    "josé  ÁVILA",
    "zé",
    "jose@example",
    "98765-4321",
    "+55 (11) 98765",
  ])
    assert.deepEqual(await search(text), [jose], text);
  assert.deepEqual(await search("familia@example.org"), [bea]);
  assert.deepEqual(await search("JOSE@EXAMPLE.ORG"), [jose]);
  assert.deepEqual(await search("@example.org"), [bea, jose]);
  assert.deepEqual(await search("ia@example"), [bea]);
  for (const text of ["jose@example.com", "jos@example.org", "jose@@example.org", "familia@"])
    assert.deepEqual(await search(text), text === "familia@" ? [bea] : [], text);
  assert.deepEqual(await search("strauss"), [carl]);
  assert.deepEqual(await search("example.org"), [bea, jose]);
  assert.deepEqual(await search("jose strauß"), []);
  assert.deepEqual(await search("avila jose zé example.org"), [jose]);
  assert.deepEqual(await search("avila jose zé strauß"), []);
  assert.deepEqual(await search("100%_\\"), [bea]);
  for (const text of ["%", "_", "\\"]) assert.deepEqual(await search(text), [bea], text);
  assert.deepEqual(await search("   "), everybody);
  assert.deepEqual(await search("jose jose jose jose jose jose jose jose nobody"), []);
  assert.equal((await list(`filter[q]=${"word%20".repeat(32)}`)).status, 200);
  const answer = await list(`filter[q]=${"word%20".repeat(33)}`);
  assert.deepEqual([answer.status, ...parameters(answer)], [400, "filter[q]"]);
});

test("200 · filter[name] searches names, filter[email] whole addresses, filter[phone] telephone digits", async () => {
  assert.deepEqual(await found("filter[name]=avila"), [jose]);
  assert.deepEqual(await found("filter[name]=zé"), []);
  assert.deepEqual(await found("filter[name]=example"), []);
  assert.deepEqual(await found("filter[email]=jOSE@example.org"), [jose]);
  assert.deepEqual(await found("filter[email]=jose@example"), []);
  for (const wild of ["jos_@example.org", "jose@%25"])
    assert.deepEqual(await found(`filter[email]=${wild}`), [], wild);
  assert.deepEqual(await found("filter[phone]=(11)%2098765"), [jose]);
  assert.deepEqual(await found("filter[phone]=0049"), []);
  assert.deepEqual(parameters(await list("filter[phone]=1-2")), ["filter[phone]"]);
  const trap = await add({ "full-name": "Room 98765", "email": "x555777@example.org" });
  assert.deepEqual(await found("filter[phone]=98765"), [jose]);
  assert.deepEqual(await found("filter[phone]=555777"), []);
  await service.delete(`/v1/people/${trap}`);
});

test("200 · filters by birth month and age, whose bounds are inclusive", async () => {
  assert.deepEqual(await found("filter[birth-month]=12"), [bea]);
  assert.deepEqual(await found("filter[birth-month]=3,12"), [bea, jose]);
  const { attributes } = one(await service.get(`/v1/people/${jose}`));
  const age = Number(attributes["age"]);
  assert.deepEqual(await found(`filter[age-min]=${age}`), [jose]);
  assert.deepEqual(await found(`filter[age-min]=${age + 1}`), []);
  assert.deepEqual(await found(`filter[age-max]=${age}`), [jose]);
  assert.deepEqual(await found(`filter[age-max]=${age - 1}`), []);
});

test("200 · filters by cell, cell tree, course, class, role and absences", async () => {
  const top = await makeRow(db, "cells", account.id, { name: "Top" });
  const below = await makeRow(db, "cells", account.id, { name: "Below", parent_id: top });
  await makeRow(db, "cell_memberships", account.id, { cell_id: below, person_id: jose });
  await makeRow(db, "cell_memberships", account.id, {
    cell_id: top,
    person_id: bea,
    status: "left",
  });
  const course = await makeCourse(db, account.id);
  const classId = await makeRow(db, "course_classes", account.id, { course_id: course, name: "A" });
  await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    class_id: classId,
    person_id: carl,
  });
  await makeAssignment(db, account.id, { personId: carl, role: "secretary" });
  const [secretary] = ids(await service.get("/v1/roles?filter[name]=secretary"));
  assert.deepEqual(await found(`filter[cell]=${below}`), [jose]);
  assert.deepEqual(await found(`filter[cell]=${top}`), []);
  assert.deepEqual(await found(`filter[cell-tree]=${top}`), [jose]);
  assert.deepEqual(await found("filter[without-cell]=false"), [jose]);
  assert.deepEqual(await found("filter[without-cell]=true"), [ada, bea, carl]);
  assert.deepEqual(await found("filter[without-cell]=true,false"), everybody);
  assert.deepEqual(await found(`filter[course]=${course}`), [carl]);
  assert.deepEqual(await found(`filter[course-class]=${classId}`), [carl]);
  assert.deepEqual(await found(`filter[role]=${secretary}`), [carl]);
  assert.deepEqual(await found("filter[absent-streak-min]=1"), []);
});

test("200 · sorting by name ignores case and accents, and a second key breaks ties", async () => {
  const own = await makeAccount(db);
  const as = own.administrator.token;
  for (const [name, birthdate] of [
    ["érica", null],
    ["Zoë", "2000-01-01"],
    ["bodo", "2000-01-01"],
    ["Ägidius", null],
    ["Carl", "1990-01-01"],
  ])
    await service.post("/v1/people", document("people", { "full-name": name, birthdate }), { as });
  const namesBy = async (sort: string) =>
    many(await service.get(`/v1/people?sort=${sort}`, { as })).map(
      ({ attributes }) => attributes["full-name"],
    );
  const ada = "Ada Administrator";
  assert.deepEqual(await namesBy("full-name"), [ada, "Ägidius", "bodo", "Carl", "érica", "Zoë"]);
  assert.deepEqual(await namesBy("birthdate,-full-name"), [
    "Carl",
    "Zoë",
    "bodo",
    "érica",
    "Ägidius",
    ada,
  ]);
});

test("400 · a filter on data that the caller may not read is rejected", async () => {
  const { id, token: as } = await makePerson(db, account.id);
  const role = { name: "Reader", permissions: json(["people:read"]) };
  const role_id = await makeRow(db, "roles", account.id, role);
  const assignment = { person_id: id, role_id, scope_type: "account" };
  await makeRow(db, "role_assignments", account.id, assignment);
  assert.ok(ids(await service.get("/v1/people", { as })).length > 1);
  for (const [name, value] of [
    ["cell", id],
    ["cell-tree", id],
    ["without-cell", "true"],
    ["course", id],
    ["course-class", id],
    ["role", id],
  ] as const) {
    const answer = await service.get(`/v1/people?filter[${name}]=${value}`, { as });
    assert.deepEqual([answer.status, ...parameters(answer)], [400, `filter[${name}]`], name);
    const allowed = await service.get(`/v1/people?filter[${name}]=${value}`);
    assert.equal(allowed.status, 200, name);
  }
});
