import assert from "node:assert/strict";
import { after, test } from "node:test";
import { json } from "../../../src/store/sql.ts";
import { makeAccount, makeEndpoint, makeRow } from "../../support/make.ts";
import { codes, document, ids, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const setCountry = (id: string, country: string) =>
  db`update accounts set settings = settings || ${json({ country })}, version = version + 1 where id = ${id}`;
await setCountry(account.id, "PT");

const as = account.administrator.token;
const create = (type: string, attributes: object, to: Record<string, object> = {}) =>
  service.post(
    `/v1/${type}`,
    document(
      type,
      { ...attributes },
      {
        relationships: Object.fromEntries(
          Object.entries(to).map(([name, data]) => [name, { data }]),
        ),
      },
    ),
    { as },
  );
const phonesOf = async (id: string) =>
  one(await service.get(`/v1/people/${id}`)).attributes["phones"];

const NUMBER = "+351912345678";
const DISPLAY = "+351 912 345 678";
const cell = await makeRow(db, "cells", account.id, { name: "North", join_policy: "open" });

test("numbers of people are read as typed, and answers have E.164 and the display", async () => {
  const typed = ["912 345 678", "00351 912-345-678", "(+351) 912.345.678", NUMBER];
  const made = await create("people", {
    "full-name": "Ana Souza",
    "phones": typed.map((number) => ({ number, label: "mobile" })),
  });
  assert.equal(made.status, 201, made.text);
  const { attributes, id } = one(made);
  const shown = typed.map(() => ({ number: NUMBER, display: DISPLAY, label: "mobile" }));
  assert.deepEqual(attributes["phones"], shown);
  assert.deepEqual(await phonesOf(id), shown);
  const [stored] = await db<{ phones: string }[]>`select phones::text from people where id = ${id}`;
  assert.ok(!stored?.phones.includes("display"));
  const list = await service.get(`/v1/people?filter[id]=${id}&fields[people]=phones`);
  assert.deepEqual((list.document.data as { attributes: object }[])[0]?.attributes, {
    phones: shown,
  });
});

test("a client that sends back what it read changes nothing, whatever display it sends", async () => {
  const { attributes, id } = one(
    await create("people", { "full-name": "Rui", "phones": [{ number: NUMBER }] }),
  );
  const change = (phones: unknown) =>
    service.patch(`/v1/people/${id}`, document("people", { phones }, { id }), { as });
  for (const phones of [
    attributes["phones"],
    [{ number: "912345678" }],
    [{ number: NUMBER, display: "of another number" }],
  ]) {
    const answer = await change(phones);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(one(answer).attributes["phones"], [{ number: NUMBER, display: DISPLAY }]);
    assert.equal(one(answer).attributes["modified-at"], attributes["modified-at"]);
  }
  assert.deepEqual(pointers(await change([{ number: NUMBER, display: 1 }])), [
    "/data/attributes/phones/0/display",
  ]);
});

test("422 names each number that cannot be read, with the reason", async () => {
  const answer = await create("people", {
    "full-name": "Ana",
    "phones": [
      { number: NUMBER },
      { number: "12" },
      { number: "call me" },
      { number: "912 345 678 912 345 678" },
      { number: "1".repeat(41) },
    ],
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set([1, 2, 3, 4].map((place) => `/data/attributes/phones/${place}/number`)),
  );
  assert.equal(codes(answer).length, 4);
  assert.deepEqual([...new Set(codes(answer))], ["invalid-attribute"]);
});

test("an account without a country asks for the country code", async () => {
  const other = await makeAccount(db);
  const write = (number: string) =>
    service.post("/v1/people", document("people", { "full-name": "Ana", "phones": [{ number }] }), {
      as: other.administrator.token,
    });
  const refused = await write("912 345 678");
  assert.match(refused.text, /no country code.*`country`/);
  assert.equal((await write("00351 912 345 678")).status, 201);
  await setCountry(other.id, "BR");
  const read = await write("(11) 98765-4321");
  assert.deepEqual(one(read).attributes["phones"], [
    { number: "+5511987654321", display: "+55 11 98765 4321" },
  ]);
});

test("households, contacts, visitors, new people and custom fields take numbers as typed", async () => {
  const household = await create("households", { name: "Family Lima", phone: "912 345 678" });
  assert.partialDeepStrictEqual(one(household).attributes, {
    "phone": NUMBER,
    "phone-display": DISPLAY,
  });
  const without = await create("households", { name: "Family Reis" });
  assert.partialDeepStrictEqual(one(without).attributes, { "phone": null, "phone-display": null });

  const request = await create(
    "cell-join-requests",
    { contact: { "full-name": "Ana Lima", "phone": "912 345 678" } },
    { cell: { type: "cells", id: cell } },
  );
  assert.deepEqual(one(request).attributes["contact"], {
    "full-name": "Ana Lima",
    "phone": NUMBER,
    "phone-display": DISPLAY,
  });
  const approved = await service.patch(
    `/v1/cell-join-requests/${one(request).id}`,
    document("cell-join-requests", { status: "approved" }, { id: one(request).id }),
  );
  const person = one(approved).relationships["person"]?.data as { id: string };
  assert.deepEqual(await phonesOf(person.id), [{ number: NUMBER, display: DISPLAY }]);

  const today = new Date().toISOString().slice(0, 10);
  const report = await create(
    "cell-meetings",
    {
      "date": today,
      "status": "held",
      "visitors": [{ "full-name": "Rui Melo", "phone": "91 234 5678" }],
    },
    { cell: { type: "cells", id: cell } },
  );
  assert.equal(report.status, 201, report.text);
  const visitors = await service.get("/v1/people?filter[name]=Rui%20Melo");
  assert.deepEqual(await phonesOf(ids(visitors)[0] ?? ""), [{ number: NUMBER, display: DISPLAY }]);

  const course_id = await makeRow(db, "courses", account.id, { name: "Basics" });
  const class_id = await makeRow(db, "course_classes", account.id, {
    course_id,
    name: "Autumn",
    status: "open",
  });
  const enrolled = await create(
    "course-enrollments",
    { "new-person": { "full-name": "Eva Pinto", "phone": "912-345-678" } },
    { class: { type: "course-classes", id: class_id } },
  );
  assert.equal(enrolled.status, 201, enrolled.text);
  const student = one(enrolled).relationships["person"]?.data as { id: string };
  assert.deepEqual(await phonesOf(student.id), [{ number: NUMBER, display: DISPLAY }]);

  const define = (field: object) =>
    service.patch(
      "/v1/accounts/me",
      document("accounts", { "custom-properties": { people: { fax: field } } }, { id: "me" }),
    );
  assert.deepEqual(pointers(await define({ type: "phone", default: "912 345 678" })), [
    "/data/attributes/custom-properties/people/fax/default",
  ]);
  assert.equal((await define({ type: "phone" })).status, 200);
  const fax = await create("people", {
    "full-name": "Ivo",
    "custom-properties": { fax: "912 345 678" },
  });
  assert.deepEqual(one(fax).attributes["custom-properties"], { fax: NUMBER });
  const byFax = await service.get("/v1/people?filter[custom-properties.fax]=00351%20912%20345");
  assert.deepEqual(ids(byFax), [one(fax).id]);
});

test("filter[q] and filter[phone] find a number however it is typed, and none of another account", async () => {
  const { id } = one(
    await create("people", { "full-name": "Zoe", "phones": [{ number: "+442079460958" }] }),
  );
  const found = async (query: string) => ids(await service.get(`/v1/people?${query}`));
  for (const typed of ["020 7946 0958", "+44 20 7946", "0044 20 7946", "+44 (0)20 7946", "7946 09"])
    for (const filter of ["q", "phone"])
      assert.deepEqual(await found(`filter[${filter}]=${encodeURIComponent(typed)}`), [id], typed);
  const other = await makeAccount(db);
  const elsewhere = await service.get("/v1/people?filter[phone]=7946", {
    as: other.administrator.token,
  });
  assert.deepEqual(ids(elsewhere), []);
});

test("events show the display, as answers do", async () => {
  await makeEndpoint(db, account.id, { events: ["person.created"] });
  const { id } = one(
    await create("people", { "full-name": "Eli", "phones": [{ number: "912 345 678" }] }),
  );
  const [event] = await db<{ snapshot: string }[]>`
    select snapshot::text as snapshot from webhook_events
    where account_id = ${account.id} and subject_id = ${id}`;
  const { attributes } = JSON.parse(event?.snapshot ?? "") as { attributes: object };
  assert.partialDeepStrictEqual(attributes, { phones: [{ number: NUMBER, display: DISPLAY }] });
});
