import assert from "node:assert/strict";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { meanwhile, together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const newPerson = async () => (await makePerson(db, account.id)).id;
const newHousehold = (name = "Family Lima") => makeRow(db, "households", account.id, { name });

const membership = (
  householdId: string,
  personId: string,
  attributes: Record<string, unknown> = {},
) =>
  document("household-memberships", attributes, {
    relationships: {
      household: { data: { type: "households", id: householdId } },
      person: { data: { type: "people", id: personId } },
    },
  });

const join = (...resource: Parameters<typeof membership>) =>
  service.post("/v1/household-memberships", membership(...resource));

const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(
    `/v1/household-memberships/${id}`,
    document("household-memberships", attributes, { id }),
  );

const primaryOf = async (personId: string) =>
  one(await service.get(`/v1/people/${personId}`)).relationships["household"]?.data;

/** The number of answers by status. */
const statuses = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

test("409 · a person is in a household once, and the response names the membership", async () => {
  const [household, ana] = [await newHousehold(), await newPerson()];
  const { id } = one(await join(household, ana));
  const again = await join(household, ana, { "household-role": "head" });
  assert.deepEqual([again.status, ...codes(again)], [409, "already-exists"]);
  assert.deepEqual(pointers(again), ["/data/relationships/person/data"]);
  assert.equal(again.document.errors?.[0]?.meta["id"], id);
});

test("409 · eight equal requests in parallel make one membership", async () => {
  const [household, ana] = [await newHousehold(), await newPerson()];
  const answers = await together(
    db,
    account.id,
    Array.from({ length: 8 }, () => () => join(household, ana)),
  );
  assert.deepEqual(statuses(answers), { 201: 1, 409: 7 });
});

test("409 · a household has at most 30 members, also when they join in parallel", async () => {
  const household = await newHousehold();
  const people = await Promise.all(
    Array.from({ length: limits.membersPerHouseholdMax + 3 }, newPerson),
  );
  const [late = "", ...early] = people.toReversed();
  const waiting = early.slice(0, 8);
  for (const person of early.slice(8)) await join(household, person);
  const answers = await together(
    db,
    account.id,
    waiting.map((person) => () => join(household, person)),
  );
  assert.deepEqual(statuses(answers), { 201: 6, 409: 2 });
  const refused = await join(household, late);
  assert.deepEqual(codes(refused), ["limit-reached"]);
  assert.deepEqual(pointers(refused), ["/data/relationships/household/data"]);
  assert.equal(refused.document.errors?.[0]?.meta["limit"], 30);
});

test("409 · a person is in at most 5 households, also when they join in parallel", async () => {
  const ana = await newPerson();
  const households = await Promise.all(Array.from({ length: 8 }, () => newHousehold()));
  const answers = await together(
    db,
    account.id,
    households.map((household) => () => join(household, ana)),
  );
  assert.deepEqual(statuses(answers), { 201: 5, 409: 3 });
  const body = document(
    "households",
    { name: "Sixth" },
    { relationships: { "primary-contact": { data: { type: "people", id: ana } } } },
  );
  const refused = await service.post("/v1/households", body);
  assert.deepEqual([refused.status, ...codes(refused)], [409, "limit-reached"]);
  assert.deepEqual(pointers(refused), ["/data/relationships/primary-contact/data"]);
  const [{ count } = { count: -1 }] = await db<{ count: number }[]>`
    select count(*)::int as count from households where account_id = ${account.id} and name = 'Sixth'`;
  assert.equal(count, 0, "nothing is half done");
});

test("200 · the first household is primary, and a new primary one replaces it", async () => {
  const ana = await newPerson();
  const [first, second, third] = [await newHousehold(), await newHousehold(), await newHousehold()];
  const inFirst = one(await join(first, ana));
  assert.equal(inFirst.attributes["is-primary"], true);
  assert.equal(one(await join(second, ana)).attributes["is-primary"], false);
  assert.deepEqual(await primaryOf(ana), { type: "households", id: first });
  const inThird = one(await join(third, ana, { "is-primary": true }));
  assert.deepEqual(await primaryOf(ana), { type: "households", id: third });
  await change(inFirst.id, { "is-primary": true });
  assert.deepEqual(await primaryOf(ana), { type: "households", id: first });
  const { attributes } = one(await service.get(`/v1/household-memberships/${inThird.id}`));
  assert.equal(attributes["is-primary"], false);
  await change(inFirst.id, { "is-primary": false });
  assert.equal(await primaryOf(ana), null);
});

test("201 · a first household is not primary if the request says so", async () => {
  const ana = await newPerson();
  await join(await newHousehold(), ana, { "is-primary": false });
  assert.equal(await primaryOf(ana), null);
});

test("200 · memberships that become primary in parallel leave one primary household", async () => {
  const ana = await newPerson();
  const made = [];
  for (let n = 0; n < limits.householdsPerPersonMax; n += 1)
    made.push(one(await join(await newHousehold(), ana)).id);
  const answers = await together(
    db,
    account.id,
    made.map((id) => () => change(id, { "is-primary": true })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const list = many(await service.get(`/v1/household-memberships?filter[person]=${ana}`));
  assert.equal(list.filter(({ attributes }) => attributes["is-primary"]).length, 1);
});

test("204 · a primary contact who leaves is no longer the contact", async () => {
  const [household, ana, ben] = [await newHousehold(), await newPerson(), await newPerson()];
  const ofAna = one(await join(household, ana)).id;
  const ofBen = one(await join(household, ben)).id;
  const path = `/v1/households/${household}/relationships/primary-contact`;
  await service.patch(path, { data: { type: "people", id: ana } });
  await service.delete(`/v1/household-memberships/${ofBen}`);
  assert.deepEqual((await service.get(path)).document.data, { type: "people", id: ana });
  assert.equal((await service.delete(`/v1/household-memberships/${ofAna}`)).status, 204);
  assert.equal((await service.get(path)).document.data, null);
});

test("a person who leaves while becoming the contact is not the contact", async () => {
  const [household, ana] = [await newHousehold(), await newPerson()];
  const { id } = one(await join(household, ana));
  const path = `/v1/households/${household}/relationships/primary-contact`;
  let leaving: Promise<Answer> | undefined;
  await meanwhile(
    db,
    (tx) =>
      tx`select from households where account_id = ${account.id} and id = ${household} for update`,
    () => service.patch(path, { data: { type: "people", id: ana } }),
    async () => {
      leaving = service.delete(`/v1/household-memberships/${id}`);
    },
  );
  assert.equal((await leaving)?.status, 204);
  assert.equal((await service.get(path)).document.data, null);
});
