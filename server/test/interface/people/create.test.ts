import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { makeAccount, makeAssignment, makePerson } from "../../support/make.ts";
import { codes, document, eventsOf, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const administrator = await makePerson(db, account.id, {
  fullName: "Adi",
  administrativeStatus: "administrator",
});

const create = (attributes: Record<string, unknown>, as?: string) =>
  service.post("/v1/people", document("people", attributes), as === undefined ? {} : { as });
const made = async (attributes: Record<string, unknown>) => {
  const answer = await create({ "full-name": "Paula Person", ...attributes });
  assert.equal(answer.status, 201, answer.text);
  return one(answer).attributes;
};
const total = async () => (await service.get("/v1/people")).document.meta?.["total"];

test("201 · attributes that are not sent have their default, and person.created is captured once", async () => {
  let attributes: Record<string, unknown> = {};
  const events = await eventsOf(async () => {
    attributes = await made({});
  });
  assert.deepEqual(events, ["person.created"]);
  assert.partialDeepStrictEqual(attributes, {
    "email": null,
    "other-emails": [],
    "phones": [],
    "address": null,
    "membership-status": "visitor",
    "is-active": true,
    "administrative-status": "none",
    "has-login": false,
    "last-login-at": null,
    "photo-url": null,
    "resource-scope": [],
    "consents": [],
    "merged-ids": [],
    "custom-properties": {},
    "external-ids": {},
  });
});

test("201 · first-name and last-name are derived from full-name unless they are sent", async () => {
  for (const [full, first, last] of [
    ["Ana", "Ana", null],
    ["Ana Souza", "Ana", "Souza"],
    ["Ana Maria de Souza", "Ana", "Souza"],
    ["  Ana   Souza  ", "Ana", "Souza"],
    ["王 小明", "王", "小明"],
  ]) {
    const attributes = await made({ "full-name": full });
    assert.deepEqual(
      [attributes["first-name"], attributes["last-name"]],
      [first, last],
      full ?? "",
    );
  }
  const given = await made({ "full-name": "Ana Souza", "last-name": "von Souza" });
  assert.deepEqual([given["first-name"], given["last-name"]], ["Ana", "von Souza"]);
});

test("201 · age and is-child are derived from birthdate and the account's child-age-limit", async () => {
  // By the database's calendar: its clock is the only one.
  const born = async (age: string) => {
    const [row] = await db<{ day: string }[]>`
      select (current_date - ${age}::interval)::date::text as day`;
    return row?.day ?? "";
  };
  const resource = async (birthdate: string | null) => {
    const attributes = await made({ birthdate });
    return [attributes["age"], attributes["is-child"]];
  };
  assert.deepEqual(await resource(await born("13 years -1 day")), [12, true]);
  assert.deepEqual(await resource(await born("13 years 1 day")), [13, false]);
  assert.deepEqual(await resource(null), [null, null]);
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { settings: { "child-age-limit": 18 } }, { id: account.id }),
  );
  assert.deepEqual(await resource(await born("13 years 1 day")), [13, true]);
  assert.deepEqual(await resource(await born("18 years 1 day")), [18, false]);
});

test("201 · birth-month-day needs no birthdate, and must agree with one", async () => {
  assert.equal((await made({ "birth-month-day": "02-29" }))["birth-month-day"], "02-29");
  for (const never of ["02-30", "04-31", "11-31", "00-01", "01-00", "01-32"]) {
    const answer = await create({ "full-name": "x", "birth-month-day": never });
    assert.deepEqual(pointers(answer), ["/data/attributes/birth-month-day"], never);
  }
  for (const day of ["01-31", "04-30", "12-31"])
    assert.equal((await made({ "birth-month-day": day }))["birth-month-day"], day);
  assert.equal((await made({ "birthdate": "1984-05-17" }))["birth-month-day"], "05-17");
  const both = { "birthdate": "1984-05-17", "birth-month-day": "05-17" };
  assert.equal((await made(both))["birthdate"], "1984-05-17");
  const answer = await create({ "full-name": "x", ...both, "birth-month-day": "05-18" });
  assert.deepEqual([answer.status, ...pointers(answer)], [422, "/data/attributes/birth-month-day"]);
});

