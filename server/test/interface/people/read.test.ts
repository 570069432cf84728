import assert from "node:assert/strict";
import { after, test } from "node:test";
import { allowIntegration, disallowIntegration } from "../../../src/access/integrations.ts";
import {
  makeAssignment,
  makeCourse,
  makeIntegration,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import {
  codes,
  document,
  ids,
  many,
  one,
  type RequestOptions,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const paul = await makePerson(db, account.id, { fullName: "Paul" });
await db`update people set medical_notes = 'asthma' where id = ${paul.id}`;
const path = `/v1/people/${paul.id}`;

test("200 · a person reads their own record, by id and as me", async () => {
  const me = await service.get("/v1/people/me", { as: paul.token });
  assert.equal(me.status, 200);
  assert.equal(one(me).id, paul.id);
  assert.equal(one(me).links["self"], PUBLIC_URL + path);
  assert.deepEqual(one(await service.get(path, { as: paul.token })), one(me));
  const linkage = await service.get("/v1/people/me/relationships/roles", { as: paul.token });
  assert.deepEqual(linkage.document.data, []);
});

test("200 · relationships of a person name their classes, courses, cells and roles", async () => {
  const course = await makeCourse(db, account.id);
  const classId = await makeRow(db, "course_classes", account.id, { course_id: course, name: "A" });
  await db`insert into course_class_teachers values (${account.id}, ${classId}, ${paul.id})`;
  const enrollment = await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: paul.id,
    status: "completed",
  });
  const cell = await makeRow(db, "cells", account.id, { name: "North" });
  const left = await makeRow(db, "cells", account.id, { name: "South" });
  const membership = await makeRow(db, "cell_memberships", account.id, {
    cell_id: cell,
    person_id: paul.id,
    cell_role: "leader",
  });
  const past = await makeRow(db, "cell_memberships", account.id, {
    cell_id: left,
    person_id: paul.id,
    status: "left",
  });
  const assignment = await makeAssignment(db, account.id, {
    personId: paul.id,
    role: "course-coordinator",
    scopeType: "course",
    scopeIds: [course],
  });
  const { attributes, relationships } = one(await service.get(path));
  const linked = (name: string) =>
    ((relationships[name]?.data ?? []) as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(linked("teaches"), [classId]);
  assert.deepEqual(linked("course-enrollments"), [enrollment]);
  assert.deepEqual(linked("completed-courses"), [course]);
  assert.deepEqual(linked("cell-memberships").sort(), [membership, past].sort());
  assert.deepEqual(linked("cells"), [cell]);
  assert.deepEqual(linked("leads"), [cell]);
  assert.deepEqual(linked("role-assignments"), [assignment]);
  assert.equal(linked("roles").length, 1);
  assert.deepEqual(attributes["resource-scope"], [
    { "role": "Course coordinator", "scope-type": "course", "ids": [course], "is-derived": false },
    { "role": "Cell leader", "scope-type": "cell", "ids": [cell], "is-derived": true },
    { "role": "Teacher", "scope-type": "course-class", "ids": [classId], "is-derived": true },
  ]);
  for (const { links } of Object.values(relationships))
    for (const link of Object.values(links ?? {}))
      assert.equal((await service.get(link)).status, 200, link);
});

test("200 · leads and cells count active memberships, completed-courses only completed enrollments", async () => {
  const { id } = await makePerson(db, account.id);
  const cellOf = async (columns: Record<string, string>) => {
    const cell = await makeRow(db, "cells", account.id, { name: "West" });
    await makeRow(db, "cell_memberships", account.id, { cell_id: cell, person_id: id, ...columns });
    return cell;
  };
  const led = await cellOf({ cell_role: "leader" });
  const helped = await cellOf({ cell_role: "co-leader" });
  await cellOf({ cell_role: "leader", status: "left" });
  const learned = await cellOf({ cell_role: "trainee" });
  const courses = new Map<string, string>();
  for (const status of ["completed", "active", "failed"]) {
    const course = await makeCourse(db, account.id);
    courses.set(status, course);
    await makeRow(db, "course_enrollments", account.id, {
      course_id: course,
      person_id: id,
      status,
    });
  }
  const linked = async (name: string) =>
    ids(await service.get(`/v1/people/${id}/relationships/${name}`));
  assert.deepEqual((await linked("leads")).sort(), [led, helped].sort());
  assert.deepEqual((await linked("cells")).sort(), [led, helped, learned].sort());
  assert.deepEqual(await linked("completed-courses"), [courses.get("completed")]);
});

test("200 · resource-scope lists current roles, for the person and readers of assignments", async () => {
  const { id, token } = await makePerson(db, account.id);
  for (const role of ["secretary", "pastor", "teacher", "auditor"])
    await makeAssignment(db, account.id, { personId: id, role });
  const limit = (role: string, column: string, days: number) => db`
    update role_assignments set ${db(column)} = now() + make_interval(days => ${days}) from roles
    where role_assignments.account_id = ${account.id} and person_id = ${id}
      and roles.account_id = ${account.id} and roles.id = role_id and code = ${role}`;
  await limit("secretary", "valid_until", -1);
  await limit("pastor", "valid_from", 1);
  await limit("teacher", "valid_until", 1);
  await limit("auditor", "valid_from", -1);
  const scopeAs = async (as: string) =>
    one(await service.get(`/v1/people/${id}`, { as })).attributes["resource-scope"];
  const today = ["Teacher", "Auditor"].map((role) => ({
    role,
    "scope-type": "account",
    "ids": [],
    "is-derived": false,
  }));
  assert.deepEqual(await scopeAs(account.administrator.token), today);
  assert.deepEqual(await scopeAs(token), today);
  const clerk = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: clerk.id, role: "cell-leader" });
  assert.equal(await scopeAs(clerk.token), undefined);
});

