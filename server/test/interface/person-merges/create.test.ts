import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import {
  makeAccount,
  makeAssignment,
  makeCourse,
  makeEndpoint,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const person = async (attributes: Record<string, unknown> = {}): Promise<string> => {
  const body = document("people", { "full-name": "Ana Souza", ...attributes });
  const answer = await service.post("/v1/people", body);
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const read = async (id: string) => one(await service.get(`/v1/people/${id}`)).attributes;
const merged = async (...[kept, removed, attributes]: [string, string[], object?]) => {
  const answer = await merge(service, kept, removed, { ...attributes });
  assert.equal(answer.status, 201, answer.text);
  return one(answer);
};

test("201 · the kept values win, empty ones are filled in the given order, and arrays are united", async () => {
  const kept = await person({
    "occupation": "Baker",
    "phones": [{ "number": "+5511900000001", "is-primary": true }],
    "external-ids": { legacy: "1" },
    "communication-preferences": { email: true },
  });
  const first = await person({
    "full-name": "Ana S.",
    "occupation": "Clerk",
    "nationality": "PT",
    "phones": [{ "number": "+5511900000002", "is-primary": true }, { number: "+5511900000001" }],
    "external-ids": { legacy: "2", school: "3" },
    "communication-preferences": { email: false, sms: true },
  });
  const second = await person({ nationality: "BR", address: { city: "Campinas" } });
  const made = await merged(kept, [first, second]);
  assert.partialDeepStrictEqual(await read(kept), {
    "full-name": "Ana Souza",
    "occupation": "Baker",
    "nationality": "PT",
    "address": { city: "Campinas" },
    "phones": [
      { "number": "+5511900000001", "is-primary": true },
      { "number": "+5511900000002", "is-primary": false },
    ],
    "external-ids": { legacy: "1", school: "3" },
    "communication-preferences": { email: true, sms: true },
    "merged-ids": [first, second],
  });
  const conflicts = made.attributes["conflicts"] as { field: string; rule: string }[];
  const dropped = { "resource-type": "people", "rule": "kept-person" };
  for (const expected of [
    { ...dropped, field: "full-name", kept: "Ana Souza", dropped: "Ana S." },
    { ...dropped, field: "occupation", kept: "Baker", dropped: "Clerk" },
    { ...dropped, field: "nationality", kept: "PT", dropped: "BR" },
    { ...dropped, field: "external-ids.legacy", kept: "1", dropped: "2" },
  ])
    assert.ok(
      conflicts.some((one) => JSON.stringify(one) === JSON.stringify(sorted(one, expected))),
      JSON.stringify(expected) + JSON.stringify(conflicts),
    );
});

/** The members of `expected` in the order of `one`. */
const sorted = (one: object, expected: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(one).map((name) => [name, expected[name]]));

test("201 · the kept address keeps the person who set it", async () => {
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const typed = async (email: string) => {
    const body = document("people", { "full-name": "Ana Souza", email });
    return one(await service.post("/v1/people", body, { as: secretary.token })).id;
  };
  const filled = await person();
  await merged(filled, [await typed("filled@souza.example")]);
  const own = await person({ email: "own@souza.example" });
  await merged(own, [await typed("other@souza.example")]);
  const chosen = await person({ email: "chosen@souza.example" });
  const removed = await typed("removed@souza.example");
  await merged(chosen, [removed], { "field-choices": { email: removed } });
  const setters = await db<{ email: string; by: string }[]>`
    select email, email_set_by as by from people
    where account_id = ${account.id} and id = any(${[filled, own, chosen]}::uuid[])`;
  assert.deepEqual(Object.fromEntries(setters.map(({ by, email }) => [email, by])), {
    "filled@souza.example": secretary.id,
    "own@souza.example": account.administrator.id,
    "removed@souza.example": secretary.id,
  });
});

test("200 · the linkage of removed people keeps their ids, and include leaves them out", async () => {
  const [kept, removed] = [await person(), await person()];
  const { id } = await merged(kept, [removed]);
  const linkage = [{ type: "people", id: removed }];
  const read = await service.get(`/v1/person-merges/${id}?include=removed,kept`);
  assert.deepEqual(one(read).relationships["removed"]?.data, linkage);
  assert.deepEqual(
    read.document.included?.map((each) => each.id),
    [kept],
  );
  const list = await service.get(`/v1/person-merges?filter[id]=${id}&include=removed`);
  assert.deepEqual(
    (list.document.data as never[])[0]?.["relationships"]["removed"]["data"],
    linkage,
  );
  const own = await service.get(`/v1/person-merges/${id}/relationships/removed`);
  assert.deepEqual(own.document.data, linkage);
});

test("201 · field-choices take the values of a removed person, also of custom fields", async () => {
  await service.patch(
    "/v1/accounts/me",
    document(
      "accounts",
      {
        "custom-properties": {
          people: {
            "shirt-size": { type: "string" },
            "skills": { type: "multi-select", options: [{ value: "piano" }, { value: "sound" }] },
            "mentor": { type: "person" },
            "salary": { "type": "integer", "read-access": "full-administrator" },
          },
        },
      },
      { id: account.id },
    ),
  );
  const kept = await person({
    "occupation": "Baker",
    "membership-status": "visitor",
    "phones": [{ number: "+5511900000003" }],
    "custom-properties": { "shirt-size": "S", "skills": ["piano"], "salary": 1 },
  });
  const removed = await person({
    "occupation": null,
    "membership-status": "member",
    "phones": [{ number: "+5511900000004" }],
    "custom-properties": { "shirt-size": "M", "skills": ["sound"], "salary": 2 },
  });
  const other = await person({ "custom-properties": { mentor: removed } });
  const made = await merged(kept, [removed], {
    "field-choices": {
      "occupation": removed,
      "membership-status": removed,
      "phones": removed,
      "custom-properties.shirt-size": removed,
    },
  });
  const after = await read(kept);
  assert.partialDeepStrictEqual(after, {
    "occupation": null,
    "membership-status": "member",
    "phones": [{ number: "+5511900000004" }],
    "custom-properties": { "shirt-size": "M", "skills": ["piano", "sound"], "salary": 1 },
  });
  assert.ok(after["membership-status-changed-at"]);
  const conflicts = made.attributes["conflicts"] as Record<string, unknown>[];
  const resource = (field: string) => conflicts.filter((one) => one["field"] === field);
  assert.partialDeepStrictEqual(resource("occupation"), [
    { rule: "chosen-person", dropped: "Baker" },
  ]);
  assert.partialDeepStrictEqual(resource("custom-properties.shirt-size"), [
    { rule: "chosen-person", kept: "M", dropped: "S" },
  ]);
  assert.partialDeepStrictEqual(resource("custom-properties.salary"), [
    { kept: null, dropped: null },
  ]);
  assert.deepEqual((await read(other))["custom-properties"], { mentor: kept });
});

test("422 · a field choice that is no writable attribute or no merged person is rejected at its name", async () => {
  const [kept, removed, stranger] = [await person(), await person(), await person()];
  for (const [name, id] of [
    ["occupation", stranger],
    ["occupation", "nonsense"],
    ["nonsense", removed],
    ["constructor", removed],
    ["created-at", removed],
    ["is-active", removed],
    ["administrative-status", removed],
    ["custom-properties", removed],
    ["custom-properties.nonsense", removed],
  ] as const) {
    const answer = await merge(service, kept, [removed], { "field-choices": { [name]: id } });
    assert.deepEqual(
      [answer.status, codes(answer), pointers(answer)],
      [422, ["invalid-attribute"], [`/data/attributes/field-choices/${name}`]],
      name,
    );
  }
  assert.equal((await service.get(`/v1/people/${removed}`)).status, 200);
});

test("201 · e-mail addresses of removed people become other addresses, and those beyond five are conflicts", async () => {
  const address = (name: string) => `${name}@mail-${account.alias}.example`;
  const kept = await person({
    "email": address("kept"),
    "other-emails": ["a", "b", "c"].map(address),
  });
  const first = await person({ "email": address("first"), "other-emails": [address("A")] });
  const second = await person({
    "email": address("second"),
    "other-emails": ["e", "f"].map(address),
  });
  const made = await merged(kept, [first, second]);
  const after = await read(kept);
  assert.equal(after["email"], address("kept"));
  assert.deepEqual(after["other-emails"], ["a", "b", "c", "first", "second"].map(address));
  const limits = (made.attributes["conflicts"] as Record<string, unknown>[]).filter(
    ({ rule }) => rule === "limit",
  );
  assert.deepEqual(
    limits.map(({ dropped }) => dropped),
    ["e", "f"].map(address),
  );
  const found = await service.get(`/v1/people?filter[q]=${encodeURIComponent(address("second"))}`);
  assert.deepEqual(ids(found), [kept], "the search finds the new addresses");
});

test("201 · a person without an e-mail address takes that of a removed one", async () => {
  const email = `taken@mail-${account.alias}.example`;
  const [kept, removed] = [await person(), await person({ email })];
  await merged(kept, [removed]);
  assert.deepEqual([(await read(kept))["email"], (await read(kept))["other-emails"]], [email, []]);
});

test("201 · a birthday that contradicts the kept one, and a date before the birth, are dropped", async () => {
  const kept = await person({ "birth-month-day": "05-17", "baptism-date": "2001-01-01" });
  const other = await person({ birthdate: "1984-06-01" });
  const same = await person({ birthdate: "1984-05-17" });
  const early = await person({ "member-since": "1980-01-01" });
  const made = await merged(kept, [other, same, early]);
  assert.partialDeepStrictEqual(await read(kept), {
    "birthdate": "1984-05-17",
    "member-since": null,
  });
  const conflicts = made.attributes["conflicts"] as Record<string, unknown>[];
  assert.partialDeepStrictEqual(
    conflicts.filter(({ field }) => field !== "full-name"),
    [
      { field: "birthdate", kept: "1984-05-17", dropped: "1984-06-01" },
      { field: "member-since", rule: "impossible-date", dropped: "1980-01-01" },
    ],
  );
});

test("201 · sensitive values are merged, and only callers who may read them see conflicts", async () => {
  const kept = await person({ "medical-notes": "Asthma" });
  const removed = await person({
    "medical-notes": "Diabetes",
    "identity-documents": [{ kind: "passport", number: "P1" }],
  });
  const made = await merged(kept, [removed]);
  assert.partialDeepStrictEqual(await read(kept), {
    "medical-notes": "Asthma",
    "identity-documents": [{ kind: "passport", number: "P1" }],
  });
  assert.partialDeepStrictEqual(made.attributes["conflicts"], [
    { field: "medical-notes", kept: "Asthma", dropped: "Diabetes" },
  ]);
  const merger = await makePerson(db, account.id);
  const role_id = await makeRow(db, "roles", account.id, { name: "Mergers" });
  await db`
    update roles set permissions = ${JSON.stringify(["people:merge", "people:read"])}::text::jsonb
    where account_id = ${account.id} and id = ${role_id}`;
  const scope = { scope_type: "account", person_id: merger.id, role_id };
  await makeRow(db, "role_assignments", account.id, scope);
  const answer = await service.get(`/v1/person-merges/${made.id}`, { as: merger.token });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(!("conflicts" in one(answer).attributes));
});

const cell = (name: string) => makeRow(db, "cells", account.id, { name });
const membership = (cellId: string, personId: string, columns: Record<string, string> = {}) =>
  makeRow(db, "cell_memberships", account.id, { cell_id: cellId, person_id: personId, ...columns });

test("201 · memberships of one cell become one, with the highest role and the earliest day", async () => {
  const [kept, removed] = [await person(), await person()];
  const [shared, own] = [await cell("Shared"), await cell("Own")];
  const lower = await membership(shared, kept, { cell_role: "visitor", joined_on: "2024-01-01" });
  const higher = await membership(shared, removed, { cell_role: "host", joined_on: "2025-01-01" });
  const left = { status: "left", joined_on: "2020-01-01", left_on: "2021-01-01" };
  const former = await membership(shared, removed, left);
  // Former memberships that overlap become one too.
  const overlapping = { ...left, joined_on: "2020-06-01", left_on: "2022-01-01" };
  const longer = await membership(shared, kept, { ...overlapping, cell_role: "trainee" });
  const other = await membership(own, removed, { cell_role: "participant" });
  const before = await db<
    { version: number }[]
  >`select version from cell_memberships where id = ${other}`;
  const { attributes } = await merged(kept, [removed]);
  assert.deepEqual(attributes["moved-counts"], { "cell-memberships": 2 });
  assert.partialDeepStrictEqual(attributes["conflicts"], [
    {
      "resource-type": "cell-memberships",
      "field": null,
      "rule": "same-cell",
      "kept": longer,
      "dropped": former,
    },
    {
      "resource-type": "cell-memberships",
      "field": null,
      "rule": "same-cell",
      "kept": higher,
      "dropped": lower,
    },
  ]);
  const rows = await db<{ id: string; cell_role: string; joined_on: string }[]>`
    select id, cell_role, joined_on::text from cell_memberships
    where account_id = ${account.id} and person_id = ${kept} order by id`;
  assert.deepEqual(rows.map(({ id }) => id).sort(), [higher, longer, other].sort());
  assert.partialDeepStrictEqual(
    rows.find(({ id }) => id === higher),
    { cell_role: "host", joined_on: "2024-01-01" },
  );
  assert.partialDeepStrictEqual(
    rows.find(({ id }) => id === longer),
    { cell_role: "trainee", joined_on: "2020-01-01" },
  );
  const [after] = await db<{ version: number; modified_by: string }[]>`
    select version, modified_by from cell_memberships where id = ${other}`;
  assert.deepEqual(
    { ...after },
    { version: (before[0]?.version ?? 0) + 1, modified_by: account.administrator.id },
  );
});

test("201 · enrollments in one class become the one that is further, and others move", async () => {
  const [kept, removed] = [await person(), await person()];
  const course_id = await makeCourse(db, account.id);
  const class_id = await makeRow(db, "course_classes", account.id, { course_id, name: "One" });
  const enroll = (person_id: string, status: string, more = {}) =>
    makeRow(db, "course_enrollments", account.id, { course_id, person_id, status, ...more });
  const behind = await enroll(kept, "withdrawn", { class_id });
  const further = await enroll(removed, "completed", { class_id });
  const other = await enroll(removed, "requested");
  const { attributes } = await merged(kept, [removed]);
  assert.deepEqual(attributes["moved-counts"], { "course-enrollments": 2 });
  assert.partialDeepStrictEqual(attributes["conflicts"], [
    { rule: "same-class", kept: further, dropped: behind },
  ]);
  const remaining = await service.get(`/v1/course-enrollments?filter[person]=${kept}`);
  assert.deepEqual(ids(remaining).sort(), [further, other].sort());
});

/** A class with a session, a task and a way to enroll people. */
async function studying() {
  const course_id = await makeCourse(db, account.id);
  const class_id = await makeRow(db, "course_classes", account.id, { course_id, name: "One" });
  const place = { course_id, class_id };
  const lesson_id = await makeRow(db, "course_lessons", account.id, {
    course_id,
    name: "One",
    number: 1,
  });
  const sessionOn = (date: string) =>
    makeRow(db, "course_sessions", account.id, { ...place, lesson_id, date });
  const enroll = (person_id: string, status: string) =>
    makeRow(db, "course_enrollments", account.id, { ...place, person_id, status });
  const attend = (enrollment_id: string, session_id: string, status: string, person_id: string) =>
    makeRow(db, "course_attendances", account.id, {
      ...place,
      session_id,
      lesson_id,
      enrollment_id,
      person_id,
      status,
      date: "2026-03-03",
    });
  const task_id = await makeRow(db, "course_tasks", account.id, { course_id, name: "Read" });
  const complete = (
    enrollment_id: string,
    status: string,
    person_id: string,
    more: { awaits_file?: boolean } = {},
  ) =>
    makeRow(db, "course_task_completions", account.id, {
      ...place,
      task_id,
      enrollment_id,
      status,
      person_id,
      ...more,
    });
  const rowsOf = async (table: string) =>
    db<{ id: string; status: string; enrollment_id: string; person_id: string }[]>`
      select id, status, enrollment_id, person_id from ${db(table)}
      where account_id = ${account.id} and class_id = ${class_id} order by id`;
  return { attend, complete, enroll, rowsOf, sessionOn };
}

test("201 · the enrollment that stays has the best attendances and completions of both", async () => {
  const { attend, complete, enroll, rowsOf, sessionOn } = await studying();
  const [kept, removed] = [await person(), await person()];
  const behind = await enroll(kept, "requested");
  const further = await enroll(removed, "active");
  const [both, only] = [await sessionOn("2026-03-03"), await sessionOn("2026-03-10")];
  const present = await attend(behind, both, "present", kept);
  const late = await attend(further, both, "late", removed);
  const excused = await attend(behind, only, "excused", kept);
  const returned = await complete(behind, "returned", kept);
  const accepted = await complete(further, "accepted", removed);

  const { attributes } = await merged(kept, [removed]);
  assert.deepEqual(
    (attributes["conflicts"] as { rule: string; kept: string; dropped: string }[]).map(
      ({ dropped, kept: stays, rule }) => [rule, stays, dropped],
    ),
    [
      ["same-session", present, late],
      ["same-task", accepted, returned],
      ["same-class", further, behind],
    ],
  );
  const own = { enrollment_id: further, person_id: kept };
  assert.deepEqual(
    (await rowsOf("course_attendances")).map((row) => ({ ...row })),
    [
      { id: present, status: "present", ...own },
      { id: excused, status: "excused", ...own },
    ],
  );
  assert.deepEqual(
    (await rowsOf("course_task_completions")).map((row) => ({ ...row })),
    [{ id: accepted, status: "accepted", ...own }],
  );
  const enrollment = one(await service.get(`/v1/course-enrollments/${further}`));
  assert.equal(enrollment.attributes["status"], "completed");
});

test("201 · work that was handed in stays, and not work that waits for its file", async () => {
  const { complete, enroll, rowsOf } = await studying();
  const [kept, removed] = [await person(), await person()];
  await complete(await enroll(kept, "active"), "submitted", kept, { awaits_file: true });
  const returned = await complete(await enroll(removed, "active"), "returned", removed);
  await merged(kept, [removed]);
  assert.deepEqual(
    (await rowsOf("course_task_completions")).map(({ id }) => id),
    [returned],
  );
});

test("201 · a person who withdrew from a class and came back keeps both enrollments", async () => {
  const { enroll } = await studying();
  const [kept, removed] = [await person(), await person()];
  const both = [await enroll(kept, "withdrawn"), await enroll(kept, "active")];
  await merged(kept, [removed]);
  const remaining = await service.get(`/v1/course-enrollments?filter[person]=${kept}`);
  assert.deepEqual(ids(remaining).sort(), both.sort());
});

test("201 · attendances of one meeting become the one with the most presence", async () => {
  const [kept, removed, third] = [await person(), await person(), await person()];
  const cell_id = await cell("Meeting");
  const meeting = (date: string) => makeRow(db, "cell_meetings", account.id, { cell_id, date });
  const attend = (meeting_id: string, person_id: string, date: string, status: string) =>
    makeRow(db, "cell_attendances", account.id, { cell_id, meeting_id, person_id, date, status });
  const [one, two] = [await meeting("2026-01-07"), await meeting("2026-01-14")];
  await attend(one, kept, "2026-01-07", "absent");
  const online = await attend(one, removed, "2026-01-07", "online");
  await attend(one, third, "2026-01-07", "excused");
  const present = await attend(two, removed, "2026-01-14", "present");
  const { attributes } = await merged(kept, [removed, third]);
  assert.deepEqual(attributes["moved-counts"], { "cell-attendances": 2 });
  const rows = await db<{ id: string }[]>`
    select id from cell_attendances where account_id = ${account.id} and person_id = ${kept} order by date`;
  assert.deepEqual(
    rows.map(({ id }) => id),
    [online, present],
  );
  const lost =
    await db`select from cell_attendances where account_id = ${account.id} and person_id is null`;
  assert.equal(lost.length, 0);
});

test("201 · courses and classes that both teach name the kept person once, with a new version", async () => {
  const [kept, removed] = [await person(), await person()];
  const course = await makeCourse(db, account.id);
  for (const id of [kept, removed])
    await db`insert into course_teachers values (${account.id}, ${course}, ${id})`;
  const before = await service.get(`/v1/courses/${course}`);
  await merged(kept, [removed]);
  const after = await service.get(`/v1/courses/${course}`);
  assert.deepEqual(one(after).relationships["teachers"]?.data, [{ type: "people", id: kept }]);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
});

const household = async (name: string, members: readonly string[]) => {
  const household_id = await makeRow(db, "households", account.id, { name });
  for (const person_id of members)
    await makeRow(db, "household_memberships", account.id, {
      household_id,
      person_id,
      is_primary: true,
    });
  return household_id;
};
const householdsOf = async (id: string) =>
  ids(await service.get(`/v1/people/${id}/households`)).sort();

test("201 · the household of the kept person stays, unless keep-households adds the others", async () => {
  const [kept, removed, second] = [await person(), await person(), await person()];
  const own = await household("Own", [kept]);
  const other = await household("Other", [removed]);
  const third = await household("Third", [second]);
  const { attributes } = await merged(kept, [removed]);
  assert.partialDeepStrictEqual(attributes["conflicts"], [
    { "resource-type": "household-memberships", "rule": "kept-household" },
  ]);
  assert.deepEqual(await householdsOf(kept), [own]);
  assert.equal((await service.get(`/v1/households/${other}`)).status, 200);
  await merged(kept, [second], { "keep-households": true });
  assert.deepEqual(await householdsOf(kept), [own, third].sort());
  const primary = await db<{ household_id: string }[]>`
    select household_id from household_memberships
    where account_id = ${account.id} and person_id = ${kept} and is_primary`;
  assert.deepEqual(
    primary.map(({ household_id }) => household_id),
    [own],
  );
});

test("201 · a kept person without a household joins that of the removed one", async () => {
  const [kept, removed] = [await person(), await person()];
  const only = await household("Only", [removed]);
  const { attributes } = await merged(kept, [removed]);
  assert.deepEqual(attributes["moved-counts"], { "household-memberships": 1 });
  assert.deepEqual(await householdsOf(kept), [only]);
});

test("201 · in a household of both, the higher role stays", async () => {
  const [kept, removed] = [await person(), await person()];
  const household_id = await household("Both", []);
  for (const [person_id, household_role] of [
    [kept, "child"],
    [removed, "head"],
  ] as const)
    await makeRow(db, "household_memberships", account.id, {
      household_id,
      person_id,
      household_role,
    });
  const { attributes } = await merged(kept, [removed], { "keep-households": true });
  assert.partialDeepStrictEqual(attributes["conflicts"], [{ rule: "same-household" }]);
  const roles = await db<{ role: string }[]>`
    select household_role as role from household_memberships
    where account_id = ${account.id} and household_id = ${household_id}`;
  assert.deepEqual(
    roles.map(({ role }) => role),
    ["head"],
  );
});

test("201 · tags are united", async () => {
  const [kept, removed] = [await person(), await person()];
  const tags: string[] = [];
  for (const name of ["One", "Two", "Three"])
    tags.push(await makeRow(db, "tags", account.id, { name }));
  for (const [person_id, tag_id] of [
    [kept, tags[0]],
    [removed, tags[0]],
    [removed, tags[1]],
  ])
    await db`insert into person_tags (account_id, person_id, tag_id)
      values (${account.id}, ${person_id}, ${tag_id})`;
  await merged(kept, [removed]);
  const linked = await service.get(`/v1/people/${kept}/relationships/tags`);
  assert.deepEqual(
    (linked.document.data as { id: string }[]).map(({ id }) => id).sort(),
    tags.slice(0, 2).sort(),
  );
});

test("201 · roles are not transferred, tokens and log-in of a removed person end, and the kept log-in stays", async () => {
  const kept = await makeLogin(db, account, "keeper");
  const removed = await makeLogin(db, account, "twin");
  await makeAssignment(db, account.id, { personId: removed.id, role: "pastor" });
  await merged(kept.id, [removed.id]);
  const assigned = await service.get(`/v1/role-assignments?filter[person]=${kept.id}`);
  assert.deepEqual(ids(assigned), []);
  assert.equal((await service.get("/v1/people/me", { as: kept.token })).status, 200);
  assert.equal((await service.get("/v1/people/me", { as: removed.token })).status, 401);
  const signIn = async (username: string) =>
    service.request("POST", "/authenticate", {
      as: null,
      body: JSON.stringify({ username, password: PASSWORD, account: account.alias }),
      headers: { "Content-Type": "application/json" },
    });
  assert.equal((await signIn(kept.email)).status, 200);
  assert.equal((await signIn(removed.email)).status, 401);
  const left =
    await db`select from logins where account_id = ${account.id} and person_id = ${removed.id}`;
  assert.equal(left.length, 0);
});

test("422 · the log-in address of the kept person cannot be chosen away", async () => {
  const kept = await makeLogin(db, account, "owner");
  const removed = await person({ email: `thief@mail-${account.alias}.example` });
  const choice = { "field-choices": { email: removed } };
  const answer = await merge(service, kept.id, [removed], choice);
  assert.deepEqual(
    [answer.status, pointers(answer)],
    [422, ["/data/attributes/field-choices/email"]],
  );
});

test("201 · the e-mail address of a kept person of higher rank stays, even if there is none", async () => {
  const chief = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const email = `planted@mail-${account.alias}.example`;
  const removed = await person({ email });
  const as = { as: secretary.token };
  const choice = { "field-choices": { email: removed } };
  assert.equal((await merge(service, chief.id, [removed], choice, as)).status, 422);
  assert.equal((await merge(service, chief.id, [removed], {}, as)).status, 201);
  assert.partialDeepStrictEqual(await read(chief.id), { "email": null, "other-emails": [email] });
});

test("a merge emits only person.merged, about the kept person, with the ids of both", async () => {
  await makeEndpoint(db, account.id, { events: ["person.merged", "person.updated"] });
  const [kept, removed] = [await person({ occupation: "Baker" }), await person()];
  await membership(await cell("Events"), removed);
  const types = await eventsOf(() => merged(kept, [removed]));
  assert.deepEqual(types, ["person.merged"]);
  const [event] = await db<{ id: string; subject: string }[]>`
    select id, subject_id as subject from webhook_events
    where account_id = ${account.id} and event_type = 'person.merged' and subject_id = ${kept}`;
  const { attributes } = one(await service.get(`/v1/webhook-events/${event?.id}`));
  assert.partialDeepStrictEqual(attributes, {
    "merge": { "kept-id": kept, "removed-ids": [removed] },
    "snapshot": { type: "people", id: kept, attributes: { "merged-ids": [removed] } },
  });
  const [queued] = await db<{ count: number }[]>`
    select count(*)::int as count from webhook_queue where message_id = ${event?.id ?? ""}`;
  assert.equal(queued?.count, 1);
});

test("204 · deleting the kept person deletes the history of everyone who was merged", async () => {
  await makeEndpoint(db, account.id, { events: ["person.created"] });
  const [kept, removed] = [await person(), await person()];
  const history = () => db`
    select from webhook_events where account_id = ${account.id} and subject_id in (${kept}, ${removed})
      and event_type <> 'person.deleted'`;
  await merged(kept, [removed]);
  assert.equal((await history()).length, 3, "a merge deletes no history");
  assert.equal((await service.delete(`/v1/people/${kept}`)).status, 204);
  assert.equal((await history()).length, 0);
});

test("422 · wrong people are rejected at their places", async () => {
  const [kept, removed, gone] = [await person(), await person(), await person()];
  await merged(kept, [gone]);
  const foreign = (await makeAccount(db)).administrator.id;
  const six = await Promise.all(Array.from({ length: 6 }, () => person()));
  const at = (place: number) => `/data/relationships/removed/data/${place}/id`;
  for (const [people, expected] of [
    [[], ["/data/relationships/removed"]],
    [six, ["/data/relationships/removed/data"]],
    [[removed, removed], [at(1)]],
    [[removed, kept], [at(1)]],
    [[removed, newId()], [at(1)]],
    [["nonsense"], [at(0)]],
    [[foreign], [at(0)]],
    [[gone], [at(0)]],
  ] as const) {
    const answer = await merge(service, kept, people);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(new Set(codes(answer)), new Set(["invalid-relationship"]));
    assert.deepEqual(pointers(answer), expected);
  }
  const again = await merge(service, kept, [gone]);
  assert.equal(again.document.errors?.[0]?.meta["merged-into"], kept);
  for (const id of [newId(), foreign, gone]) {
    const answer = await merge(service, id, [removed]);
    assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/relationships/kept/data"]]);
  }
  const relationships = { kept: { data: { type: "people", id: kept } } };
  const none = await service.post(
    "/v1/person-merges",
    document("person-merges", {}, { relationships }),
  );
  assert.deepEqual([none.status, pointers(none)], [422, ["/data/relationships/removed"]]);
  assert.equal((await service.get(`/v1/people/${removed}`)).status, 200, "nothing was merged");
});

test("422 · a merged id in field-choices never means the kept person", async () => {
  const [kept, gone, removed] = [await person(), await person(), await person()];
  await merged(kept, [gone]);
  const answer = await merge(service, kept, [removed], { "field-choices": { occupation: gone } });
  assert.deepEqual(
    [answer.status, pointers(answer)],
    [422, ["/data/attributes/field-choices/occupation"]],
  );
});

test("403 · 409 · the caller, and people of higher rank, are never removed", async () => {
  const kept = await person();
  const own = await merge(service, kept, [account.administrator.id]);
  assert.deepEqual([own.status, codes(own)], [409, ["deleting-oneself"]]);
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const higher = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const answer = await merge(service, kept, [higher.id], {}, { as: secretary.token });
  assert.deepEqual([answer.status, codes(answer)], [403, ["forbidden"]]);
});

const staff = async (role: string) => {
  const made = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: made.id, role });
  return made;
};
const letReadConfidential = async (person_id: string) => {
  const role_id = await makeRow(db, "roles", account.id, {
    name: newId(),
    permissions: json(["note-confidential:read"]),
  });
  return makeRow(db, "role_assignments", account.id, { person_id, role_id, scope_type: "account" });
};
const confidential = async (columns: Record<string, string>) =>
  makeRow(db, "notes", account.id, {
    about_person_id: await person(),
    text: "She told me in confidence.",
    visibility: "confidential",
    ...columns,
  });
