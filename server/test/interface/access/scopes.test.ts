import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { makeAssignment, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { makeCoordinator } from "../../support/courses.ts";
import { grant } from "../../support/roles.ts";
import {
  codes,
  document,
  ids,
  many,
  one,
  parameters,
  pointers,
  startService,
} from "../../support/service.ts";

/**
 * Isolation between scopes inside one account. A tree of a supervision with two cells, and a cell outside the tree:
 *
 *   sector ─┬─ north    lead: Nora     members: Nina, Both
 *           └─ south                   members: Saul
 *   far                                members: Fred, Both
 */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const administrator = account.administrator.token;

const makeCell = async (name: string, parent_id: string | null = null, level = 0) => {
  const type = level === 0 ? "cell" : "supervision";
  return makeRow(db, "cells", account.id, { name, parent_id, level, cell_type: type });
};
const join = (cell_id: string, person: { id: string }, cell_role = "participant") =>
  makeRow(db, "cell_memberships", account.id, { cell_id, person_id: person.id, cell_role });
const person = (fullName: string) => makePerson(db, account.id, { fullName });

const sector = await makeCell("Sector", null, 1);
const north = await makeCell("North", sector);
const south = await makeCell("South", sector);
const far = await makeCell("Far");
const [nora, nina, both, saul, fred, sara] = [
  await person("Nora North"),
  await person("Nina North"),
  await person("Bo Both"),
  await person("Saul South"),
  await person("Fred Far"),
  await person("Sara Supervisor"),
];
await join(north, nora, "leader");
await join(north, nina);
const bothInNorth = await join(north, both);
await join(south, saul);
await join(far, fred, "leader");
const bothInFar = await join(far, both);
await join(sector, sara, "leader");

const names = (...people: { id: string }[]) => people.map(({ id }) => id).toSorted();
/** The ids of a list, whose total counts the same rows. */
async function seen(path: string, as: string): Promise<string[]> {
  const list = await service.get(path, { as });
  assert.equal(list.document.meta?.["total"], ids(list).length);
  return ids(list).toSorted();
}
const patchPerson = (id: string, attributes: Record<string, unknown>, as: string) =>
  service.patch(`/v1/people/${id}`, document("people", attributes, { id }), { as });

test("200 · a cell leader lists the members of the cell and its supervisors, and a supervisor those of the tree", async () => {
  assert.deepEqual(await seen("/v1/people", nora.token), names(nora, nina, both, sara));
  assert.deepEqual(await seen("/v1/people", sara.token), names(nora, nina, both, saul, sara));
  assert.deepEqual(await seen("/v1/people", fred.token), names(fred, both));
  const list = await service.get("/v1/people?page[size]=1", { as: nora.token });
  assert.equal(list.document.meta?.["total"], 4);
});

test("404 · people outside the scope are absent from details, related lists and includes", async () => {
  for (const { id } of [saul, fred])
    for (const path of ["", "/cells", "/relationships/cells"])
      assert.equal((await service.get(`/v1/people/${id}${path}`, { as: nora.token })).status, 404);
  const list = await service.get("/v1/cell-memberships?include=person", { as: sara.token });
  const included = new Set(list.document.included?.map(({ id }) => id));
  assert.ok(included.has(saul.id) && !included.has(fred.id));
  const memberships = await seen(`/v1/people/${both.id}/cell-memberships`, nora.token);
  assert.deepEqual(memberships, [bothInNorth]);
  const shown = one(await service.get(`/v1/people/${both.id}`, { as: nora.token })).relationships;
  assert.deepEqual(shown["cell-memberships"]?.data, [
    { type: "cell-memberships", id: bothInNorth },
  ]);
  assert.deepEqual(shown["cells"]?.data, [{ type: "cells", id: north }]);
});

test("200 · the reduced view has only its members, and the own record all of them", async () => {
  const reduced = one(await service.get(`/v1/people/${nina.id}`, { as: nora.token }));
  assert.deepEqual(Object.keys(reduced.attributes).toSorted(), [
    "birth-month-day",
    "created-at",
    "email",
    "first-name",
    "full-name",
    "is-active",
    "is-child",
    "last-name",
    "membership-status",
    "modified-at",
    "phones",
    "photo-url",
    "preferred-name",
  ]);
  assert.ok(!("roles" in reduced.relationships) && "cells" in reduced.relationships);
  const own = one(await service.get("/v1/people/me", { as: nora.token })).attributes;
  assert.ok("occupation" in own && "medical-notes" in own);
  const page = many(await service.get("/v1/people", { as: nora.token }));
  const full = page.filter(({ attributes }) => "occupation" in attributes);
  assert.deepEqual(
    full.map(({ id }) => id),
    [nora.id],
  );
  for (const path of ["roles", "relationships/roles", "role-assignments"])
    assert.equal(
      (await service.get(`/v1/people/${nina.id}/${path}`, { as: nora.token })).status,
      404,
      path,
    );
  const asked = `/v1/people/${nina.id}?fields[people]=occupation,full-name,attendance-summary`;
  const { attributes } = one(await service.get(asked, { as: nora.token }));
  assert.deepEqual(Object.keys(attributes).toSorted(), ["attendance-summary", "full-name"]);
});

test("200 · person-details:read in a scope lifts the limit there and nowhere else", async () => {
  const carer = await person("Carla Carer");
  await join(far, carer, "co-leader");
  const role_id = await makeRow(db, "roles", account.id, {
    name: newId(),
    permissions: json(["people:read", "person-details:read"]),
  });
  const scope = { scope_type: "cell", scope_ids: [north] };
  await makeRow(db, "role_assignments", account.id, { person_id: carer.id, role_id, ...scope });
  const keys = async (id: string) =>
    Object.keys(one(await service.get(`/v1/people/${id}`, { as: carer.token })).attributes);
  assert.ok((await keys(nina.id)).includes("medical-notes"));
  assert.ok(!(await keys(fred.id)).includes("medical-notes"));
  await db`delete from role_assignments where account_id = ${account.id} and role_id = ${role_id}`;
  await db`update cell_memberships set status = 'left' where person_id = ${carer.id}`;
});

test("200 · a filter by a hidden member matches no reduced row, and a sort treats it as absent", async () => {
  await patchPerson(nina.id, { "sex": "female", "birthdate": "1990-05-01" }, administrator);
  await patchPerson(nora.id, { "sex": "female", "birthdate": "1980-05-01" }, administrator);
  await patchPerson(both.id, { birthdate: "1970-01-01" }, administrator);
  assert.deepEqual(await seen("/v1/people?filter[sex]=female", nora.token), [nora.id]);
  assert.deepEqual(await seen("/v1/people?filter[age-min]=1", nora.token), [nora.id]);
  assert.deepEqual(await seen("/v1/people?filter[birth-month]=5", nora.token), names(nora, nina));
  assert.deepEqual(await seen("/v1/people?filter[name]=north", nora.token), names(nora, nina));
  const sorted = ids(await service.get("/v1/people?sort=birthdate", { as: nora.token }));
  assert.deepEqual(sorted, [nora.id, ...names(nina, both, sara)]);
});

test("200 · a filter by a cell outside the scope matches no person", async () => {
  const filtered = (cell: string, as: string) => seen(`/v1/people?filter[cell]=${cell}`, as);
  assert.deepEqual(await filtered(far, administrator), names(fred, both));
  assert.deepEqual(await filtered(far, nora.token), []);
  assert.deepEqual(await filtered(north, nora.token), names(nora, nina, both));
  const inTree = (cell: string, as: string) => seen(`/v1/people?filter[cell-tree]=${cell}`, as);
  assert.deepEqual(await inTree(sector, sara.token), names(nora, nina, both, saul, sara));
  assert.deepEqual(await inTree(sector, nora.token), []);
  const member = await service.get(`/v1/people?filter[cell]=${north}`, { as: nina.token });
  assert.deepEqual([member.status, ...parameters(member)], [400, "filter[cell]"]);
});

test("403 · a leader changes contacts of members and nothing else", async () => {
  const phones = [{ number: "+5511999990001", label: "mobile" }];
  assert.equal((await patchPerson(nina.id, { phones }, nora.token)).status, 200);
  const answer = await patchPerson(nina.id, { "full-name": "X", "occupation": "Y" }, nora.token);
  assert.deepEqual(
    [answer.status, ...pointers(answer)],
    [403, "/data/attributes/full-name", "/data/attributes/occupation"],
  );
  assert.equal((await patchPerson(saul.id, { phones }, nora.token)).status, 404);
  assert.equal((await patchPerson(saul.id, { phones }, nina.token)).status, 404);
  const whole = one(await service.get(`/v1/people/${nina.id}`, { as: nora.token })).attributes;
  assert.equal((await patchPerson(nina.id, whole, nora.token)).status, 200);
});

test("403 · a leader changes the e-mail address only of people without a log-in", async () => {
  const member = await person("Mia Member");
  await join(north, member);
  const email = `${newId()}@grace.example`;
  assert.equal((await patchPerson(member.id, { email }, nora.token)).status, 200);
  await db`update people set has_login = true where account_id = ${account.id} and id = ${member.id}`;
  const taken = await patchPerson(member.id, { email: "thief@grace.example" }, nora.token);
  assert.deepEqual([taken.status, ...pointers(taken)], [403, "/data/attributes/email"]);
  await db`update cell_memberships set status = 'left' where person_id = ${member.id}`;
});

test("201 · a leader creates a prospect and reaches it until it joins a cell elsewhere", async () => {
  const email = `${newId()}@grace.example`;
  await patchPerson(saul.id, { email }, administrator);
  const create = (attributes: Record<string, unknown>, as: string) =>
    service.post("/v1/people", document("people", attributes), { as });
  const made = await create({ "full-name": "Rui Melo", email }, nora.token);
  assert.equal(made.status, 201, made.text);
  const { attributes, id } = one(made);
  assert.deepEqual([attributes["membership-status"], attributes["email"]], ["prospect", null]);
  const stored = one(await service.get(`/v1/people/${id}`)).attributes;
  assert.deepEqual(stored["other-emails"], [email]);
  assert.ok((await seen("/v1/people", nora.token)).includes(id));
  assert.equal((await service.get(`/v1/people/${id}`, { as: sara.token })).status, 404);
  await join(far, { id });
  assert.equal((await service.get(`/v1/people/${id}`, { as: nora.token })).status, 404);

  const member = await create({ "full-name": "X", "membership-status": "member" }, nora.token);
  assert.deepEqual(
    [member.status, ...pointers(member)],
    [403, "/data/attributes/membership-status"],
  );
  const more = await create({ "full-name": "X", "occupation": "Y" }, nora.token);
  assert.deepEqual([more.status, ...pointers(more)], [403, "/data/attributes/occupation"]);
  assert.equal((await create({ "full-name": "X" }, nina.token)).status, 403);
});

test("200 · rights end with the task", async () => {
  const leader = await person("Lea Leader");
  const membership = await join(south, leader, "leader");
  assert.deepEqual(await seen("/v1/people", leader.token), names(leader, saul, sara));
  await db`update cell_memberships set status = 'left' where id = ${membership}`;
  assert.deepEqual(await seen("/v1/people", leader.token), [leader.id]);
});

test("403 · a supervisor grants cell roles in the tree and nothing beyond", async () => {
  const give = (role: string, scopeType: string, scopeIds: readonly string[], as = sara.token) =>
    grant(service, { role, scopeType, scopeIds, as, personId: nina.id });
  const given = await give("cell-trainee", "cell", [north]);
  assert.equal(given.status, 201, given.text);
  assert.equal((await give("cell-leader", "cell-tree", [sector])).status, 201);
  for (const [code, type, scope] of [
    ["cell-trainee", "cell", [far]],
    ["cell-trainee", "cell", [north, far]],
    ["cell-trainee", "cell-tree", [far]],
    ["cell-trainee", "cell", [newId()]],
    ["cell-trainee", "account", []],
    ["cell-supervisor", "cell", [north]],
    ["secretary", "cell", [north]],
  ] as const) {
    const refused = await give(code, type, scope);
    assert.deepEqual([refused.status, ...codes(refused)], [403, "forbidden"], `${code} ${type}`);
  }
  assert.equal((await give("cell-trainee", "cell", [north], nora.token)).status, 403);
  const mine = `/v1/role-assignments/${one(given).id}`;
  assert.equal((await service.get(mine, { as: nora.token })).status, 404);
  assert.equal((await service.delete(mine, { as: sara.token })).status, 204);
  const outside = await makeAssignment(db, account.id, {
    personId: nina.id,
    role: "cell-trainee",
    scopeType: "cell",
    scopeIds: [north, far],
  });
  const path = `/v1/role-assignments/${outside}`;
  assert.equal((await service.delete(path, { as: sara.token })).status, 403);
  await db`delete from role_assignments where account_id = ${account.id}`;
});

test("200 · a coordinator appoints teachers and no coordinators", async () => {
  const course = await makeCourse(db, account.id);
  const class_id = await makeRow(db, "course_classes", account.id, {
    course_id: course,
    name: "A",
  });
  const coordinator = await makeCoordinator(db, account.id, course);
  await makeRow(db, "course_enrollments", account.id, {
    course_id: course,
    person_id: nina.id,
    status: "active",
  });
  const give = async (role: string, scopeType: string, id: string) => {
    const scope = { scopeType, scopeIds: [id], personId: nina.id };
    return (await grant(service, { role, ...scope, as: coordinator.token })).status;
  };
  assert.equal(await give("teacher", "course", course), 201);
  assert.equal(await give("teacher", "course-class", class_id), 201);
  assert.equal(await give("course-coordinator", "course", course), 403);
  const listed = await seen("/v1/role-assignments", coordinator.token);
  assert.equal(listed.length, 3);
});

test("200 · members of both cells do not reveal the other cell", async () => {
  for (const path of [
    `/v1/cell-memberships/${bothInFar}`,
    `/v1/cell-memberships/${bothInFar}/person`,
  ])
    assert.equal((await service.get(path, { as: nora.token })).status, 404, path);
  const all = await seen("/v1/cell-memberships", nora.token);
  assert.ok(all.includes(bothInNorth) && !all.includes(bothInFar));
});
