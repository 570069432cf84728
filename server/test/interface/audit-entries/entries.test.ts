import assert from "node:assert/strict";
import { after, test } from "node:test";
import sharp from "sharp";
import { DAY } from "../../../src/base/clock.ts";
import { forgetAddresses } from "../../../src/features/journal/forget-addresses.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeForm, makeSubmission, moderate } from "../../support/forms.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { grant } from "../../support/roles.ts";
import {
  document,
  identifiers,
  many,
  one,
  type Resource,
  startService,
} from "../../support/service.ts";
import { cookieFor, inSession } from "../../support/session.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const admin = account.administrator.id;

const person = async () => (await makePerson(db, account.id)).id;
const changePerson = (id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/people/${id}`, document("people", attributes, { id }));

/** The entries, the oldest first, without those of the test's own preparations. */
async function entries(query: string, as?: string): Promise<Resource[]> {
  const options = as === undefined ? {} : { as };
  return many(await service.get(`/v1/audit-entries?sort=occurred-at&${query}`, options)).filter(
    ({ attributes }) => attributes["cause"] !== "system" || attributes["action"] === "login-failed",
  );
}
const about = (id: string) => entries(`filter[resource-id]=${id}`);
const inWords = ({ attributes }: Resource) => [attributes["action"], attributes["changes"]];
const linked = (entry: Resource | undefined, name: string) =>
  (entry?.relationships[name]?.data as { id: string } | null | undefined)?.id;

test("200 · a change is an entry with the values before and after, its author and its request", async () => {
  const ana = await person();
  const answer = await changePerson(ana, { occupation: "Baker", "member-since": "2020-05-01" });
  await changePerson(ana, { occupation: "Clerk" });
  await changePerson(ana, { occupation: "Clerk" });
  const [first, second, ...more] = await about(ana);
  assert.deepEqual(more, []);
  assert.deepEqual(first?.attributes["changes"], {
    "occupation": { from: null, to: "Baker" },
    "member-since": { from: null, to: "2020-05-01" },
  });
  assert.deepEqual(second?.attributes["changes"], { occupation: { from: "Baker", to: "Clerk" } });
  assert.deepEqual(
    [linked(first, "actor"), linked(first, "subject-person"), first?.attributes["request-id"]],
    [admin, ana, answer.headers.get("x-request-id")],
  );
  const { cause, client, ip } = first?.attributes ?? {};
  assert.deepEqual([cause, client, ip], ["api", null, "127.0.0.1"]);
  assert.deepEqual(one(await service.get(`/v1/audit-entries/${first?.id}`)).id, first?.id);
});

test("200 · links are the ids that were removed and added, and relationships have ids", async () => {
  const [ana, tag] = [await person(), await makeRow(db, "tags", account.id, { name: "Choir" })];
  const path = `/v1/people/${ana}/relationships/tags`;
  await service.patch(path, identifiers("tags", [tag]));
  await service.patch(path, identifiers("tags", []));
  assert.deepEqual((await about(ana)).map(inWords), [
    ["updated", { tags: { from: [], to: [tag] } }],
    ["updated", { tags: { from: [tag], to: [] } }],
  ]);
  const [parent, cell] = [
    await makeCell(db, account.id, { cell_type: "supervision", level: 1 }),
    await makeCell(db, account.id),
  ];
  const relationships = { parent: { data: { type: "cells", id: parent } } };
  await service.patch(`/v1/cells/${cell}`, document("cells", {}, { id: cell, relationships }));
  const [moved] = await about(cell);
  assert.deepEqual(moved?.attributes["changes"], { parent: { from: null, to: parent } });
});

test("200 · values that not every reader may see are redacted, and long ones are omitted", async () => {
  await service.patch(
    "/v1/accounts/me",
    document(
      "accounts",
      {
        "custom-properties": {
          people: {
            "shirt": { type: "string" },
            "salary": { type: "string", "read-access": "full-administrator" },
          },
        },
      },
      { id: account.id },
    ),
  );
  const ana = await person();
  await changePerson(ana, {
    "medical-notes": "CANARY-medical",
    "identity-documents": [{ kind: "passport", number: "CANARY-document" }],
    "custom-properties": { shirt: "m", salary: "CANARY-salary" },
  });
  const redacted = { from: "[redacted]", to: "[redacted]" };
  const [entry] = await about(ana);
  assert.deepEqual(entry?.attributes["changes"], {
    "medical-notes": redacted,
    "identity-documents": redacted,
    "custom-properties.shirt": { from: null, to: "m" },
    "custom-properties.salary": redacted,
  });
  const note = document(
    "notes",
    { text: "CANARY-note" },
    { relationships: { about: { data: { type: "people", id: ana } } } },
  );
  const { id } = one(await service.post("/v1/notes", note));
  await service.patch(`/v1/notes/${id}`, document("notes", { text: "CANARY-later" }, { id }));
  const rows = await db`select from journal row where to_jsonb(row)::text like '%CANARY%'`;
  assert.equal(rows.length, 0);

  const fields = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, { type: "text" }]));
  await service.patch(
    "/v1/accounts/me",
    document("accounts", { "custom-properties": { people: fields } }, { id: account.id }),
  );
  const long: Record<string, string> = {
    a: "x".repeat(19_000),
    b: "y".repeat(19_001),
    c: "z".repeat(19_002),
    d: "short",
  };
  const ben = await person();
  await changePerson(ben, { "custom-properties": long });
  await changePerson(ben, {
    "custom-properties": Object.fromEntries(
      Object.entries(long).map(([key, value]) => [key, `${value}!`]),
    ),
  });
  const [, second] = await about(ben);
  assert.deepEqual(second?.attributes["omitted"], ["custom-properties.c", "custom-properties.b"]);
  assert.deepEqual(Object.keys(second?.attributes["changes"] as object).sort(), [
    "custom-properties.a",
    "custom-properties.d",
  ]);

  // The same in two changes of one transaction, the second of which changes what the first one omitted.
  await inTransaction(db, account.id, async (tx) => {
    for (const [add, keys] of [
      ["?", ["a", "b", "c", "d"]],
      ["", ["c", "d"]],
    ] as const)
      for (const key of keys)
        await tx`
          update people set version = version + 1,
            custom_properties = jsonb_set(custom_properties, ${[key]}::text[], to_jsonb(${long[key] + add}::text))
          where account_id = ${account.id} and id = ${ben}`;
  });
  const [third] = await db<{ changes: object; omitted: string[] }[]>`
    select changes, omitted from journal
    where account_id = ${account.id} and resource_id = ${ben} order by id desc limit 1`;
  assert.deepEqual(third?.omitted, ["custom-properties.b", "custom-properties.c"]);
  assert.deepEqual(Object.keys(third.changes).sort(), [
    "custom-properties.a",
    "custom-properties.d",
  ]);
});

test("200 · changes of rights are permission-changed", async () => {
  const [ana, cell] = [await person(), await makeCell(db, account.id)];
  const role = one(
    await service.post("/v1/roles", document("roles", { name: "R1", permissions: ["tags:read"] })),
  ).id;
  await service.patch(`/v1/roles/${role}`, document("roles", { permissions: [] }, { id: role }));
  const assignment = one(await grant(service, { role: "secretary", personId: ana })).id;
  await service.delete(`/v1/role-assignments/${assignment}`);
  await changePerson(ana, { "administrative-status": "administrator", "occupation": "Baker" });
  const membership = (cellRole: string, personId: string) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": cellRole },
        {
          relationships: {
            cell: { data: { type: "cells", id: cell } },
            person: { data: { type: "people", id: personId } },
          },
        },
      ),
    );
  const leader = one(await membership("leader", ana)).id;
  const participant = one(await membership("participant", await person())).id;
  const actionsAbout = async (id: string) => (await about(id)).map((one) => inWords(one)[0]);
  assert.deepEqual(
    [await actionsAbout(role), await actionsAbout(assignment), await actionsAbout(ana)],
    [
      ["created", "permission-changed"],
      ["permission-changed", "permission-changed"],
      ["permission-changed"],
    ],
  );
  assert.deepEqual(
    [await actionsAbout(leader), await actionsAbout(participant)],
    [["permission-changed"], ["created"]],
  );
  const [entry] = await about(leader);
  assert.equal(linked(entry, "subject-person"), ana);
});

test("200 · a right that is given or taken is named, with null where there was or is none", async () => {
  const ana = await person();
  const changesOf = async (id: string) =>
    (await about(id)).map(({ attributes }) => attributes["changes"]);
  const granted = one(await grant(service, { role: "secretary", personId: ana }));
  await service.delete(`/v1/role-assignments/${granted.id}`);
  const role = linked(granted, "role");
  const right = { "role": role, "scope-type": "account", "scope-ids": [] };
  const period = { "valid-from": null, "valid-until": null };
  const sides = (from: object | null, to: object | null) =>
    Object.fromEntries(
      Object.keys({ ...right, ...period }).map((name) => [
        name,
        { from: from?.[name as never] ?? null, to: to?.[name as never] ?? null },
      ]),
    );
  assert.deepEqual(await changesOf(granted.id), [sides(null, right), sides(right, null)]);

  const cell = await makeCell(db, account.id);
  const membership = one(
    await service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "leader" },
        {
          relationships: {
            cell: { data: { type: "cells", id: cell } },
            person: { data: { type: "people", id: ana } },
          },
        },
      ),
    ),
  ).id;
  const ended = document("cell-memberships", { status: "left" }, { id: membership });
  await service.patch(`/v1/cell-memberships/${membership}`, ended);
  const [given, taken] = (await changesOf(membership)) as Record<string, unknown>[];
  assert.deepEqual(given, { "cell-role": { from: null, to: "leader" } });
  assert.deepEqual(taken?.["cell-role"], { from: "leader", to: null });

  const made = document("people", { "full-name": "Eva", "administrative-status": "administrator" });
  const eva = one(await service.post("/v1/people", made)).id;
  assert.deepEqual((await about(eva)).map(inWords), [
    ["permission-changed", { "administrative-status": { from: null, to: "administrator" } }],
  ]);

  const revocation = document(
    "access-token-revocations",
    {},
    { relationships: { person: { data: { type: "people", id: ana } } } },
  );
  for (const status of [204, 204])
    assert.equal((await service.post("/v1/access-token-revocations", revocation)).status, status);
  const [revoked, ...more] = (await about(ana)).map(inWords);
  assert.deepEqual(revoked, ["permission-changed", { "access-tokens": { from: 1, to: 0 } }]);
  assert.deepEqual(more, []);
});

test("200 · the deletion of a class with a teacher is deleted", async () => {
  const course = await makeRow(db, "courses", account.id, { name: "Basics" });
  const teachers = { data: [{ type: "people", id: await person() }] };
  const made = document(
    "course-classes",
    { name: "A" },
    { relationships: { course: { data: { type: "courses", id: course } }, teachers } },
  );
  const { id } = one(await service.post("/v1/course-classes", made));
  assert.equal((await service.delete(`/v1/course-classes/${id}`)).status, 204);
  assert.deepEqual(
    (await about(id)).map((entry) => inWords(entry)[0]),
    ["permission-changed", "deleted"],
  );
});

test("200 · a photo and a report of attendance alone leave entries that say what changed", async () => {
  const cell = await makeCell(db, account.id);
  const ana = (await makeMember(db, account.id, cell)).id;
  const photo = await service.request("PUT", `/v1/people/${ana}/photo`, {
    body: await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
      .png()
      .toBuffer(),
    headers: { "Content-Type": "image/png" },
  });
  assert.equal(photo.status, 200, photo.text);
  await service.delete(`/v1/people/${ana}/photo`);
  const [hidden, none] = ["[redacted]", null];
  assert.deepEqual((await about(ana)).map(inWords), [
    ["updated", { "photo-url": { from: none, to: hidden } }],
    ["updated", { "photo-url": { from: hidden, to: none } }],
  ]);

  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: "2026-01-04",
  });
  const report = (status: string) =>
    service.patch(
      `/v1/cell-meetings/${meeting}`,
      document(
        "cell-meetings",
        { status: "held", attendance: [{ "person-id": ana, status }] },
        { id: meeting },
      ),
    );
  for (const status of ["present", "absent"]) {
    const answer = await report(status);
    assert.equal(answer.status, 200, answer.text);
  }
  const [, corrected] = (await about(meeting)).map(inWords);
  assert.deepEqual(corrected, [
    "updated",
    { attendance: { from: { [ana]: "present" }, to: { [ana]: "absent" } } },
  ]);
});

test("200 · the cause is ui for a browser session, and api for a bearer", async () => {
  const eva = await makeLogin(db, account, "eva.browser");
  const sent = document("people", { "preferred-name": "Evi" }, { id: eva.id });
  const session = inSession(await cookieFor(service, eva.email));
  assert.equal((await service.patch(`/v1/people/${eva.id}`, sent, session)).status, 200);
  await changePerson(eva.id, { "preferred-name": "Eve" });
  assert.deepEqual(
    (await entries(`filter[resource-id]=${eva.id}&filter[action]=updated`)).map(
      ({ attributes }) => attributes["cause"],
    ),
    ["ui", "api"],
  );
});

test("201 · a closing is one entry, and its resources have none; a merge is the entry of the kept person", async () => {
  const cell = await makeCell(db, account.id);
  const [ana, ben] = [(await makeMember(db, account.id, cell)).id, await person()];
  const closing = document(
    "cell-closings",
    { "closing-reason": "Summer" },
    { relationships: { cell: { data: { type: "cells", id: cell } } } },
  );
  const { id } = one(await service.post("/v1/cell-closings", closing));
  const [entry] = await about(id);
  const request = entry?.attributes["request-id"];
  const all = many(await service.get("/v1/audit-entries?page[size]=100")).filter(
    ({ attributes }) => attributes["request-id"] === request,
  );
  assert.deepEqual(all.map(inWords), [["created", {}]]);
  const rows = await db`select from journal where request_id = ${request as string}`;
  assert.ok(rows.length > 2, "the cell and its memberships are in the journal");

  await changePerson(ben, { occupation: "Baker" });
  assert.equal((await merge(service, ana, [ben])).status, 201);
  const merged = (await about(ana)).at(-1);
  assert.deepEqual(merged && inWords(merged), [
    "merged",
    { "merged-ids": { from: [], to: [ben] } },
  ]);
  assert.equal(merged?.attributes["cause"], "merge");
  // The entries of the removed person are now about the kept one, and go with that person.
  assert.equal((await entries(`filter[subject]=${ana}&filter[action]=updated`)).length, 1);
  assert.equal((await service.delete(`/v1/people/${ana}`)).status, 204);
  const left = await entries(`filter[subject]=${ana}`);
  assert.deepEqual(left.at(-1) && inWords(left.at(-1) as Resource), ["deleted", {}]);
  for (const one of left) assert.deepEqual(one.attributes["changes"], {});
});

test("200 · a processed form has an entry for each resource, without the answers; requests have none of the contact", async () => {
  const form = await makeForm(service, { actions: { "create-or-match-person": true } });
  const submission = await makeSubmission(service, form, {
    "full-name": "CANARY Visitor",
    "email": "canary@example.org",
  });
  const answer = await moderate(service, submission, { status: "processed" });
  assert.equal(answer.status, 200, answer.text);
  const request = answer.headers.get("x-request-id");
  const all = many(await service.get("/v1/audit-entries?page[size]=100")).filter(
    ({ attributes }) => attributes["request-id"] === request,
  );
  const words = all.map(({ attributes: { action, cause, "resource-type": type } }) => [
    type,
    action,
    cause,
  ]);
  assert.deepEqual(
    new Set(words.map((one) => one.join(" "))),
    new Set(["form-submissions updated form", "people created form"]),
  );
  assert.equal(new Set(all.map(({ attributes }) => attributes["batch-id"])).size, 1);

  const cell = await makeCell(db, account.id);
  const contact = { "full-name": "CANARY Friend", "email": "canary.friend@example.org" };
  const asked = document(
    "cell-join-requests",
    { contact, message: "CANARY" },
    { relationships: { cell: { data: { type: "cells", id: cell } } } },
  );
  const { id } = one(await service.post("/v1/cell-join-requests", asked));
  const declined = document("cell-join-requests", { status: "declined" }, { id });
  assert.equal((await service.patch(`/v1/cell-join-requests/${id}`, declined)).status, 200);
  const rows = await db`
    select from journal row where to_jsonb(row)::text ilike '%canary%'`;
  assert.equal(rows.length, 0);
});

test("200 · log-ins, wrong passwords and changes of the password are entries, those of strangers are not", async () => {
  const eva = await makeLogin(db, account, "eva");
  const logIn = (username: string, password: string) =>
    service.post(
      "/authenticate",
      { username, password, account: account.alias },
      { as: null, headers: { "Content-Type": "application/json" } },
    );
  assert.equal((await logIn(eva.email, "wrong password")).status, 401);
  assert.equal((await logIn("nobody@example.org", "wrong password")).status, 401);
  const answer = await logIn(eva.email, PASSWORD);
  assert.equal(answer.status, 200, answer.text);
  const change = document("password-changes", {
    "current-password": PASSWORD,
    "new-password": "another good password",
  });
  assert.equal((await service.post("/v1/password-changes", change, { as: eva.token })).status, 204);
  const seen = async (as?: string) =>
    (await entries(`filter[subject]=${eva.id}`, as)).map(({ attributes }) => attributes["action"]);
  // The entry of a wrong password is written beside the answer.
  while (!(await seen()).includes("login-failed"));
  assert.deepEqual(
    new Set(await seen()),
    new Set(["logged-in", "login-failed", "password-changed"]),
  );
  const failures = many(await service.get("/v1/audit-entries?filter[action]=login-failed"));
  assert.equal(failures.length, 1);

  // A member sees the own log-ins only.
  assert.deepEqual(new Set(await seen(eva.token)), new Set(["logged-in", "login-failed"]));
  assert.equal((await entries("", eva.token)).length, 2);
  const auditor = await makePerson(db, account.id);
  await grant(service, { role: "auditor", personId: auditor.id });
  assert.ok((await seen(auditor.token)).includes("password-changed"));
});

test("after 90 days the end of an address is removed", async () => {
  const at = (days: number) => new Date(Date.now() - days * DAY);
  for (const [days, ip] of [
    [91, "203.0.113.77"],
    [91, "2001:db8:1:2:3:4:5:6"],
    [89, "203.0.113.78"],
  ] as const) {
    const month = at(days).toISOString().slice(0, 7);
    await db.query(
      `create table if not exists journal_${month.replace("-", "")} partition of journal
       for values from (history_floor('${month}-01T00:00Z')) to (history_floor('${month}-01T00:00Z'::timestamptz + interval '1 month'))`,
    );
    await db`
      insert into journal (account_id, id, occurred_at, entry, resource_type, resource_id, cause, ip)
      values (${account.id}, history_id(${at(days)}), ${at(days)}, 'updated', 'addresses', ${admin}, 'ui', ${ip}::inet)`;
  }
  assert.equal(await forgetAddresses(db), 2);
  assert.equal(await forgetAddresses(db), 0);
  const left = await entries("filter[resource-type]=addresses");
  assert.deepEqual(
    new Set(left.map(({ attributes }) => attributes["ip"])),
    new Set(["2001:db8:1::", "203.0.113.0", "203.0.113.78"]),
  );
});
