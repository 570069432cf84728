import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join as joinCell, makeCell } from "../../support/cells.ts";
import { makeAccount, makeEndpoint, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  ids,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
await makeEndpoint(db, account.id, { events: ["household.updated"] });

const newPerson = async (fullName?: string) =>
  (await makePerson(db, account.id, fullName === undefined ? {} : { fullName })).id;
const linkage = (type: string, id: string | null) => ({ data: id === null ? null : { type, id } });

const household = (attributes: Record<string, unknown> = {}, contact?: string) =>
  service.post(
    "/v1/households",
    document(
      "households",
      { name: "Family Lima", ...attributes },
      contact === undefined
        ? {}
        : { relationships: { "primary-contact": linkage("people", contact) } },
    ),
  );

const join = (householdId: string, personId: string, attributes: Record<string, unknown> = {}) =>
  service.post(
    "/v1/household-memberships",
    document("household-memberships", attributes, {
      relationships: {
        household: linkage("households", householdId),
        person: linkage("people", personId),
      },
    }),
  );

const changeContact = (id: string, personId: string | null) =>
  service.patch(
    `/v1/households/${id}`,
    document(
      "households",
      {},
      { id, relationships: { "primary-contact": linkage("people", personId) } },
    ),
  );

const contactOf = async (id: string) =>
  one(await service.get(`/v1/households/${id}`)).relationships["primary-contact"]?.data;

test("201 · the primary contact of a new household is its first member, as head", async () => {
  const ana = await newPerson();
  const { id } = one(await household({}, ana));
  const [membership] = many(await service.get(`/v1/households/${id}/memberships`));
  assert.partialDeepStrictEqual(membership?.attributes, {
    "household-role": "head",
    "is-primary": true,
  });
  assert.deepEqual(await contactOf(id), { type: "people", id: ana });
  const person = one(await service.get(`/v1/people/${ana}`));
  assert.deepEqual(person.relationships["household"]?.data, { type: "households", id });
  assert.deepEqual(person.relationships["households"]?.data, [{ type: "households", id }]);
});

test("422 · only a member becomes the primary contact, in a document and at its route", async () => {
  const [ana, ben] = [await newPerson(), await newPerson()];
  const { id } = one(await household());
  await join(id, ana);
  const refused = await changeContact(id, ben);
  assert.deepEqual([refused.status, ...codes(refused)], [422, "invalid-relationship"]);
  assert.deepEqual(pointers(refused), ["/data/relationships/primary-contact/data"]);
  const path = `/v1/households/${id}/relationships/primary-contact`;
  const atRoute = await service.patch(path, linkage("people", ben));
  assert.deepEqual([atRoute.status, pointers(atRoute)], [422, ["/data"]]);
  assert.equal((await service.patch(path, linkage("people", ana))).status, 200);
  assert.equal((await changeContact(id, null)).status, 200);
  assert.equal(await contactOf(id), null);
});

test("404 · 422 · an absent household is reported before a contact who is no member", async () => {
  assert.equal((await changeContact(newId(), await newPerson())).status, 404);
  const { id } = one(await household());
  for (const stranger of [newId(), other.administrator.id])
    assert.deepEqual(codes(await changeContact(id, stranger)), ["invalid-relationship"]);
});

test("200 · households are found by name, number, address, member and lack of members", async () => {
  const ana = await newPerson();
  const address = { street: "Rua da Paz", neighborhood: "Cambuí", city: "Campinas" };
  const lima = one(
    await household({ name: "Zeferino e Silva", phone: "+551133334444", address }, ana),
  );
  const empty = one(await household({ name: "Empty", address: { city: "São Paulo" } }));
  const found = async (query: string) => ids(await service.get(`/v1/households?${query}`));
  for (const q of ["zeferíno", "SILVA zeferino", "33334444", "cambui", "paz campinas"])
    assert.deepEqual(await found(`filter[q]=${encodeURIComponent(q)}`), [lima.id], q);
  assert.deepEqual(await found("filter[q]=zeferino%20empty"), []);
  assert.deepEqual(await found("filter[city]=SAO%20PAULO"), [empty.id]);
  assert.deepEqual(await found(`filter[person]=${ana}`), [lima.id]);
  const without = await found("filter[without-members]=true");
  assert.ok(without.includes(empty.id) && !without.includes(lima.id));
  assert.ok((await found("filter[without-members]=false")).includes(lima.id));
  assert.deepEqual(ids(await service.get(`/v1/people?filter[household]=${lima.id}`)), [ana]);
});

test("204 · deleting a household keeps its people", async () => {
  const ana = await newPerson();
  const { id } = one(await household({}, ana));
  const told = await eventsOf(() => service.delete(`/v1/households/${id}`));
  assert.deepEqual(told, ["household.deleted"]);
  const person = one(await service.get(`/v1/people/${ana}`));
  assert.equal(person.relationships["household"]?.data, null);
  assert.deepEqual(person.relationships["households"]?.data, []);
});

test("200 · a deleted person leaves the household, also as its contact", async () => {
  const ana = await newPerson();
  const { id } = one(await household({}, ana));
  const before = etag(await service.get(`/v1/households/${id}`));
  assert.equal((await service.delete(`/v1/people/${ana}`)).status, 204);
  const answer = await service.get(`/v1/households/${id}?include=members,memberships`);
  assert.equal(await contactOf(id), null);
  assert.deepEqual(one(answer).relationships["members"]?.data, []);
  assert.notEqual(etag(answer), before);
});

test("200 · each write of a household or of a membership captures one event", async () => {
  const [ana, ben] = [await newPerson(), await newPerson()];
  let id = "";
  let membership = "";
  const changes: [act: () => Promise<unknown>, type: string][] = [
    [async () => (id = one(await household({}, ana)).id), "household.created"],
    [
      () => service.patch(`/v1/households/${id}`, document("households", { name: "Melo" }, { id })),
      "household.updated",
    ],
    [async () => (membership = one(await join(id, ben)).id), "household.updated"],
    [
      () =>
        service.patch(
          `/v1/household-memberships/${membership}`,
          document("household-memberships", { "household-role": "child" }, { id: membership }),
        ),
      "household.updated",
    ],
    [() => service.delete(`/v1/household-memberships/${membership}`), "household.updated"],
  ];
  for (const [act, type] of changes) assert.deepEqual(await eventsOf(act), [type]);
  const fields = await db<{ changed: string[] }[]>`
    select changed_fields as changed from webhook_events
    where account_id = ${account.id} and subject_id = ${id} and event_type = 'household.updated' order by id`;
  assert.deepEqual(
    fields.map(({ changed }) => changed),
    [["name"], ["memberships"], ["memberships"], ["memberships"]],
  );
});

test("200 · custom fields of households are stored, filtered and shown", async () => {
  const definitions = { households: { "visited-by": { type: "string" } } };
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { "custom-properties": definitions }, { id: account.id }),
  );
  const { id, attributes } = one(await household({ "custom-properties": { "visited-by": "Rui" } }));
  assert.deepEqual(attributes["custom-properties"], { "visited-by": "Rui" });
  const path = "/v1/households?filter[custom-properties.visited-by]=Rui";
  assert.deepEqual(ids(await service.get(path)), [id]);
});

