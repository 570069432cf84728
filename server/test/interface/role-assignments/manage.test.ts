import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { confirm, invite, logIn, revealed } from "../../support/invitations.ts";
import {
  makeAccount,
  makeAssignment,
  makeCourse,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  ids,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { makeCell } from "../../support/cells.ts";
import { makeClass } from "../../support/courses.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);

const roleIds = new Map(
  many(await service.get("/v1/roles")).map(({ id, attributes }) => [attributes["code"], id]),
);
const link = (type: string, id: string | undefined) => ({ data: { type, id } });
const assign = (
  role: string,
  personId: string,
  attributes: Record<string, unknown> = { "scope-type": "account" },
  as?: string,
) =>
  service.post(
    "/v1/role-assignments",
    document("role-assignments", attributes, {
      relationships: {
        role: link("roles", roleIds.get(role) ?? role),
        person: link("people", personId),
      },
    }),
    as === undefined ? {} : { as },
  );
const rename = (course: string, as: string) =>
  service.patch(
    `/v1/courses/${course}`,
    document("courses", { summary: newId() }, { id: course }),
    { as },
  );

test("201 · an assignment records granted-by and captures role-assignment.created", async () => {
  const { id } = await makePerson(db, account.id);
  const events = await eventsOf(async () => {
    const answer = await assign("pastor", id, {
      "scope-type": "account",
      "valid-from": "2020-01-01T01:00:00+01:00",
      "valid-until": "2990-01-01T00:00:00.000Z",
    });
    assert.equal(answer.status, 201, answer.text);
    const { attributes, relationships } = one(answer);
    assert.partialDeepStrictEqual(attributes, {
      "scope-type": "account",
      "scope-ids": [],
      "valid-from": "2020-01-01T00:00:00.000Z",
      "valid-until": "2990-01-01T00:00:00.000Z",
    });
    assert.deepEqual(relationships["granted-by"]?.data, {
      type: "people",
      id: account.administrator.id,
    });
  });
  assert.deepEqual(events, ["role-assignment.created"]);
  const list = await service.get(
    `/v1/role-assignments?filter[person]=${id}&filter[role]=${roleIds.get("pastor")}&include=role,person`,
  );
  assert.equal(list.document.meta?.["total"], 1);
  assert.equal(list.document.included?.length, 2);
});

test("201 · an assignment ends the log-in whose link an inviter of fewer rights made, and says so once", async () => {
  const [{ id }, secretary] = [
    await makePerson(db, account.id, { email: "linked@church.example" }),
    await makePerson(db, account.id),
  ];
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const made = await invite(service, id, { delivery: "link" }, { as: secretary.token });
  const password = "a long and private sentence";
  assert.equal((await confirm(service, revealed(made).token, password)).status, 204);
  const first = await assign("cell-leader", id);
  assert.deepEqual([first.status, first.document.meta], [201, { "log-in-ended": true }]);
  assert.equal((await logIn(service, "linked@church.example", password)).status, 401);
  const second = await assign("pastor", id);
  assert.deepEqual([second.status, second.document.meta], [201, undefined]);
});

test("200 · a role applies from the next request until its assignment is deleted", async () => {
  const { id, token } = await makePerson(db, account.id);
  assert.deepEqual(ids(await service.get("/v1/people", { as: token })), [id]);
  const assignment = one(await assign("secretary", id)).id;
  assert.ok(ids(await service.get("/v1/people", { as: token })).length > 1);
  const events = await eventsOf(() => service.delete(`/v1/role-assignments/${assignment}`));
  assert.deepEqual(events, ["role-assignment.deleted"]);
  assert.deepEqual(ids(await service.get("/v1/people", { as: token })), [id]);
});

test("200 · the scopes of several roles add up", async () => {
  const { id, token } = await makePerson(db, account.id);
  const [one, two, three, theirs] = [
    await makeCourse(db, account.id),
    await makeCourse(db, account.id),
    await makeCourse(db, account.id),
    await makeCourse(db, account.id),
  ];
  await assign("course-coordinator", id, { "scope-type": "course", "scope-ids": [one, two] });
  await assign("course-coordinator", id, { "scope-type": "course", "scope-ids": [three] });
  await assign("cell-trainee", id);
  for (const course of [one, two, three]) assert.equal((await rename(course, token)).status, 200);
  assert.equal((await rename(theirs, token)).status, 403);
});

test("403 · an empty scope reaches nothing", async () => {
  const { id, token } = await makePerson(db, account.id);
  const course = await makeCourse(db, account.id);
  assert.equal(
    (await assign("course-coordinator", id, { "scope-type": "course", "scope-ids": [] })).status,
    201,
  );
  assert.equal((await rename(course, token)).status, 403);
  await makeRow(db, "course_materials", account.id, { course_id: course, title: "Draft" });
  assert.deepEqual(ids(await service.get("/v1/course-materials", { as: token })), []);
});

test("200 · scope self reaches only the person", async () => {
  const { id, token } = await makePerson(db, account.id);
  const { id: somebody } = await makePerson(db, account.id);
  assert.equal((await assign("pastor", id, { "scope-type": "self" })).status, 201);
  assert.deepEqual(ids(await service.get("/v1/people", { as: token })), [id]);
  assert.equal((await service.get(`/v1/people/${somebody}`, { as: token })).status, 404);
  assert.equal((await rename(await makeCourse(db, account.id), token)).status, 403);
  const refused = await assign("pastor", somebody, { "scope-type": "account" }, token);
  assert.deepEqual([refused.status, ...codes(refused)], [403, "forbidden"]);
});

test("201 · a scope has up to 200 ids, and filter[scope-type] finds it", async () => {
  const { id } = await makePerson(db, account.id);
  const some: string[] = [];
  for (let made = 0; made < 200; made += 1) some.push(await makeCourse(db, account.id));
  const courses = await assign("pastor", id, { "scope-type": "course", "scope-ids": some });
  assert.equal(courses.status, 201, courses.text);
  assert.deepEqual(one(courses).attributes["scope-ids"], some);
  const accountWide = one(await assign("pastor", id)).id;
  const found = async (types: string) =>
    ids(await service.get(`/v1/role-assignments?filter[person]=${id}&filter[scope-type]=${types}`));
  assert.deepEqual(await found("course"), [one(courses).id]);
  assert.deepEqual(await found("campus,account"), [accountWide]);
  assert.deepEqual(await found("list"), []);
});

test("403 · a scope type that does not apply to a type reaches nothing of it", async () => {
  const { id, token } = await makePerson(db, account.id);
  const course = await makeCourse(db, account.id);
  for (const scope of ["campus", "cell", "cell-tree", "list", "course-class"])
    await makeAssignment(db, account.id, {
      personId: id,
      role: "pastor",
      scopeType: scope,
      scopeIds: [course],
    });
  assert.equal((await rename(course, token)).status, 403);
  assert.deepEqual(ids(await service.get("/v1/people", { as: token })), [id]);
});

test("403 · a caller cannot grant permissions that the caller lacks", async () => {
  const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const secretary = await makePerson(db, account.id);
  const coordinator = await makePerson(db, account.id);
  const course = await makeCourse(db, account.id);
  await assign("secretary", secretary.id);
  await assign("pastor", coordinator.id, { "scope-type": "course", "scope-ids": [course] });
  const attempts: [string, string, string][] = [
    [administrator.token, "auditor", administrator.id],
    [secretary.token, "secretary", coordinator.id],
    [coordinator.token, "pastor", coordinator.id],
  ];
  for (const [as, role, person] of attempts) {
    const answer = await assign(role, person, { "scope-type": "account" }, as);
    assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], role);
  }
  const given = await assign(
    "pastor",
    secretary.id,
    { "scope-type": "account" },
    administrator.token,
  );
  assert.equal(given.status, 201);
});

