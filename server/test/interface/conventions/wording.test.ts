import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { customFieldTypes, schemaOfField } from "../../../src/jsonapi/definition/custom-fields.ts";
import { makePerson } from "../../support/make.ts";
import { type Answer, document, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { church, db } = service;
const { id } = await makePerson(db, church.id);

const said = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    (answer.document.errors ?? []).map(({ detail, source }) => [
      source?.pointer?.replace("/data/attributes/", "") ?? "",
      detail,
    ]),
  );

test("422 · what a value looks like is said in words, with an example", async () => {
  const address = "an e-mail address, such as ana@example.org";
  const phone = "a telephone number in E.164, a plus and then digits alone, such as +5511987654321";
  const expected = {
    "full-name": [" ", "text that is not blank"],
    "birthdate": [
      "17.5.1984",
      "a day of the calendar as YYYY-MM-DD, in the years 1000 to 2999, such as 1984-05-17",
    ],
    "wedding-date": [
      "9999-12-31",
      "a day of the calendar as YYYY-MM-DD, in the years 1000 to 2999, such as 1984-05-17",
    ],
    "birth-month-day": ["17-05", "a day of the year as MM-DD, such as 05-17"],
    "email": ["ana", address],
    "other-emails/0": ["ana", address],
    "phones/0/number": ["+351 910", phone],
    "nationality": [
      "Brazil",
      "a country's code as ISO 3166-1 has it, of two capital letters, such as BR",
    ],
    "membership-status": [
      5,
      "one of: prospect, visitor, attender, member, former-member, deceased",
    ],
  } as const;
  for (const [place, [value, words]] of Object.entries(expected)) {
    const [name = "", position, member] = place.split("/");
    const one = member === undefined ? value : { [member]: value };
    const attributes = { [name]: position === undefined ? one : [one] };
    const answer = await service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
    assert.equal(answer.status, 422);
    assert.deepEqual(said(answer), { [place]: `Must be ${words}.` });
  }
});

test("422 · an object is said with its members", async () => {
  const attributes = { phones: ["+351 910"] };
  const answer = await service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
  assert.deepEqual(said(answer), {
    "phones/0": "Must be an object with number, which may have label, is-primary, is-whatsapp.",
  });
});

test("422 · a member that an object does not have is pointed at, each by itself", async () => {
  const attributes = {
    "address": { "planet": "Earth", "a/b": 1, "city": 7 },
    "phones": [{ number: "+351910000000", kind: "x" }],
    "communication-preferences": { bogus: true },
  };
  const answer = await service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
  assert.equal(answer.status, 422);
  const found = Object.fromEntries(
    (answer.document.errors ?? []).map(({ code, source }) => [source?.pointer, code]),
  );
  assert.deepEqual(found, {
    "/data/attributes/address/planet": "unknown-attribute",
    "/data/attributes/address/a~1b": "unknown-attribute",
    "/data/attributes/address/city": "invalid-attribute",
    "/data/attributes/phones/0/kind": "unknown-attribute",
    "/data/attributes/communication-preferences/bogus": "unknown-attribute",
  });
  assert.equal(
    said(answer)["phones/0/kind"],
    "There is no such member here. There are: number, label, is-primary, is-whatsapp.",
  );
  const account = document("accounts", { settings: { bogus: 1, other: 2 } }, { id: church.id });
  assert.deepEqual(Object.keys(said(await service.patch("/v1/accounts/me", account))), [
    "settings/bogus",
    "settings/other",
  ]);
});

test("422 · a name that callers choose is told how names look, at the name itself", async () => {
  const level = { type: "string" };
  const properties = { people: { "Level": 7, "shirt size": level, "shoe-size": { type: "shoe" } } };
  const answer = await service.patch(
    "/v1/accounts/me",
    document("accounts", { "custom-properties": properties }, { id: church.id }),
  );
  const words =
    "Its name must be lower-case letters, digits and dashes, a letter first, 63 at most, such as shirt-size.";
  const { "custom-properties/people/shoe-size/type": type, ...names } = said(answer);
  assert.deepEqual(names, {
    "custom-properties/people/Level": words,
    "custom-properties/people/shirt size": words,
  });
  assert.match(type ?? "", /^Must be one of: string, text, /);
});

test("422 · codes that nobody gave, of currencies, countries and time zones", async () => {
  for (const code of ["ZZZ", "XYZ", "eur"]) {
    const course = document("courses", { "name": "Baptism", "price-currency": code });
    assert.deepEqual(said(await service.post("/v1/courses", course)), {
      "price-currency": "Must be a currency's code as ISO 4217 has it, such as BRL.",
    });
  }
  for (const nationality of ["QQ", "ZZ", "XA", "UK", "SU", "br"]) {
    const person = document("people", { "full-name": "Ana", nationality });
    assert.equal((await service.post("/v1/people", person)).status, 422, nationality);
  }
  const settings = { country: "QQ", currency: "ZZZ", "time-zone": "Mars/Base" };
  const account = document("accounts", { settings }, { id: church.id });
  const answer = await service.patch("/v1/accounts/me", account);
  assert.deepEqual(
    Object.keys(said(answer)).sort(),
    Object.keys(settings).map((name) => `settings/${name}`),
  );
  for (const nationality of ["BR", "XK", "GB"]) {
    const person = document("people", { "full-name": "Ana", nationality });
    assert.equal((await service.post("/v1/people", person)).status, 201, nationality);
  }
});

test("every pattern and format that callers meet has words", () => {
  const speechless: string[] = [];
  const look = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { description, format, pattern } = schema as Record<string, unknown>;
    if ((typeof pattern === "string" || typeof format === "string") && !description)
      speechless.push(at);
    for (const [name, one] of Object.entries(schema)) look(one, `${at}.${name}`);
  };
  const { commands, resources } = describedCatalogue;
  for (const of of [...resources.values(), ...commands.values()])
    for (const [name, { mode, schema }] of Object.entries(of.attributes))
      if (mode !== "read-only") look(schema, `${of.type}.${name}`);
  for (const type of customFieldTypes)
    look(schemaOfField({ type, options: [{ value: "x" }] }), `custom ${type}`);
  assert.deepEqual(speechless, []);
});
