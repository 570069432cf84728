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

test("200 · what is named changes, what is not stays, person.updated is told once", async () => {
  const { id } = await makePerson(db, account.id, { fullName: "Paul Before" });
  const events = await eventsOf(async () => {
    const answer = await patch(id, { "full-name": "Paul After", "is-baptized": true });
    assert.equal(answer.status, 200);
    assert.equal(one(answer).attributes["last-name"], "After");
  });
  assert.deepEqual(events, ["person.updated"]);
  const tag = etag(await service.get(`/v1/people/${id}`));
  const again = await eventsOf(async () => {
    const same = { "is-baptized": true, "is-active": true, "email": null, "phones": [] };
    assert.equal(etag(await patch(id, same)), tag);
  });
  assert.deepEqual(again, []);
});

test("200 · objects and arrays are replaced whole", async () => {
  const { id } = await makePerson(db, account.id);
  await patch(id, {
    address: { city: "Porto", country: "PT" },
    phones: [{ number: "+351211234567" }],
  });
  await patch(id, { address: { city: "Faro" } });
  assert.deepEqual((await read(id))["address"], { city: "Faro" });
  assert.deepEqual((await read(id))["phones"], [{ number: "+351211234567" }]);
});

test("200 · a changed membership status has a new day", async () => {
  const { id } = await makePerson(db, account.id);
  const first = one(await patch(id, { "membership-status": "member" })).attributes;
  assert.ok(first["membership-status-changed-at"]);
  const same = one(await patch(id, { "membership-status": "member" })).attributes;
  assert.equal(same["membership-status-changed-at"], first["membership-status-changed-at"]);
});

test("200 · a status, or activity, that is only repeated beside a change keeps its day", async () => {
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
});

test("200 · me may change what is self-editable, by id and as me", async () => {
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

test("200 · as me one is also named me in the document; 409 · but nobody else is", async () => {
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

test("403 · me may not change the rest, each with its pointer, and nothing is changed", async () => {
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

test("404 · a member cannot tell from a refusal that somebody exists or what they are", async () => {
  const member = await makePerson(db, account.id);
  const other = await makeAccount(db);
  for (const id of [account.administrator.id, other.administrator.id])
    for (const attributes of [
      { "is-active": false },
      { "administrative-status": "none" },
      { "full-name": "x" },
      { "email": null },
      { "nonsense": 1 },
      {},
    ]) {
      const answer = await patch(id, attributes, { as: member.token });
      assert.deepEqual(
        [answer.status, ...codes(answer)],
        [404, "not-found"],
        JSON.stringify(attributes),
      );
    }
});

test("403 · who reads everybody and may change only themselves is told so", async () => {
  const supervisor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: supervisor.id, role: "cell-supervisor" });
  const { id } = await makePerson(db, account.id);
  for (const attributes of [{ "full-name": "x" }, { "is-active": false }])
    assert.equal((await patch(id, attributes, { as: supervisor.token })).status, 403);
  const admin = await patch(
    account.administrator.id,
    { "is-active": false },
    { as: supervisor.token },
  );
  assert.deepEqual(codes(admin), ["forbidden"]);
});

test("403 · administrators change people, but neither standing nor a full administrator's login", async () => {
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

test("409 · the last active full administrator stays one", async () => {
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

test("409 · of two full administrators who demote each other at once one remains", async () => {
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

test("200 · deactivation ends every token and tells person.deactivated; coming back tells person.reactivated", async () => {
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
    "old tokens stay ended",
  );
});

test("200 · a changed e-mail is the new login name, and the old one is nobody's", async () => {
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

test("422 · a login cannot lose its e-mail; 409 · nor take another's", async () => {
  const login = await makeLogin(db, account, "keeper");
  const taken = await makePerson(db, account.id, { email: "taken-already@example.org" });
  const lost = await patch(login.id, { email: null });
  assert.deepEqual([lost.status, ...pointers(lost)], [422, "/data/attributes/email"]);
  const stolen = await patch(login.id, { "email": "TAKEN-already@example.org", "occupation": "x" });
  assert.deepEqual([stolen.status, ...pointers(stolen)], [409, "/data/attributes/email"]);
  assert.equal((await read(login.id))["occupation"], null);
  assert.equal((await read(taken.id))["email"], "taken-already@example.org");
});

test("409 · a stale If-Match changes nothing, also where more than a column hangs on it", async () => {
  const { id, token } = await makePerson(db, account.id);
  const stale = etag(await service.get(`/v1/people/${id}`));
  await patch(id, { occupation: "x" });
  const headers = { "If-Match": stale };
  const events = await eventsOf(async () => {
    assert.equal((await patch(id, { "is-active": false }, { headers })).status, 409);
    assert.equal((await patch(id, { "email": "z@example.org" }, { headers })).status, 409);
  });
  assert.deepEqual(events, []);
  assert.equal((await service.get("/v1/people/me", { as: token })).status, 200);
});

test("200 · two who change different attributes at once both keep theirs", async () => {
  const { id } = await makePerson(db, account.id);
  const changes = {
    "occupation": "Baker",
    "preferred-name": "Pp",
    "locale": "pt",
    "former-name": "x",
  };
  const answers = await Promise.all(
    Object.entries(changes).map(([name, value]) => patch(id, { [name]: value })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.partialDeepStrictEqual(await read(id), changes);
});

test("403 · nobody locks out, or takes the log-in of, whoever ranks above them", async () => {
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

test("200 · of two who deactivate somebody at once one does; 422 · of two days that exclude each other one stays", async () => {
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

test("200 · whoever ranks as high changes their e-mail and their activity", async () => {
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

test("200 · two who change each other's record at once do not wait for each other", async () => {
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

test("422 · no day of a life is impossible, also beside what is kept", async () => {
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

test("422 · a birthdate comes after no other day of a life that is kept", async () => {
  for (const name of [
    "deathdate",
    "wedding-date",
    "member-since",
    "decision-date",
    "baptism-date",
    "left-at",
  ]) {
    const { id } = await makePerson(db, account.id);
    assert.equal((await patch(id, { [name]: "2001-02-03" })).status, 200);
    const late = await patch(id, { birthdate: "2001-02-04" });
    assert.deepEqual([late.status, ...pointers(late)], [422, "/data/attributes/birthdate"], name);
    assert.equal((await patch(id, { birthdate: "2001-02-03" })).status, 200, name);
    const early = await patch(id, { [name]: "2001-02-02" });
    assert.deepEqual([early.status, ...pointers(early)], [422, `/data/attributes/${name}`]);
  }
});

test("200 · what follows from another attribute, sent back as it is shown, goes on to follow", async () => {
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
});

test("200 · sent beside another full name it is what was sent", async () => {
  const { id } = await makePerson(db, account.id, { fullName: "Ana Souza" });
  const answer = await patch(id, { "full-name": "Bia Ana Lima", "first-name": "Ana" });
  assert.equal(one(answer).attributes["first-name"], "Ana");
  assert.equal((await read(id))["last-name"], "Lima");
});
