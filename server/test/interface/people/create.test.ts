import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { makeAssignment, makePerson } from "../../support/make.ts";
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

const everything = {
  "full-name": "Maria Aparecida da Silva",
  "first-name": "Maria Aparecida",
  "last-name": "da Silva",
  "preferred-name": "Cida",
  "former-name": "Souza",
  "sex": "female",
  "birthdate": "1984-02-29",
  "deathdate": "2024-02-29",
  "marital-status": "widowed",
  "wedding-date": "2004-12-31",
  "occupation": "Nurse",
  "nationality": "BR",
  "email": "Cida@Example.org",
  "other-emails": ["family@example.org", "work@example.org"],
  "phones": [
    { "number": "+5511987654321", "label": "mobile", "is-primary": true, "is-whatsapp": true },
    { "number": "+4930901820", "label": null },
  ],
  "address": {
    "street": "Rua “das” Flores",
    "number": "12-B",
    "complement": null,
    "neighborhood": "Centro",
    "city": "São Paulo",
    "state": "SP",
    "postal-code": "01000-000",
    "country": "BR",
    "latitude": -23.55,
    "longitude": -46.633333,
  },
  "emergency-contact": { "name": "João", "phone": "+55 11 1234", "relationship": "brother" },
  "membership-status": "member",
  "member-since": "2001-01-01",
  "admission-method": "baptism",
  "decision-date": "2000-05-05",
  "is-baptized": true,
  "baptism-date": "2000-12-24",
  "previous-church": 'St. Mary\'s \\ "First"',
  "left-at": "2020-01-01",
  "left-reason": "Moved\nfar away\t😀",
  "identity-documents": [{ "kind": "cpf", "number": "000.000.000-00", "country": "BR" }],
  "medical-notes": "Allergic to \u2028 line separators",
  "is-active": true,
  "administrative-status": "administrator",
  "locale": "pt-BR",
  "communication-preferences": { "email": true, "sms": false, "whatsapp": null },
  "directory-visibility": { "email": "members", "phone": "nobody" },
  "external-ids": { "old-system": "42", "constructor": "x" },
};

test("201 · every attribute is kept as it was sent", async () => {
  const answer = await create(everything);
  assert.equal(answer.status, 201, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, everything);
  assert.deepEqual(one(await service.get(answer.headers.get("location") ?? "")), one(answer));
});