test("200 · a person reads the households they are in, with names and roles, and nothing else", async () => {
  const ana = await makePerson(db, account.id, { fullName: "Ana Lima" });
  const ben = await newPerson("Ben Lima");
  const stranger = await newPerson("Rui Melo");
  const { id } = one(await household({}, ana.id));
  await join(id, ben, { "household-role": "child" });
  const elsewhere = one(await household({ name: "Family Melo" }, stranger)).id;
  await db`update people set medical_notes = 'Asthma', occupation = 'Baker' where id = ${ben}`;

  const as = ana.token;
  const answer = await service.get("/v1/households?include=members,memberships", { as });
  assert.deepEqual(ids(answer), [id]);
  assert.equal(answer.document.meta?.["total"], 1);
  const included = (type: string) =>
    (answer.document.included ?? []).filter((each) => each.type === type);
  assert.deepEqual(
    new Set(included("people").map(({ attributes }) => attributes["full-name"])),
    new Set(["Ana Lima", "Ben Lima"]),
  );
  assert.deepEqual(
    new Set(
      included("household-memberships").map(({ attributes }) => attributes["household-role"]),
    ),
    new Set(["head", "child"]),
  );
  const seen = one(await service.get(`/v1/people/${ben}`, { as }));
  assert.equal(seen.attributes["full-name"], "Ben Lima");
  for (const hidden of ["medical-notes", "occupation", "address", "birthdate"])
    assert.ok(!Object.hasOwn(seen.attributes, hidden), hidden);
  assert.deepEqual(new Set(ids(await service.get("/v1/people", { as }))), new Set([ana.id, ben]));

  for (const path of [
    `/v1/households/${elsewhere}`,
    `/v1/households/${elsewhere}/members`,
    `/v1/people/${stranger}`,
  ])
    assert.equal((await service.get(path, { as })).status, 404, path);
  for (const [type, other] of [
    ["people", ben],
    ["households", id],
  ] as const) {
    const named = type === "people" ? { occupation: "Clerk" } : { name: "Mine" };
    const body = document(type, named, { id: other });
    const refused = await service.patch(`/v1/${type}/${other}`, body, { as });
    assert.deepEqual([refused.status, ...codes(refused)], [403, "forbidden"], type);
  }
});