const statusOf = async (note: string, as: string) =>
  (await service.get(`/v1/notes/${note}`, { as })).status;

for (const column of ["author_id", "assignee_id"])
  test(`403 · a caller who does not read a confidential note removes no person by it: ${column}`, async () => {
    const secretary = await staff("secretary");
    const removed = await person();
    const note = await confidential({ [column]: removed });
    const as = secretary.token;
    const refused = await merge(service, secretary.id, [removed], {}, { as });
    assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
    assert.deepEqual(pointers(refused), ["/data/relationships/removed/data/0"]);
    assert.equal(await statusOf(note, as), 404);
    // The rank of a full administrator does not read the note either.
    assert.equal((await merge(service, secretary.id, [removed])).status, 403);

    const assignment = await letReadConfidential(secretary.id);
    await db`update role_assignments set valid_until = '2900-01-01' where account_id = ${account.id} and id = ${assignment}`;
    const temporary = await merge(service, secretary.id, [removed], {}, { as });
    assert.equal(temporary.status, 403, "the note would outlast the role");
    await db`update role_assignments set valid_until = null where account_id = ${account.id} and id = ${assignment}`;
    assert.equal((await merge(service, secretary.id, [removed], {}, { as })).status, 201);
    assert.equal(await statusOf(note, as), 200);
  });