test("201 · what is left out has its default, and person.created is told once", async () => {
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

test("201 · first and last name are words of the full name unless they are given", async () => {
  for (const [full, first, last] of [
    ["Ana", "Ana", null],
    ["Ana Souza", "Ana", "Souza"],
    ["Ana Maria de Souza", "Ana", "Souza"],
    ["  Ana   Souza  ", "Ana", "Souza"],
    ["Ana\tSouza", "Ana", "Souza"],
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

test("201 · age and is-child follow from the birthdate and the account's limit", async () => {
  // By the database's calendar: its clock is the only one.
  const born = async (age: string) => {
    const [row] = await db<{ day: string }[]>`
      select (current_date - ${age}::interval)::date::text as day`;
    return row?.day ?? "";
  };
  const of = async (birthdate: string | null) => {
    const attributes = await made({ birthdate });
    return [attributes["age"], attributes["is-child"]];
  };
  assert.deepEqual(await of(await born("13 years -1 day")), [12, true]);
  assert.deepEqual(await of(await born("13 years 1 day")), [13, false]);
  assert.deepEqual(await of(null), [null, null]);
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { settings: { "child-age-limit": 18 } }, { id: account.id }),
  );
  assert.deepEqual(await of(await born("13 years 1 day")), [13, true]);
  assert.deepEqual(await of(await born("18 years 1 day")), [18, false]);
});

test("201 · a birthday without its year stands alone; with the birthdate it must agree", async () => {
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

test("201 · a status that is given has a day from which it holds", async () => {
  assert.equal((await made({}))["membership-status-changed-at"], null);
  assert.ok((await made({ "membership-status": "member" }))["membership-status-changed-at"]);
  assert.ok((await made({ "is-active": false }))["deactivated-at"]);
});

test("409 · an e-mail belongs to one person of the account, whatever its case; another account may have it", async () => {
  await made({ email: "One@Example.org" });
  const before = await total();
  const answer = await create({ "full-name": "x", "email": "oNE@eXAMPLE.ORG" });
  assert.equal(answer.status, 409);
  assert.deepEqual(codes(answer), ["already-exists"]);
  assert.deepEqual(pointers(answer), ["/data/attributes/email"]);
  assert.equal(await total(), before);
});

test("422 · an address that not everybody folds in the same way: accents by themselves, letters of two lower cases", async () => {
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

test("422 · every invalid attribute is reported at once, down to the member that is wrong", async () => {
  const before = await total();
  const answer = await create({
    "full-name": " ",
    "sex": "other",
    "birthdate": "1984-02-30",
    "deathdate": "yesterday",
    "wedding-date": "2020-1-1",
    "birth-month-day": "13-01",
    "nationality": "Brazil",
    "email": "no address",
    "other-emails": ["a@example.org", "b"],
    "phones": [{ number: "+5511987654321" }, { number: "0800" }, {}],
    "address": { street: 5, latitude: 91, planet: "Earth" },
    "emergency-contact": {},
    "membership-status": null,
    "is-active": 1,
    "identity-documents": [{ kind: "x" }],
    "locale": "português",
    "communication-preferences": { email: "yes" },
    "directory-visibility": { email: "everybody" },
    "external-ids": { "No": "x" },
    "age": 5,
    "has-login": true,
    "password": "secret",
  });
  assert.equal(answer.status, 422);
  const expected = [
    "full-name",
    "sex",
    "birthdate",
    "deathdate",
    "wedding-date",
    "birth-month-day",
    "nationality",
    "email",
    "other-emails/1",
    "phones/1/number",
    "phones/2",
    "address/street",
    "address/latitude",
    "address/planet",
    "emergency-contact",
    "membership-status",
    "is-active",
    "identity-documents/0",
    "locale",
    "communication-preferences/email",
    "directory-visibility/email",
    "external-ids/No",
    "age",
    "has-login",
    "password",
  ].map((place) => `/data/attributes/${place}`);
  const told = new Set(pointers(answer));
  assert.deepEqual(
    expected.filter((place) => !told.has(place)),
    [],
    answer.text,
  );
  assert.equal(await total(), before);
});

test("201, 422 · arrays and maps take as much as they may have, and no more", async () => {
  const times = <V>(length: number, make: (n: number) => V) =>
    Array.from({ length }, (_, n) => make(n));
  const sent: Record<string, [most: number, value: (length: number) => unknown]> = {
    "other-emails": [5, (length) => times(length, (n) => `m${n}@example.org`)],
    "phones": [10, (length) => times(length, () => ({ number: "+5511987654321" }))],
    "identity-documents": [5, (length) => times(length, () => ({ kind: "x", number: "1" }))],
    "external-ids": [10, (length) => Object.fromEntries(times(length, (n) => [`k${n}`, "v"]))],
  };
  for (const [name, [most, value]] of Object.entries(sent)) {
    assert.deepEqual((await made({ [name]: value(most) }))[name], value(most));
    const answer = await create({ "full-name": "x", [name]: value(most + 1) });
    assert.deepEqual([answer.status, ...pointers(answer)], [422, `/data/attributes/${name}`], name);
  }
});

test("201, 422 · a text is as long as it may be, and not a letter longer", async () => {
  const longest = {
    "full-name": 255,
    "first-name": 120,
    "last-name": 120,
    "preferred-name": 100,
    "former-name": 120,
    "occupation": 120,
    "email": 254,
    "previous-church": 200,
    "left-reason": 500,
    "medical-notes": 2_000,
  };
  for (const [name, length] of Object.entries(longest)) {
    const text = "x".repeat(length - 12) + (name === "email" ? "@example.org" : "ã".repeat(12));
    assert.equal((await made({ [name]: text }))[name], text);
    const answer = await create({ "full-name": "x", [name]: `x${text}` });
    assert.deepEqual([answer.status, ...pointers(answer)], [422, `/data/attributes/${name}`], name);
  }
});

test("201 · each value of a choice is taken", async () => {
  const visibility = ["nobody", "cell", "members"];
  const choices: [name: string, values: string[], member?: string][] = [
    ["sex", ["female", "male"]],
    [
      "marital-status",
      ["single", "married", "engaged", "partnered", "separated", "divorced", "widowed"],
    ],
    [
      "membership-status",
      ["prospect", "visitor", "attender", "member", "former-member", "deceased"],
    ],
    ["admission-method", ["baptism", "profession", "transfer", "restoration", "other"]],
    ["administrative-status", ["none", "administrator", "full-administrator"]],
    ["directory-visibility", visibility, "address"],
    ["directory-visibility", visibility, "email"],
    ["directory-visibility", visibility, "phone"],
    ["directory-visibility", visibility, "birthday"],
  ];
  for (const [name, values, member] of choices)
    for (const value of values) {
      const sent = member === undefined ? value : { [member]: value };
      assert.deepEqual((await made({ [name]: sent }))[name], sent);
    }
  const preferences = { email: false, sms: true, whatsapp: false, phone: true, post: false };
  assert.deepEqual(
    (await made({ "communication-preferences": preferences }))["communication-preferences"],
    preferences,
  );
});

test("201, 422 · an address lies on the globe, up to its poles and the date line", async () => {
  for (const [name, most] of [
    ["latitude", 90],
    ["longitude", 180],
  ] as const)
    for (const end of [most, -most]) {
      const address = { [name]: end };
      assert.deepEqual((await made({ address }))["address"], address);
      const beyond = { address: { [name]: end * 1.001 } };
      const answer = await create({ "full-name": "x", ...beyond });
      assert.deepEqual(
        [answer.status, ...pointers(answer)],
        [422, `/data/attributes/address/${name}`],
      );
    }
});

test("403 · administrative-status is for full administrators to give", async () => {
  const answer = await create(
    { "full-name": "x", "administrative-status": "administrator", "nonsense": 1 },
    administrator.token,
  );
  assert.equal(answer.status, 403);
  assert.deepEqual(pointers(answer), ["/data/attributes/administrative-status"]);
  assert.equal((await create({ "full-name": "By Adi" }, administrator.token)).status, 201);
});

test("201 · a whole form, with what would be so anyway, from whoever may create", async () => {
  const { token, id } = await makePerson(db, account.id);
  const form = { "full-name": "New", "administrative-status": "none", "medical-notes": null };
  assert.equal((await create(form, token)).status, 403, "who may not create still may not");
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
  assert.equal(changed.status, 403, "to take a standing away is not to leave it");
});

test("403 · a member makes nobody; a secretary does", async () => {
  const person = await makePerson(db, account.id);
  assert.equal((await create({ "full-name": "x" }, person.token)).status, 403);
  await makeAssignment(db, account.id, { personId: person.id, role: "secretary" });
  assert.equal((await create({ "full-name": "x" }, person.token)).status, 201);
});

test("201 · names, e-mail addresses and telephone numbers may all have their greatest length", async () => {
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