test("403 · a permission for one course cannot be granted for more", async () => {
  const { id, token } = await makePerson(db, account.id);
  const course = await makeCourse(db, account.id);
  const permissions = ["role-assignments:write"];
  const granter = document("roles", { name: `Granter ${newId()}`, permissions });
  const role = one(await service.post("/v1/roles", granter)).id;
  await assign(role, id);
  await assign("course-coordinator", id, { "scope-type": "course", "scope-ids": [course] });
  for (const scope of [
    { "scope-type": "account" },
    { "scope-type": "course", "scope-ids": [await makeCourse(db, account.id)] },
  ]) {
    const answer = await assign("course-coordinator", id, scope, token);
    assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"]);
    assert.deepEqual(pointers(answer), ["/data/relationships/role"]);
  }
  assert.equal((await assign(role, id, { "scope-type": "account" }, token)).status, 201);
});

test("422 · valid-until must be later than valid-from", async () => {
  const { id } = await makePerson(db, account.id);
  const from = "2030-01-01T00:00:00Z";
  for (const until of ["2029-12-31T00:00:00Z", from, "2030-01-01T01:00:00+02:00"]) {
    const span = { "valid-from": from, "valid-until": until };
    const answer = await assign("pastor", id, { "scope-type": "account", ...span });
    assert.deepEqual([answer.status, ...pointers(answer)], [422, "/data/attributes/valid-until"]);
  }
});

