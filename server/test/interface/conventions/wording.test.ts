import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { customFieldTypes, schemaOfField } from "../../../src/jsonapi/definition/custom-fields.ts";
import { makePerson } from "../../support/make.ts";
import { type Answer, document, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const { id } = await makePerson(db, account.id);

const said = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    (answer.document.errors ?? []).map(({ detail, source }) => [
      source?.pointer?.replace("/data/attributes/", "") ?? "",
      detail,
    ]),
  );

test("422 · each unknown member of an object has its own pointer", async () => {
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
  const settingsDocument = document(
    "accounts",
    { settings: { bogus: 1, other: 2 } },
    { id: account.id },
  );
  assert.deepEqual(Object.keys(said(await service.patch("/v1/accounts/me", settingsDocument))), [
    "settings/bogus",
    "settings/other",
  ]);
});

test("422 · an error about a member name points to that member", async () => {
  const level = { type: "string" };
  const properties = { people: { "Level": 7, "shirt size": level, "shoe-size": { type: "shoe" } } };
  const answer = await service.patch(
    "/v1/accounts/me",
    document("accounts", { "custom-properties": properties }, { id: account.id }),
  );
  assert.deepEqual(Object.keys(said(answer)).sort(), [
    "custom-properties/people/Level",
    "custom-properties/people/shirt size",
    "custom-properties/people/shoe-size/type",
  ]);
});

test("422 · unassigned codes of currencies, countries and time zones are rejected", async () => {
  for (const code of ["ZZZ", "XYZ", "eur"]) {
    const course = document("courses", { "name": "Baptism", "price-currency": code });
    const answer = await service.post("/v1/courses", course);
    assert.deepEqual(Object.keys(said(answer)), ["price-currency"]);
  }
  for (const nationality of ["QQ", "ZZ", "XA", "UK", "SU", "br"]) {
    const person = document("people", { "full-name": "Ana", nationality });
    assert.equal((await service.post("/v1/people", person)).status, 422, nationality);
  }
  const settings = { country: "QQ", currency: "ZZZ", "time-zone": "Mars/Base" };
  const settingsDocument = document("accounts", { settings }, { id: account.id });
  const answer = await service.patch("/v1/accounts/me", settingsDocument);
  assert.deepEqual(
    Object.keys(said(answer)).sort(),
    Object.keys(settings).map((name) => `settings/${name}`),
  );
  for (const nationality of ["BR", "XK", "GB"]) {
    const person = document("people", { "full-name": "Ana", nationality });
    assert.equal((await service.post("/v1/people", person)).status, 201, nationality);
  }
});

test("every pattern and format of a writable attribute has a description", () => {
  const undescribed: string[] = [];
  const look = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { description, format, pattern } = schema as Record<string, unknown>;
    // An error about this format has words of its own.
    const hasForm = typeof format === "string" && format !== "one-line";
    if ((typeof pattern === "string" || hasForm) && !description) undescribed.push(at);
    for (const [name, one] of Object.entries(schema)) look(one, `${at}.${name}`);
  };
  const { commands, resources } = describedCatalogue;
  for (const resource of [...resources.values(), ...commands.values()])
    for (const [name, { mode, schema }] of Object.entries(resource.attributes))
      if (mode !== "read-only") look(schema, `${resource.type}.${name}`);
  for (const type of customFieldTypes)
    look(schemaOfField({ type, options: [{ value: "x" }] }), `custom ${type}`);
  assert.deepEqual(undescribed, []);
});
