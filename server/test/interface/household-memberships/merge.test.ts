import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makePerson } from "../../support/make.ts";
import { document, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const people = (id: string) => ({ data: { type: "people", id } });

/** A household with this person as its primary contact. */
const householdOf = async (person: string) =>
  one(
    await service.post(
      "/v1/households",
      document(
        "households",
        { name: "Lima" },
        { relationships: { "primary-contact": people(person) } },
      ),
    ),
  ).id;

async function merge(attributes: Record<string, unknown>) {
  const [kept, removed] = [
    (await makePerson(db, account.id)).id,
    (await makePerson(db, account.id)).id,
  ];
  const [first, second] = [await householdOf(kept), await householdOf(removed)];
  const answer = await service.post(
    "/v1/person-merges",
    document("person-merges", attributes, {
      relationships: { kept: people(kept), removed: { data: [people(removed).data] } },
    }),
  );
  assert.equal(answer.status, 201, answer.text);
  const memberships = many(await service.get(`/v1/household-memberships?filter[person]=${kept}`));
  const households = memberships.map(({ relationships }) => relationships["household"]?.data);
  const { relationships } = one(await service.get(`/v1/households/${second}`));
  return { merged: one(answer), kept, first, second, memberships, households, relationships };
}

test("200 · a merge keeps the household of the kept person and drops the other one", async () => {
  const { first, households, merged, relationships } = await merge({});
  assert.deepEqual(households, [{ type: "households", id: first }]);
  assert.equal(relationships["primary-contact"]?.data, null);
  assert.deepEqual(relationships["members"]?.data, []);
  assert.partialDeepStrictEqual(merged.attributes["conflicts"], [
    { "resource-type": "household-memberships", "rule": "kept-household" },
  ]);
});

test("200 · with keep-households the kept person joins both, and one is primary", async () => {
  const { first, households, kept, memberships, merged, relationships, second } = await merge({
    "keep-households": true,
  });
  assert.deepEqual(
    new Set(households.map((each) => (each as { id: string }).id)),
    new Set([first, second]),
  );
  assert.equal(memberships.filter(({ attributes }) => attributes["is-primary"]).length, 1);
  assert.deepEqual(relationships["primary-contact"]?.data, { type: "people", id: kept });
  assert.partialDeepStrictEqual(merged.attributes["moved-counts"], { "household-memberships": 1 });
  const person = one(await service.get(`/v1/people/${kept}`));
  assert.deepEqual(person.relationships["household"]?.data, { type: "households", id: first });
});