test("201 · a status that is sent has the time from which it holds", async () => {
  assert.equal((await made({}))["membership-status-changed-at"], null);
  assert.ok((await made({ "membership-status": "member" }))["membership-status-changed-at"]);
  assert.ok((await made({ "is-active": false }))["deactivated-at"]);
});

test("409 · an e-mail address is unique within the account, ignoring case", async () => {
  await made({ email: "One@Example.org" });
  const before = await total();
  const answer = await create({ "full-name": "x", "email": "oNE@eXAMPLE.ORG" });
  assert.equal(answer.status, 409);
  assert.deepEqual(codes(answer), ["already-exists"]);
  assert.deepEqual(pointers(answer), ["/data/attributes/email"]);
  assert.equal(await total(), before);
  const other = await makeAccount(db);
  const elsewhere = { "full-name": "x", "email": "one@example.org" };
  assert.equal((await create(elsewhere, other.administrator.token)).status, 201);
});

test("422 · an e-mail address whose lower case is ambiguous is rejected", async () => {
  for (const email of [
    "cafe\u0301@example.org",
    "ana@cafe\u0301.example",
    "İ@example.org",
    "ΟΔΟΣ@example.org",
  ]) {
    const answer = await create({ "full-name": "x", email });
    assert.deepEqual([answer.status, ...pointers(answer)], [422, "/data/attributes/email"], email);
  }
  await made({ email: "Café@Example.org" });
  assert.equal((await create({ "full-name": "x", "email": "cAFÉ@example.org" })).status, 409);
});

test("403 · only full administrators set administrative-status", async () => {
  const answer = await create(
    { "full-name": "x", "administrative-status": "administrator", "nonsense": 1 },
    administrator.token,
  );
  assert.equal(answer.status, 403);
  assert.deepEqual(pointers(answer), ["/data/attributes/administrative-status"]);
  assert.equal((await create({ "full-name": "By Adi" }, administrator.token)).status, 201);
});

test("201 · a caller with people:write may send protected attributes with their default values", async () => {
  const { token, id } = await makePerson(db, account.id);
  const form = { "full-name": "New", "administrative-status": "none", "medical-notes": null };
  assert.equal((await create(form, token)).status, 403, "the form needs people:write");
  assert.equal((await create(form, administrator.token)).status, 201);
  await makeAssignment(db, account.id, { personId: id, role: "secretary" });
  const answer = await create(form, token);
  assert.equal(answer.status, 201, answer.text);
  const { id: created } = one(answer);
  const stand = (status: string, as = account.administrator.token) => {
    const change = document("people", { "administrative-status": status }, { id: created });
    return service.patch(`/v1/people/${created}`, change, { as });
  };
  assert.equal((await stand("none", token)).status, 200);
  assert.equal((await stand("administrator")).status, 200);
  const changed = await stand("none", token);
  assert.equal(changed.status, 403, "the value is no longer the default");
});

test("201 · names, e-mail addresses and telephone numbers may all reach their limits at once", async () => {
  // Random letters, which PostgreSQL cannot compress before it checks the size of an index entry.
  const letters = (length: number) =>
    randomBytes(length).toString("base64url").toLowerCase().slice(0, length);
  const address = () => `${letters(242)}@example.org`;
  const longest = () => ({
    "full-name": letters(255),
    "preferred-name": letters(100),
    "email": address(),
    "other-emails": Array.from({ length: 5 }, address),
    "phones": Array.from({ length: 10 }, (_, n) => ({ number: `+55${String(n).repeat(13)}` })),
  });
  await made(longest());
  const wide = { "full-name": "漢".repeat(255), "preferred-name": "字".repeat(100) };
  await made({ ...longest(), ...wide });
});