test("201 · a confidential note passes only to a kept person who reads it already", async () => {
  const merger = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  await letReadConfidential(merger.id);
  const [kept, reader] = [await staff("secretary"), await staff("secretary")];
  await letReadConfidential(reader.id);
  const into = async (keptId: string, note: Record<string, string>, column: string) => {
    const removed = await person();
    const id = await confidential({ ...note, [column]: removed });
    const answer = await merge(service, keptId, [removed], {}, { as: merger.token });
    assert.equal(answer.status, 201, answer.text);
    const read = await service.get(`/v1/notes/${id}`, { as: merger.token });
    const name = column.replace("_id", "");
    return { id, read, now: one(read).relationships[name]?.data ?? null };
  };

  for (const column of ["author_id", "assignee_id"]) {
    const lost = await into(kept.id, {}, column);
    assert.equal(lost.now, null);
    assert.equal(await statusOf(lost.id, kept.token), 404);
    assert.equal(await statusOf(lost.id, reader.token), 200);
    const toReader = await into(reader.id, {}, column);
    assert.deepEqual(toReader.now, { type: "people", id: reader.id });
  }
  const toAssignee = await into(kept.id, { assignee_id: kept.id }, "author_id");
  assert.deepEqual(toAssignee.now, { type: "people", id: kept.id });
  assert.equal(await statusOf(toAssignee.id, kept.token), 200);
  // Other notes are read by their place, so they pass to the kept person.
  const { now } = await into(kept.id, { visibility: "staff" }, "author_id");
  assert.deepEqual(now, { type: "people", id: kept.id });
});
