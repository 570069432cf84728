import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAssignment, makeAccount, makePerson, makeToken } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const patch = (
  id: string,
  attributes: Record<string, unknown>,
  options: Parameters<typeof service.patch>[2] = {},
) => service.patch(`/v1/people/${id}`, document("people", attributes, { id }), options);
const read = async (id: string) => one(await service.get(`/v1/people/${id}`)).attributes;

test("200 · objects and arrays are replaced as a whole", async () => {
  const { id } = await makePerson(db, account.id);
  await patch(id, {
    address: { city: "Porto", country: "PT" },
    phones: [{ number: "+351211234567" }],
  });
  await patch(id, { address: { city: "Faro" } });
  assert.deepEqual((await read(id))["address"], { city: "Faro" });
  assert.deepEqual((await read(id))["phones"], [
    { number: "+351211234567", display: "+351 21 123 4567" },
  ]);
});

test("200 · membership-status and is-active keep their times unless their values change", async () => {
  const { id } = await makePerson(db, account.id);
  const same = { "membership-status": "member", "is-active": false };
  await patch(id, same);
  await db`
    update people set membership_status_changed_at = '2020-01-01', deactivated_at = '2020-01-02'
    where account_id = ${account.id} and id = ${id}`;
  const events = await eventsOf(async () => {
    const answer = await patch(id, { ...same, occupation: "Baker" });
    assert.partialDeepStrictEqual(one(answer).attributes, {
      "occupation": "Baker",
      "membership-status-changed-at": "2020-01-01T00:00:00.000Z",
      "deactivated-at": "2020-01-02T00:00:00.000Z",
    });
  });
  assert.deepEqual(events, ["person.updated"]);
  const changed = one(await patch(id, { "membership-status": "visitor" })).attributes;
  assert.ok(String(changed["membership-status-changed-at"]) > "2026");
});

test("200 · a member may change their own self-editable attributes, by id and as me", async () => {
  const { id, token } = await makePerson(db, account.id);
  const answer = await service.patch(
    "/v1/people/me",
    document("people", { "preferred-name": "Pp", "address": { city: "Faro" } }, { id }),
    { as: token },
  );
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await read(id))["preferred-name"], "Pp");
  assert.equal((await patch(id, { occupation: "Baker" }, { as: token })).status, 200);
  const preferences = {
    "locale": "pt-BR",
    "communication-preferences": { email: false },
    "directory-visibility": { phone: "cell" },
  };
  assert.equal((await patch(id, preferences, { as: token })).status, 200);
  assert.partialDeepStrictEqual(await read(id), preferences);
});

test("200 · the id me names the caller in the path and the document; 409 · and no other person", async () => {
  const { id, token } = await makePerson(db, account.id);
  const sent = document("people", { "preferred-name": "Pp" }, { id: "me" });
  for (const at of ["me", id]) {
    const answer = await service.patch(`/v1/people/${at}`, sent, { as: token });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(one(answer).id, id);
  }
  const other = document("people", {}, { id: account.administrator.id });
  for (const answer of [
    await service.patch(`/v1/people/${id}`, sent),
    await service.patch("/v1/people/me", other, { as: token }),
  ])
    assert.deepEqual([answer.status, ...codes(answer)], [409, "id-mismatch"]);
  const nameless = await service.patch("/v1/people/me", document("people", {}), { as: token });
  assert.deepEqual([nameless.status, ...codes(nameless)], [400, "malformed-document"]);
});

test("403 · a member may not change their other attributes, each with its pointer", async () => {
  const { id, token } = await makePerson(db, account.id);
  const before = await read(id);
  const answer = await patch(
    id,
    {
      "preferred-name": "Allowed",
      "email": "new@example.org",
      "membership-status": "member",
      "administrative-status": "full-administrator",
      "is-active": false,
      "medical-notes": "none",
      "external-ids": { crm: "1" },
      "member-since": "2001-01-01",
      "admission-method": "baptism",
      "is-baptized": true,
      "previous-church": "St. Mary",
      "left-at": "2020-01-01",
      "sex": 5,
    },
    { as: token },
  );
  assert.equal(answer.status, 403);
  assert.deepEqual(
    pointers(answer),
    [
      "email",
      "membership-status",
      "administrative-status",
      "is-active",
      "medical-notes",
      "external-ids",
      "member-since",
      "admission-method",
      "is-baptized",
      "previous-church",
      "left-at",
    ].map((name) => `/data/attributes/${name}`),
  );
  assert.deepEqual(await read(id), before);
});