test("200 · linkage is sorted and has no duplicates", async () => {
  const { id } = await makePerson(db, account.id);
  const assignments = [];
  for (const role of ["secretary", "course-coordinator", "secretary"])
    assignments.push(
      await makeAssignment(db, account.id, {
        personId: id,
        role,
        scopeType: "course",
        scopeIds: [await makeCourse(db, account.id)],
      }),
    );
  const { relationships } = one(await service.get(`/v1/people/${id}`));
  const linked = (name: string) =>
    ((relationships[name]?.data ?? []) as { id: string }[]).map((resource) => resource.id);
  assert.deepEqual(linked("role-assignments"), assignments.toSorted());
  assert.equal(linked("roles").length, 2);
  assert.deepEqual(linked("roles"), linked("roles").toSorted());
  assert.deepEqual(relationships["roles"]?.meta, { total: 2 });
});

test("401 · 403 · 404 · a lost right applies to the next request, also of a cached caller", async () => {
  const integration = await makeIntegration(db);
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  const allowed = { id: integration.id, alias: account.alias };
  await allowIntegration(db, allowed);
  const outside = { "Origin": null, "X-SVC-API-Token": integration.token };
  const cases: [string, (id: string) => Promise<unknown>, unknown[], RequestOptions["headers"]?][] =
    [
      ["nothing", async () => {}, [200]],
      ["nothing, outside", async () => {}, [200], outside],
      [
        "administrator",
        (id) => db`update people set administrative_status = 'administrator' where id = ${id}`,
        [200],
      ],
      [
        "member",
        (id) => db`update people set administrative_status = 'none' where id = ${id}`,
        [404, "not-found"],
      ],
      [
        "deactivated",
        (id) => db`update people set is_active = false where id = ${id}`,
        [401, "credentials-invalid"],
      ],
      [
        "logged out",
        (id) => db`delete from access_tokens where person_id = ${id}`,
        [401, "credentials-invalid"],
      ],
      [
        "disallowed outside",
        () => disallowIntegration(db, allowed),
        [403, "integration-not-allowed"],
        outside,
      ],
    ];
  for (const [what, take, answered, headers = {}] of cases) {
    const { id, token } = await makePerson(db, account.id, {
      administrativeStatus: "full-administrator",
    });
    const read = () => service.get(path, { as: token, headers });
    // The first read fills the cache of callers.
    const [, second] = [await read(), await read()];
    await take(id);
    const answer = await read();
    assert.deepEqual([answer.status, ...codes(answer)], answered, what);
    if (answer.status === 200) assert.equal(answer.text, second.text, what);
  }
});

test("200 · sensitive attributes are left out for readers without person-details:read", async () => {
  assert.equal(one(await service.get(path)).attributes["medical-notes"], "asthma");
  assert.equal(
    one(await service.get(path, { as: paul.token })).attributes["medical-notes"],
    "asthma",
  );
  const supervisor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: supervisor.id, role: "cell-supervisor" });
  const course = await makeCourse(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${course}, ${paul.id})`;
  const as = supervisor.token;
  for (const query of [path, `${path}?fields[people]=medical-notes,identity-documents`]) {
    const { attributes } = one(await service.get(query, { as }));
    assert.ok(!Object.hasOwn(attributes, "medical-notes"));
    assert.ok(!Object.hasOwn(attributes, "identity-documents"));
  }
  for (const query of [
    "/v1/people",
    `/v1/courses/${course}?include=teachers`,
    `/v1/courses/${course}/teachers`,
  ])
    assert.ok(!(await service.get(query, { as })).text.includes("asthma"), query);
  const { attributes } = one(await service.get("/v1/people/me", { as }));
  assert.ok(Object.hasOwn(attributes, "medical-notes"), "people see their own details");
});

test("200 · attendance-summary covers 90 days, counts online as present and ignores excused absences", async () => {
  const { id } = await makePerson(db, account.id);
  const cell = await makeRow(db, "cells", account.id, { name: "East" });
  const dayOf = async (days: number) => {
    const [row] = await db<{ day: string }[]>`select (current_date - ${days}::int)::text as day`;
    return row?.day ?? "";
  };
  const attend = async (days: number, status: string) => {
    const date = await dayOf(days);
    const meeting = await makeRow(db, "cell_meetings", account.id, { cell_id: cell, date });
    await makeRow(db, "cell_attendances", account.id, {
      meeting_id: meeting,
      cell_id: cell,
      person_id: id,
      date,
      status,
    });
  };
  for (const [days, status] of [
    [90, "present"],
    [89, "absent"],
    [70, "excused"],
    [50, "absent"],
    [30, "absent"],
    [7, "online"],
  ] as const)
    await attend(days, status);
  const fields = "fields[people]=attendance-summary";
  const summary = {
    "attendance-summary": {
      "last-attended-at": await dayOf(7),
      "rate-90d": 25,
      "absent-streak": 0,
    },
  };
  const changed = document("people", { occupation: "Potter" }, { id });
  for (const answer of [
    await service.get(`/v1/people/${id}?${fields}`),
    await service.patch(`/v1/people/${id}?${fields}`, changed),
  ])
    assert.deepEqual(one(answer).attributes, summary);
  const [listed] = many(await service.get(`/v1/people?filter[id]=${id}&${fields}`));
  assert.deepEqual(listed?.attributes, summary);

  const found = async (least: number) =>
    ids(await service.get(`/v1/people?filter[id]=${id}&filter[absent-streak-min]=${least}`));
  assert.deepEqual(await found(1), []);
  for (const days of [2, 1]) await attend(days, "absent");
  assert.deepEqual([await found(1), await found(2), await found(3)], [[id], [id], []]);
});
