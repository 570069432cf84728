import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tx } from "../../../src/store/db.ts";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { feedOf, told } from "../../support/changes.ts";
import {
  makeAssignment,
  makeCourse,
  makeEndpoint,
  makeFile,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import { importing } from "../../support/imports.ts";
import { merge } from "../../support/merges.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  identifiers,
  ids,
  linkedId,
  many,
  one,
  pointers,
  type RequestOptions,
  type Resource,
  startService,
} from "../../support/service.ts";
import { makeLogin } from "../../support/sign-in.ts";
import { meanwhile, together, untilWaiting } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const feed = feedOf(service);

const person = async (fullName = "Zilda Zimbro") =>
  (await makePerson(db, account.id, { fullName })).id;
const link = (id: string) => ({ data: { type: "people", id } });
const anonymize = (id: string, options: RequestOptions = {}) =>
  service.post(
    "/v1/person-anonymizations",
    document("person-anonymizations", {}, { relationships: { person: link(id) } }),
    options,
  );
const outcome = (answer: Answer) => [answer.status, ...codes(answer)].join(" ");

/** The verdict about anonymizing the person. */
const actionOf = (answer: Answer): unknown => {
  const may = one(answer).meta?.["may"] as { actions: Record<string, unknown> } | undefined;
  return may?.actions["anonymize"];
};