test("403 · administrators change neither administrative-status nor a full administrator's login", async () => {
  const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const as = administrator.token;
  const { id } = await makePerson(db, account.id);
  assert.equal(
    (await patch(id, { "email": "x1@example.org", "is-active": false }, { as })).status,
    200,
  );
  assert.deepEqual(
    pointers(await patch(id, { "administrative-status": "administrator" }, { as })),
    ["/data/attributes/administrative-status"],
  );
  const promotion = await patch(
    administrator.id,
    { "administrative-status": "full-administrator" },
    { as },
  );
  assert.equal(promotion.status, 403);
  for (const name of ["email", "is-active"]) {
    const value = name === "email" ? "taken@example.org" : false;
    const answer = await patch(account.administrator.id, { [name]: value }, { as });
    assert.deepEqual([answer.status, ...pointers(answer)], [403, `/data/attributes/${name}`]);
  }
  assert.equal((await patch(account.administrator.id, { occupation: "x" }, { as })).status, 200);
});

test("409 · the last active full administrator cannot be demoted or deactivated", async () => {
  const own = await makeAccount(db);
  const as = own.administrator.token;
  await makePerson(db, own.id, {
    fullName: "Inactive",
    administrativeStatus: "full-administrator",
  });
  await db`update people set is_active = false where account_id = ${own.id} and full_name = 'Inactive'`;
  for (const attributes of [
    { "administrative-status": "none" },
    { "administrative-status": "administrator" },
    { "is-active": false },
    { "is-active": false, "administrative-status": "none" },
  ]) {
    const answer = await patch(own.administrator.id, attributes, { as });
    assert.deepEqual([answer.status, ...codes(answer)], [409, "last-full-administrator"]);
  }
  const second = await makePerson(db, own.id, { administrativeStatus: "full-administrator" });
  const answer = await patch(
    own.administrator.id,
    { "administrative-status": "none" },
    { as: second.token },
  );
  assert.equal(answer.status, 200);
});