test("422 · scope-ids name courses of the account, and the account and oneself have none", async () => {
  const { id } = await makePerson(db, account.id);
  const [own, theirs] = [await makeCourse(db, account.id), await makeCourse(db, other.id)];
  const scope = { "scope-type": "course", "scope-ids": [own, theirs] };
  const answer = await assign("pastor", id, scope);
  assert.deepEqual([answer.status, ...pointers(answer)], [422, "/data/attributes/scope-ids/1"]);
  for (const type of ["account", "self"]) {
    const whole = await assign("pastor", id, { "scope-type": type, "scope-ids": [own] });
    assert.deepEqual([whole.status, ...pointers(whole)], [422, "/data/attributes/scope-ids"]);
  }
});

test("404 · a person sees their own assignments and no others", async () => {
  const { id, token } = await makePerson(db, account.id);
  const mine = one(await assign("cell-leader", id)).id;
  const [someone] = ids(await service.get("/v1/role-assignments")).filter((one) => one !== mine);
  assert.deepEqual(ids(await service.get("/v1/role-assignments", { as: token })), [mine]);
  assert.equal((await service.get(`/v1/role-assignments/${someone}`, { as: token })).status, 404);
  assert.equal((await service.delete(`/v1/role-assignments/${mine}`, { as: token })).status, 403);
});

test("403 · a caller cannot revoke, edit or delete a role that the caller could not grant", async () => {
  const administrator = await makePerson(db, account.id, {
    administrativeStatus: "administrator",
  });
  const member = await makePerson(db, account.id);
  const created = await service.post(
    "/v1/roles",
    document("roles", { name: `Exporter ${newId()}`, permissions: ["audit-entries:read"] }),
  );
  const role = one(created).id;
  const assigned = one(await assign(role, member.id));
  const as = administrator.token;
  assert.equal((await service.delete(`/v1/role-assignments/${assigned.id}`, { as })).status, 403);
  const edit = document("roles", { permissions: ["people:read"] }, { id: role });
  assert.equal((await service.patch(`/v1/roles/${role}`, edit, { as })).status, 403);
  assert.equal((await service.delete(`/v1/role-assignments/${assigned.id}`)).status, 204);
  assert.equal((await service.delete(`/v1/roles/${role}`, { as })).status, 403);
  assert.equal((await service.delete(`/v1/roles/${role}`)).status, 204);
});