/** Every table in which a text occurs, but the journal's authors. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^journal_'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows =
      await db`select from ${db(name)} row where lower(row::text) like ${`%${text.toLowerCase()}%`} limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

test("201 · the record stays without identity, and rows that count stay with the record", async () => {
  await service.patch(
    "/v1/accounts/me",
    document(
      "accounts",
      {
        "settings": { lang: "pt-BR" },
        "custom-properties": { people: { mentor: { type: "person" }, story: { type: "string" } } },
      },
      { id: account.id },
    ),
  );
  const login = await makeLogin(db, account, "zilda.zimbro");
  const { id } = login;
  await service.patch(
    `/v1/people/${id}`,
    document(
      "people",
      {
        "full-name": "Zilda Zimbro",
        "preferred-name": "Zimbro",
        "birthdate": "1984-05-17",
        "phones": [{ number: "+351910000199" }],
        "address": { street: "Zimbro street" },
        "medical-notes": "Zimbro allergy",
        "external-ids": { old: "zimbro-1" },
        "custom-properties": { story: "Zimbro story" },
        "membership-status": "member",
      },
      { id },
    ),
  );
  const friend = await person("Friend");
  await service.patch(
    `/v1/people/${friend}`,
    document("people", { "custom-properties": { mentor: id } }, { id: friend }),
  );
  const cell = await makeCell(db, account.id);
  await join(db, account.id, cell, id, { cell_role: "leader" });
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const date = await dayFromToday(db, account.id, -3);
  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date,
    status: "held",
    submitted_at: "2026-01-01T00:00:00Z",
  });
  const attended = await makeRow(db, "cell_attendances", account.id, {
    meeting_id: meeting,
    cell_id: cell,
    person_id: id,
    date,
    status: "present",
    note: "Zimbro sang",
  });
  const course = await makeCourse(db, account.id);
  const enrolled = await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: id,
    status: "active",
    withdrawn_reason: "Zimbro moved",
  });
  const completed = await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: id,
    status: "completed",
  });
  const [place] = await db<{ classId: string }[]>`
    select class_id as "classId" from course_enrollments where account_id = ${account.id} and id = ${completed}`;
  const studied = {
    course_id: course,
    class_id: place?.classId ?? "",
    enrollment_id: completed,
    person_id: id,
  };
  const task = await makeRow(db, "course_tasks", account.id, { course_id: course, name: "Write" });
  const file = await makeFile(db, account.id);
  const work = await makeRow(db, "course_task_completions", account.id, {
    ...studied,
    task_id: task,
    status: "accepted",
    text: "Zimbro wrote",
    teacher_comment: "Well done, Zimbro",
    file_id: file,
  });
  const session = await makeRow(db, "course_sessions", account.id, {
    course_id: course,
    class_id: studied.class_id,
    date,
    status: "held",
  });
  await makeRow(db, "course_attendances", account.id, {
    ...studied,
    session_id: session,
    date,
    status: "present",
    note: "Zimbro was late",
  });
  await db`insert into course_teachers values (${account.id}, ${course}, ${id})`;
  await makeAssignment(db, account.id, { personId: id, role: "auditor" });
  await service.post(
    "/v1/notes",
    document("notes", { text: "About Zimbro" }, { relationships: { about: link(id) } }),
  );
  const tag = one(
    await service.post("/v1/tags", document("tags", { name: "Choir", "applies-to": ["people"] })),
  );
  const tagged = await service.post(
    `/v1/people/${id}/relationships/tags`,
    identifiers("tags", [tag.id]),
  );
  assert.equal(tagged.status, 200, tagged.text);
  const household = one(
    await service.post("/v1/households", document("households", { name: "Home" })),
  );
  await makeRow(db, "household_memberships", account.id, {
    household_id: household.id,
    person_id: id,
    household_role: "head",
  });
  const form = await makeRow(db, "forms", account.id, { name: "Form", fields: "[]" });
  await makeRow(db, "form_submissions", account.id, {
    form_id: form,
    form_version: 1,
    person_id: id,
    answers: JSON.stringify({ name: "Zimbro" }),
  });
  const summary = `/v1/cell-report-summaries?filter[cell]=${cell}`;
  const weeks = many(await service.get(summary)).map(({ attributes }) => attributes);
  const [start, begun] = [await feed.now(), await feed.now(leader)];

  const events = await eventsOf(async () => {
    const answer = await anonymize(id);
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(one(answer).relationships["person"]?.data, { type: "people", id });
    const read = await service.get(answer.headers.get("location") ?? "");
    assert.equal(one(read).id, one(answer).id);
  });
  assert.deepEqual(events, ["person.anonymized"]);

  const { attributes, relationships } = one(await service.get(`/v1/people/${id}`));
  const { "created-at": _, "modified-at": __, "deactivated-at": ___, ...left } = attributes;
  const fresh = one(
    await service.post("/v1/people", document("people", { "full-name": "Anônimo" })),
  );
  const { "created-at": ____, "modified-at": _____, ...empty } = fresh.attributes;
  assert.deepEqual(
    { ...left, "deactivated-at": null },
    { ...empty, "is-active": false, "is-anonymized": true },
  );
  for (const name of ["tags", "households", "roles", "leads", "teaches"])
    assert.deepEqual(relationships[name]?.data ?? [], [], name);

  // No table has a word of the person, and only rows that count name the record.
  assert.deepEqual(await tablesWith("zimbro"), []);
  assert.deepEqual(await tablesWith("910000199"), []);
  const naming = await tablesWith(id);
  assert.deepEqual(naming, [
    "cell_attendances",
    "cell_memberships",
    "course_attendances",
    "course_enrollments",
    "course_task_completions",
    "journal",
    "people",
    "person_anonymizations",
  ]);
  const [values] = await db<{ rows: number }[]>`
    select count(*)::int as rows from journal where account_id = ${account.id} and subject_id = ${id} and changes <> '{}'`;
  assert.equal(values?.rows, 0);

  const attendance = one(await service.get(`/v1/cell-attendances/${attended}`));
  assert.deepEqual(
    [attendance.relationships["person"]?.data, attendance.attributes["note"]],
    [{ type: "people", id }, null],
  );
  const statusOf = async (one_: string) =>
    one(await service.get(`/v1/course-enrollments/${one_}`)).attributes["status"];
  assert.deepEqual(
    [await statusOf(enrolled), await statusOf(completed)],
    ["withdrawn", "completed"],
  );
  const [membership] = many(await service.get(`/v1/cell-memberships?filter[person]=${id}`));
  assert.equal(membership?.attributes["status"], "left");
  assert.deepEqual(
    many(await service.get(summary)).map((week) => week.attributes),
    weeks,
  );
  const kept = one(await service.get(`/v1/course-task-completions/${work}`)).attributes;
  assert.deepEqual(
    [kept["status"], kept["text"], kept["teacher-comment"], kept["file"]],
    ["accepted", null, null, null],
  );
  const [bytes] = await db`select from files where account_id = ${account.id} and id = ${file}`;
  assert.equal(bytes, undefined);
  const corrected = await service.patch(
    `/v1/course-enrollments/${completed}`,
    document("course-enrollments", { status: "active" }, { id: completed }),
  );
  assert.equal(outcome(corrected), "409 person-anonymized");
  assert.equal((await service.get("/v1/people/me", { as: login.token })).status, 401);
  const known = await service.request("POST", "/authenticate-username", {
    as: null,
    body: JSON.stringify({ username: login.email }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(known.status, 401);

  const rows = told((await feed.read(start)).changes);
  assert.ok(rows.includes(`left people ${id}`), rows.join("\n"));
  assert.deepEqual(told((await feed.read(begun, "filter[types]=people", leader)).changes), [
    `left people ${id}`,
  ]);
  assert.ok(rows.includes(`updated cell-attendances ${attended}`), rows.join("\n"));
  const entries = many(await service.get(`/v1/audit-entries?filter[subject]=${id}`));
  assert.deepEqual(
    entries.filter((entry) => entry.attributes["resource-type"] === "person-anonymizations").length,
    1,
  );
  for (const entry of entries) assert.deepEqual(entry.attributes["changes"], {});
});

test("409 · nothing changes the record, and 422 · no document can name it", async () => {
  await service.patch(
    "/v1/accounts/me",
    document(
      "accounts",
      { "custom-properties": { people: { mentor: { type: "person" } } } },
      { id: account.id },
    ),
  );
  const [id, other] = [await person(), await person("Otto Other")];
  const cell = await makeCell(db, account.id);
  const course = await makeCourse(db, account.id);
  const courseClass = await makeRow(db, "course_classes", account.id, {
    course_id: course,
    name: "Own",
    status: "open",
  });
  const tag = one(
    await service.post("/v1/tags", document("tags", { name: "Brass", "applies-to": ["people"] })),
  );
  const meeting = one(
    await service.post(
      "/v1/cell-meetings",
      document(
        "cell-meetings",
        { date: await dayFromToday(db, account.id, 0) },
        { relationships: { cell: { data: { type: "cells", id: cell } } } },
      ),
    ),
  );
  const role = many(await service.get("/v1/roles?filter[name]=auditor"))[0]?.id ?? "";
  assert.equal((await anonymize(id)).status, 201);

  const path = `/v1/people/${id}`;
  const tagged = identifiers("tags", [tag.id]);
  const refused = [
    await service.patch(path, document("people", { "full-name": "Zilda Zimbro" }, { id })),
    await service.patch(path, document("people", { "is-active": true }, { id })),
    await service.patch(path, document("people", { "email": "zilda@example.org" }, { id })),
    await service.patch(
      path,
      document("people", { "administrative-status": "administrator" }, { id }),
    ),
    await service.post(`${path}/relationships/tags`, tagged),
    await service.delete(`${path}/photo`),
    await service.delete(path),
  ];
  assert.deepEqual([...new Set(refused.map(outcome))], ["409 person-anonymized"]);
  const { meta } = one(await service.get(`${path}?meta[may]=true`));
  assert.partialDeepStrictEqual(meta?.["may"], {
    update: [],
    delete: "person-anonymized",
    actions: { anonymize: false },
  });

  const create = (type: string, attributes: object, relationships: object) =>
    service.post(
      `/v1/${type}`,
      document(type, { ...attributes }, { relationships: { ...relationships } }),
    );
  const named = [
    await anonymize(id),
    await merge(service, other, [id]),
    await merge(service, id, [other]),
    await create(
      "cell-memberships",
      { "cell-role": "participant" },
      { cell: { data: { type: "cells", id: cell } }, person: link(id) },
    ),
    await create(
      "course-enrollments",
      {},
      { class: { data: { type: "course-classes", id: courseClass } }, person: link(id) },
    ),
    await create(
      "role-assignments",
      { "scope-type": "account" },
      { role: { data: { type: "roles", id: role } }, person: link(id) },
    ),
    await create("notes", { text: "Hello" }, { about: link(id) }),
    await create("person-invitations", { delivery: "link" }, { person: link(id) }),
    await service.post(
      `/v1/course-classes/${courseClass}/relationships/teachers`,
      identifiers("people", [id]),
    ),
    await service.patch(
      `/v1/people/${other}`,
      document("people", { "custom-properties": { mentor: id } }, { id: other }),
    ),
    await service.patch(
      `/v1/cell-meetings/${meeting.id}`,
      document(
        "cell-meetings",
        { attendance: [{ "person-id": id, status: "present" }] },
        { id: meeting.id },
      ),
    ),
  ];
  for (const [place, answer] of named.entries())
    assert.equal(answer.status, 422, `${place}: ${answer.text}`);
});

test("200 · lists leave the person out, unless a filter asks for the anonymized", async () => {
  const id = await person("Quirina Quast");
  const course = await makeCourse(db, account.id);
  await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: id,
    status: "completed",
  });
  const total = async (query = "") =>
    (await service.get(`/v1/people?page[size]=1${query}`)).document.meta?.["total"] as number;
  const [all, active] = [await total(), await total("&filter[is-active]=true")];
  const before = await total("&filter[is-anonymized]=true");
  assert.deepEqual(ids(await service.get(`/v1/courses/${course}/completed-by`)), [id]);
  assert.equal((await anonymize(id)).status, 201);
  assert.deepEqual([await total(), await total("&filter[is-active]=true")], [all - 1, active - 1]);
  assert.equal(await total("&filter[is-anonymized]=true"), before + 1);
  assert.equal(await total("&filter[is-anonymized]=true,false"), all + before);
  for (const query of [
    `filter[id]=${id}`,
    "filter[q]=Quirina",
    "filter[name]=quast",
    "filter[is-active]=false&page[after]=",
  ])
    assert.equal(ids(await service.get(`/v1/people?${query}`)).includes(id), false, query);
  assert.deepEqual(ids(await service.get(`/v1/courses/${course}/completed-by`)), []);
  assert.deepEqual(
    ids(await service.get(`/v1/people?filter[id]=${id}&filter[is-anonymized]=true`)),
    [id],
  );
});

test("403 and 409 · administrators alone anonymize, and only people who do not outrank them", async () => {
  const stranger = await person();
  const full = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  const office = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const pastor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: pastor.id, role: "pastor" });
  const as = (who: { token: string }) => ({ as: who.token });
  assert.equal(outcome(await anonymize(stranger, as(pastor))), "403 forbidden");
  assert.equal((await service.get("/v1/person-anonymizations", as(pastor))).status, 403);
  assert.equal(outcome(await anonymize(full.id, as(office))), "403 forbidden");
  assert.equal(outcome(await anonymize(office.id, as(office))), "409 deleting-oneself");
  const auditor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: auditor.id, role: "auditor" });
  assert.equal(outcome(await anonymize(auditor.id, as(office))), "403 forbidden");
  const absent = await anonymize(account.id, as(office));
  assert.deepEqual(
    [outcome(absent), pointers(absent)],
    ["422 invalid-relationship", ["/data/relationships/person/data"]],
  );
  assert.equal((await anonymize(stranger, as(office))).status, 201);
  const may = async (id: string, who: { token: string }) =>
    actionOf(await service.get(`/v1/people/${id}?meta[may]=true`, as(who)));
  const free = await person();
  assert.deepEqual(
    [
      await may(free, office),
      await may(full.id, office),
      await may(office.id, office),
      await may(free, pastor),
    ],
    [true, false, "deleting-oneself", false],
  );
});

test("404 · the history of the person is gone, and one event has the id alone", async () => {
  await makeEndpoint(db, account.id, { events: ["person.updated", "cell-membership.created"] });
  const cell = await makeCell(db, account.id);
  const removed = await person("Removed Remo");
  const id = await person("Kept Karla");
  assert.equal((await merge(service, id, [removed])).status, 201);
  const member = await service.post(
    "/v1/cell-memberships",
    document(
      "cell-memberships",
      { "cell-role": "participant" },
      { relationships: { cell: { data: { type: "cells", id: cell } }, person: link(id) } },
    ),
    { headers: { "Idempotency-Key": "member" } },
  );
  assert.equal(member.status, 201);
  const subjects = [id, removed, one(member).id];
  const history = () => db<{ type: string; snapshot: string }[]>`
    select event_type as type, snapshot from webhook_events
    where account_id = ${account.id} and subject_id = any(${subjects}::uuid[])`;
  const before = await history();
  assert.deepEqual(before.map(({ type }) => type).sort(), [
    "cell-membership.created",
    "person.merged",
  ]);
  const [delivery] = many(await service.get("/v1/webhook-deliveries"));
  assert.equal((await anonymize(id)).status, 201);
  assert.deepEqual(
    [...(await history())].map(({ snapshot, type }) => [type, JSON.parse(snapshot)]),
    [["person.anonymized", { type: "people", id }]],
  );
  assert.equal((await service.get(`/v1/webhook-deliveries/${delivery?.id}`)).status, 404);
  assert.equal(outcome(await service.get(`/v1/people/${removed}`)), "404 not-found");
  assert.deepEqual(many(await service.get(`/v1/person-merges?filter[kept]=${id}`)), []);
});

test("a write that waits for an anonymization does not find the person", async () => {
  const cell = await makeCell(db, account.id);
  const hold = (id: string) => (tx: Tx) =>
    tx`select from people where account_id = ${account.id} and id = ${id} for update`;
  const joining = (id: string) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "participant" },
        { relationships: { cell: { data: { type: "cells", id: cell } }, person: link(id) } },
      ),
    );
  const noting = (id: string) =>
    service.post(
      "/v1/notes",
      document("notes", { text: "Hello" }, { relationships: { about: link(id) } }),
    );
  const renaming = (id: string) =>
    service.patch(`/v1/people/${id}`, document("people", { "occupation": "Baker" }, { id }));
  const { id: meeting } = one(
    await service.post(
      "/v1/cell-meetings",
      document(
        "cell-meetings",
        { date: await dayFromToday(db, account.id, 0) },
        { relationships: { cell: { data: { type: "cells", id: cell } } } },
      ),
    ),
  );
  const reporting = (id: string) =>
    service.patch(
      `/v1/cell-meetings/${meeting}`,
      document(
        "cell-meetings",
        { attendance: [{ "person-id": id, "status": "present" }] },
        { id: meeting },
      ),
    );
  for (const [write, refusal] of [
    [joining, "422 invalid-relationship"],
    [noting, "422 invalid-relationship"],
    [renaming, "409 person-anonymized"],
    [reporting, "422 invalid-attribute"],
  ] as const) {
    const id = await person();
    const late: Promise<Answer>[] = [];
    const done = await meanwhile(
      db,
      hold(id),
      () => anonymize(id),
      async () => {
        late.push(write(id));
        await untilWaiting(db, 2);
      },
    );
    assert.equal(done.status, 201, done.text);
    const [answer] = await Promise.all(late);
    assert.ok(answer);
    assert.equal(outcome(answer), refusal);
    const { attributes } = one(await service.get(`/v1/people/${id}`));
    assert.deepEqual([attributes["occupation"], attributes["is-anonymized"]], [null, true]);
    assert.equal(
      (await service.get(`/v1/cell-memberships?filter[person]=${id}&filter[status]=active`))
        .document.meta?.["total"],
      0,
    );
    assert.equal((await service.get(`/v1/notes?filter[about]=${id}`)).document.meta?.["total"], 0);
  }
});

test("one of two anonymizations wins, and one of an anonymization and a merge", async () => {
  const id = await person();
  const twice = await together(db, account.id, [() => anonymize(id), () => anonymize(id)]);
  assert.deepEqual(twice.map(outcome).sort(), ["201", "422 invalid-relationship"]);
  const [kept, removed] = [await person(), await person()];
  const crossed = await together(db, account.id, [
    () => merge(service, kept, [removed]),
    () => anonymize(removed),
  ]);
  assert.deepEqual(crossed.map(outcome).sort(), ["201", "422 invalid-relationship"]);
  const gone = await person();
  const either = await together(db, account.id, [
    () => anonymize(gone),
    () => service.delete(`/v1/people/${gone}`),
  ]);
  assert.ok(
    ["201,409 person-anonymized", "204,422 invalid-relationship"].includes(
      either.map(outcome).sort().join(),
    ),
    either.map(outcome).join(),
  );
});

test("the undo of an import leaves the record without identity, and its file is gone", async () => {
  const imports = importing(service, after);
  const { job } = await imports.rehearse(
    { mapping: { Name: "full-name", Mail: "email" } },
    "Name,Mail\nIlse Import,ilse@import.example\nIngo Import,ingo@import.example\n",
  );
  const { rows } = await imports.run(job.id);
  const id = linkedId(rows[0] as Resource, "person");
  assert.equal((await anonymize(id)).status, 201);
  assert.deepEqual(await tablesWith("ilse"), []);
  const chunks = await db`
    select from import_file_chunks where account_id = ${account.id} and import_job_id = ${job.id}`;
  assert.equal(chunks.length, 0);
  const undone = await imports.undo(job.id);
  assert.equal(undone.job.attributes["status"], "undone");
  const { attributes } = one(await service.get(`/v1/people/${id}`));
  assert.deepEqual([attributes["is-anonymized"], attributes["email"]], [true, null]);
  assert.equal((await service.get("/v1/people?filter[q]=Import")).document.meta?.["total"], 0);
});