test("409 · two full administrators who demote each other concurrently leave one", async () => {
  const own = await makeAccount(db);
  const second = await makePerson(db, own.id, { administrativeStatus: "full-administrator" });
  const demote = (id: string, as: string) => patch(id, { "administrative-status": "none" }, { as });
  const answers = await together(db, own.id, [
    () => demote(own.administrator.id, second.token),
    () => demote(second.id, own.administrator.token),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const [row] = await db`
    select count(*)::int as left from people
    where account_id = ${own.id} and administrative_status = 'full-administrator'`;
  assert.equal(row?.["left"], 1);
});

test("200 · deactivation ends every token; both changes of is-active capture an event of their own", async () => {
  const { id, token } = await makePerson(db, account.id);
  const second = await makeToken(db, account.id, id);
  const gone = await eventsOf(() => patch(id, { "is-active": false }));
  assert.deepEqual(gone.sort(), ["person.deactivated", "person.updated"]);
  for (const as of [token, second])
    assert.equal((await service.get("/v1/people/me", { as })).status, 401);
  assert.ok((await read(id))["deactivated-at"]);
  const back = await eventsOf(() => patch(id, { "is-active": true }));
  assert.deepEqual(back.sort(), ["person.reactivated", "person.updated"]);
  assert.equal((await read(id))["deactivated-at"], null);
  assert.equal(
    (await service.get("/v1/people/me", { as: token })).status,
    401,
    "old tokens stay invalid",
  );
});

test("200 · a changed e-mail is the new username, and the old one no longer works", async () => {
  const login = await makeLogin(db, account, "moving");
  const authenticate = (username: string) =>
    service.request("POST", "/authenticate", {
      as: null,
      body: JSON.stringify({ username, password: PASSWORD, account: account.alias }),
      headers: { "Content-Type": "application/json" },
    });
  assert.equal((await patch(login.id, { email: "moved@example.org" })).status, 200);
  assert.equal((await authenticate("MOVED@example.org")).status, 200);
  assert.equal((await authenticate(login.email)).status, 401);
});

test("422 · a person with a login needs an e-mail; 409 · and it must be unique", async () => {
  const login = await makeLogin(db, account, "keeper");
  const taken = await makePerson(db, account.id, { email: "taken-already@example.org" });
  const lost = await patch(login.id, { email: null });
  assert.deepEqual([lost.status, ...pointers(lost)], [422, "/data/attributes/email"]);
  const stolen = await patch(login.id, { "email": "TAKEN-already@example.org", "occupation": "x" });
  assert.deepEqual([stolen.status, ...pointers(stolen)], [409, "/data/attributes/email"]);
  assert.equal((await read(login.id))["occupation"], null);
  assert.equal((await read(taken.id))["email"], "taken-already@example.org");
});

test("403 · a caller may not deactivate, or change the e-mail of, a person of higher rank", async () => {
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const above = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  for (const attributes of [{ "is-active": false }, { email: "taken@over.example" }]) {
    const body = document("people", attributes, { id: above.id });
    const answer = await service.patch(`/v1/people/${above.id}`, body, { as: secretary.token });
    assert.equal(answer.status, 403, JSON.stringify(attributes));
  }
  assert.equal((await service.get("/v1/people/me", { as: above.token })).status, 200);
});

test("200 · concurrent deactivations capture one event; 422 · concurrent dates must agree", async () => {
  const own = await makeAccount(db);
  const { id } = await makePerson(db, own.id);
  const as = own.administrator.token;
  const atOnce = (...changes: Record<string, unknown>[]) =>
    together(
      db,
      own.id,
      changes.map((attributes) => () => patch(id, attributes, { as })),
    );
  const off = { "is-active": false };
  const events = await eventsOf(async () => {
    for (const { status } of await atOnce(off, off)) assert.equal(status, 200);
  });
  assert.deepEqual(events.sort(), ["person.deactivated", "person.updated"]);
  const answers = await atOnce({ birthdate: "2001-01-01" }, { deathdate: "2000-01-01" });
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  );
});

test("200 · a caller of the same rank may change e-mail and is-active", async () => {
  for (const administrativeStatus of ["full-administrator", "administrator"] as const) {
    const [by, about] = [
      await makePerson(db, account.id, { administrativeStatus }),
      await makePerson(db, account.id, { administrativeStatus }),
    ];
    for (const attributes of [{ email: `${about.id}@example.org` }, { "is-active": false }]) {
      const answer = await patch(about.id, attributes, { as: by.token });
      assert.equal(answer.status, 200, answer.text);
    }
  }
});

test("200 · two people who change each other concurrently do not deadlock", async () => {
  const own = await makeAccount(db);
  const [first, second] = [
    own.administrator,
    await makePerson(db, own.id, { administrativeStatus: "full-administrator" }),
  ];
  for (let turn = 0; turn < 10; turn += 1) {
    // Each then refers to the other as who changed it last.
    await db`update people set modified_by = null where account_id = ${own.id}`;
    const change = (id: string, as: string) => patch(id, { occupation: `Baker ${turn}` }, { as });
    const answers = await together(db, own.id, [
      () => change(first.id, second.token),
      () => change(second.id, first.token),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  }
});

test("422 · dates must agree with each other and with the stored dates", async () => {
  const { id } = await makePerson(db, account.id);
  assert.equal((await patch(id, { birthdate: "1984-05-17" })).status, 200);
  const tag = etag(await service.get(`/v1/people/${id}`));
  const refused = async (attributes: Record<string, unknown>, ...names: string[]) => {
    const answer = await patch(id, attributes);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      pointers(answer),
      names.map((name) => `/data/attributes/${name}`),
    );
  };
  await refused({ birthdate: "2999-01-01" }, "birthdate");
  await refused(
    { "deathdate": "1984-05-16", "baptism-date": "1984-01-01" },
    "deathdate",
    "baptism-date",
  );
  const answer = await service.post(
    "/v1/people",
    document("people", {
      "full-name": "Eve",
      "birthdate": "2999-01-01",
      "deathdate": "2998-01-01",
    }),
  );
  assert.deepEqual([answer.status, ...codes(answer)], [422, ...Array(3).fill("invalid-attribute")]);
  assert.equal(etag(await service.get(`/v1/people/${id}`)), tag);

  assert.equal(
    (await patch(id, { "deathdate": "2024-02-29", "wedding-date": "2040-01-01" })).status,
    200,
  );
  await refused({ birthdate: "2024-03-01" }, "birthdate");
  assert.equal((await patch(id, { birthdate: "2024-03-01", deathdate: null })).status, 200);
});

test("200 · a derived attribute that is sent back unchanged stays derived", async () => {
  const { id } = await makePerson(db, account.id, { fullName: "Ana Souza" });
  assert.equal((await patch(id, { birthdate: "1984-05-17" })).status, 200);
  const tag = etag(await service.get(`/v1/people/${id}`));
  const shown = { "first-name": "Ana", "last-name": "Souza", "birth-month-day": "05-17" };
  const same = { ...shown, "full-name": "Ana Souza", "birthdate": "1984-05-17" };
  const events = await eventsOf(async () => {
    for (const sent of [shown, same]) assert.equal(etag(await patch(id, sent)), tag);
  });
  assert.deepEqual(events, []);
  const renamed = one(await patch(id, { "full-name": "Bia Lima", "birthdate": "1984-05-18" }));
  assert.partialDeepStrictEqual(renamed.attributes, {
    "first-name": "Bia",
    "last-name": "Lima",
    "birth-month-day": "05-18",
  });
  const given = one(await patch(id, { "full-name": "Eva Bia Melo", "first-name": "Bia" }));
  assert.partialDeepStrictEqual(given.attributes, { "first-name": "Bia", "last-name": "Melo" });
});