test("403 · a grant and its deletion do not outlast the right of the caller to grant", async () => {
  const ends = "2900-06-01T00:00:00.000Z";
  const [coordinator, permanent] = [
    await makePerson(db, account.id),
    await makePerson(db, account.id),
  ];
  const course = await makeCourse(db, account.id);
  const scope = { "scope-type": "course", "scope-ids": [course] };
  await assign("course-coordinator", coordinator.id, { ...scope, "valid-until": ends });
  await assign("course-coordinator", permanent.id, scope);
  const { id } = await makePerson(db, account.id);
  await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: id,
    status: "active",
  });
  const give = (until: string | null, as = coordinator.token) =>
    assign("teacher", id, { ...scope, "valid-until": until }, as);
  for (const until of [null, "2900-06-01T00:00:00.001Z"]) {
    const answer = await give(until);
    assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], answer.text);
    assert.deepEqual(pointers(answer), ["/data/attributes/valid-until"]);
  }
  const given = [await give("2900-05-31T21:00:00-03:00"), await give("2800-01-01T00:00:00.000Z")];
  const longer = await give(null, permanent.token);
  assert.deepEqual(
    [...given, longer].map(({ status }) => status),
    [201, 201, 201],
    longer.text,
  );
  const remove = (answer: Answer) =>
    service.delete(`/v1/role-assignments/${one(answer).id}`, { as: coordinator.token });
  assert.equal((await remove(longer)).status, 403);
  for (const answer of given) assert.equal((await remove(answer)).status, 204);
});

test("403 · a caller whose right ends can give a leading role or a class, but not take it", async () => {
  const root = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const courseClass = await makeClass(db, account.id, await makeCourse(db, account.id));
  const link = (type: string, id: string) => ({ data: { type, id } });
  const lead = (personId: string, as: string) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "leader" },
        { relationships: { cell: link("cells", root), person: link("people", personId) } },
      ),
      { as },
    );
  const teach = (personId: string, as: string) =>
    service.post(
      `/v1/course-classes/${courseClass}/relationships/teachers`,
      { data: [{ type: "people", id: personId }] },
      { as },
    );
  const [temporary, permanent, other] = [
    await makePerson(db, account.id),
    await makePerson(db, account.id),
    await makePerson(db, account.id),
  ];
  const scope = { "scope-type": "account" };
  await assign("pastor", temporary.id, { ...scope, "valid-until": "2900-06-01T00:00:00.000Z" });
  await assign("pastor", permanent.id, scope);
  for (const act of [lead, teach]) {
    const own = await act(temporary.id, temporary.token);
    assert.deepEqual([own.status, codes(own)], [403, ["forbidden"]], own.text);
    for (const [personId, as] of [
      [other.id, temporary.token],
      [permanent.id, permanent.token],
    ] as const) {
      const answer = await act(personId, as);
      assert.ok(answer.status < 300, answer.text);
    }
  }
});

test("403 · a role that people hold for longer gains no permission that ends before", async () => {
  const ends = "2900-06-01T00:00:00.000Z";
  const keeper = await makePerson(db, account.id);
  const make = async (name: string, permissions: string[]) =>
    one(
      await service.post(
        "/v1/roles",
        document("roles", { name: `${name} ${newId()}`, permissions }),
      ),
    ).id;
  const temporary = await make("Temporary", ["roles:write", "people:write"]);
  const [used, free] = [await make("Held", []), await make("Free", [])];
  await assign(temporary, keeper.id, { "scope-type": "account", "valid-until": ends });
  await assign(used, keeper.id);
  const extend = (id: string) =>
    service.patch(`/v1/roles/${id}`, document("roles", { permissions: ["people:write"] }, { id }), {
      as: keeper.token,
    });
  const refused = await extend(used);
  assert.deepEqual([refused.status, ...pointers(refused)], [403, "/data/attributes/permissions"]);
  assert.equal((await extend(free)).status, 200);
});