test("200 · a restricted member sees the names of the others and no address or number", async () => {
  const address = { street: "Rua das Flores", number: "12", city: "Lisboa", country: "PT" };
  const record = {
    "full-name": "Ben Lima",
    "birthdate": "1980-05-06",
    "phones": [{ number: "+351210000017" }],
  };
  const ben = one(await service.post("/v1/people", document("people", record))).id;
  const { id } = one(await household({ address, phone: "+351210000016" }, ben));
  const ana = await makePerson(db, account.id);
  const as = ana.token;
  const membership = one(await join(id, ana.id, { "may-pick-up": "restricted" })).id;
  const [home, person] = [`/v1/households/${id}`, `/v1/people/${ben}`];

  assert.deepEqual(one(await service.get(person, { as })).attributes, {
    "full-name": "Ben Lima",
    "preferred-name": null,
  });
  const seen = one(await service.get(`${home}?include=members`, { as }));
  assert.deepEqual(Object.keys(seen.attributes), ["created-at", "modified-at", "name"]);
  assert.deepEqual(Object.keys(seen.relationships), ["primary-contact", "members", "memberships"]);
  for (const query of [
    "people?filter[phone]=351210000017",
    "people?filter[birth-month]=5",
    "households?filter[city]=Lisboa",
    "households?filter[q]=Flores",
  ])
    assert.deepEqual(ids(await service.get(`/v1/${query}`, { as })), [], query);
  assert.deepEqual(ids(await service.get("/v1/households?filter[person]=me", { as })), [id]);

  // A cell of Ana would show the number.
  const cell = await makeCell(db, account.id);
  await joinCell(db, account.id, cell, ana.id, { cell_role: "leader" });
  const relationships = { cell: linkage("cells", cell), person: linkage("people", ben) };
  const joining = document("cell-memberships", { "cell-role": "participant" }, { relationships });
  const refused = await service.post("/v1/cell-memberships", joining, { as });
  assert.deepEqual([refused.status, ...codes(refused)], [422, "invalid-relationship"]);

  const lifted = document("household-memberships", { "may-pick-up": "yes" }, { id: membership });
  await service.patch(`/v1/household-memberships/${membership}`, lifted);
  assert.partialDeepStrictEqual(one(await service.get(home, { as })).attributes, { address });
  assert.partialDeepStrictEqual(one(await service.get(person, { as })).attributes, {
    phones: [{ number: "+351210000017" }],
  });
});

test("404 · a person who left a household sees neither it nor its people", async () => {
  const ana = await makePerson(db, account.id);
  const ben = await newPerson();
  const { id } = one(await household({}, ben));
  const membership = one(await join(id, ana.id)).id;
  const as = ana.token;
  assert.equal((await service.get(`/v1/people/${ben}`, { as })).status, 200);
  await service.delete(`/v1/household-memberships/${membership}`);
  for (const path of [`/v1/households/${id}`, `/v1/people/${ben}`])
    assert.equal((await service.get(path, { as })).status, 404, path);
  assert.deepEqual(ids(await service.get("/v1/household-memberships", { as })), []);
});
