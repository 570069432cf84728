import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAssignment, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { makeCell } from "../../support/cells.ts";
import { makeClass } from "../../support/courses.ts";
import { type Answer, codes, document, one, pointers } from "../../support/service.ts";
import { statementsOf } from "../../support/statements.ts";
import { startStage } from "../../conformance/stage.ts";

/** The ids of people who were merged. The stage has a type with required and to-many links to people. */
const service = await startStage();
after(() => service.stop());
const { account, db } = service;

const person = async (): Promise<string> => (await makePerson(db, account.id)).id;
const mergedInto = (answer: Answer) => [
  answer.status,
  codes(answer),
  answer.document.errors?.[0]?.meta?.["merged-into"],
];
const identifier = (id: string) => ({ type: "people", id });
const mergePair = async () => {
  const [kept, removed] = [await person(), await person()];
  assert.equal((await merge(service, kept, [removed])).status, 201);
  return { kept, removed };
};

test("404 · GET, PATCH and DELETE of a merged person name the person who was kept", async () => {
  const { kept, removed } = await mergePair();
  const path = `/v1/people/${removed}`;
  const expected = [404, ["person-merged"], kept];
  assert.deepEqual(mergedInto(await service.get(path)), expected);
  const change = document("people", { occupation: "Baker" }, { id: removed });
  assert.deepEqual(mergedInto(await service.patch(path, change)), expected);
  const invalid = document("people", { occupation: 1 }, { id: removed });
  assert.deepEqual(mergedInto(await service.patch(path, invalid)), expected);
  assert.deepEqual(mergedInto(await service.delete(path)), expected);
  assert.deepEqual(mergedInto(await service.get(`${path}/roles`)), expected);
  assert.deepEqual(mergedInto(await service.get(`${path}/relationships/roles`)), expected);
});

test("404 · a chain of merges leads to the last kept person, and merges follow", async () => {
  const { kept, removed } = await mergePair();
  const last = await person();
  assert.equal((await merge(service, last, [kept])).status, 201);
  for (const id of [removed, kept])
    assert.deepEqual(mergedInto(await service.get(`/v1/people/${id}`)), [
      404,
      ["person-merged"],
      last,
    ]);
  const { attributes } = one(await service.get(`/v1/people/${last}`));
  assert.deepEqual(attributes["merged-ids"], [kept, removed]);
  const list = await service.get(`/v1/person-merges?filter[kept]=${last}`);
  assert.equal(list.document.meta?.["total"], 2);
});

test("404 · deleting the kept person ends the mapping of removed ids", async () => {
  const { kept, removed } = await mergePair();
  assert.equal((await service.delete(`/v1/people/${kept}`)).status, 204);
  for (const id of [removed, kept])
    assert.deepEqual(mergedInto(await service.get(`/v1/people/${id}`)), [
      404,
      ["not-found"],
      undefined,
    ]);
  const merges =
    await db`select from person_merge_removed where account_id = ${account.id} and removed_id = ${removed}`;
  assert.equal(merges.length, 0);
});

test("404 · a caller who cannot read the kept person learns nothing of the merge", async () => {
  const { removed } = await mergePair();
  const { token } = await makePerson(db, account.id);
  const answer = await service.get(`/v1/people/${removed}`, { as: token });
  assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
});

test("201 · a merged id in a relationship means the kept person", async () => {
  const { kept, removed } = await mergePair();
  const made = await service.post(
    "/v1/prayer-requests",
    document(
      "prayer-requests",
      { title: "Surgery" },
      {
        relationships: {
          person: { data: identifier(removed) },
          companions: { data: [identifier(removed), identifier(account.administrator.id)] },
        },
      },
    ),
  );
  assert.equal(made.status, 201, made.text);
  const { id, relationships } = one(made);
  assert.deepEqual(relationships["person"]?.data, identifier(kept));
  const companions = [kept, account.administrator.id].sort().map(identifier);
  assert.deepEqual(relationships["companions"]?.data, companions);

  const path = `/v1/prayer-requests/${id}`;
  const later = await mergePair();
  const change = document(
    "prayer-requests",
    {},
    {
      id,
      relationships: { person: { data: identifier(later.removed) } },
    },
  );
  const changed = await service.patch(path, change);
  assert.deepEqual(one(changed).relationships["person"]?.data, identifier(later.kept));
});

test("200 · a merged id on the route of a relationship means the kept person", async () => {
  const { kept, removed } = await mergePair();
  const path = `/v1/courses/${await makeCourse(db, account.id)}/relationships/teachers`;
  const body = { data: [identifier(removed)] };
  for (const method of ["POST", "PATCH"]) {
    const answer = await service.request(method, path, { body });
    assert.deepEqual([answer.status, answer.document.data], [200, [identifier(kept)]], method);
  }
  const answer = await service.request("DELETE", path, { body });
  assert.deepEqual([answer.status, answer.document.data], [200, []]);
});

test("200 · a merged id in a custom field means the kept person", async () => {
  const { kept, removed } = await mergePair();
  const fields = { people: { mentor: { type: "person" } } };
  await service.patch(
    "/v1/accounts/me",
    document("accounts", { "custom-properties": fields }, { id: account.id }),
  );
  const id = await person();
  const change = document("people", { "custom-properties": { mentor: removed } }, { id });
  const answer = await service.patch(`/v1/people/${id}`, change);
  assert.deepEqual(one(answer).attributes["custom-properties"], { mentor: kept });
});

test("201 · a merged id in an attribute means the kept person", async () => {
  const { kept, removed } = await mergePair();
  const cell = await makeRow(db, "cells", account.id, { name: "North" });
  const attendance = [{ "person-id": removed, "status": "present" }];
  const made = await service.post(
    "/v1/cell-meetings",
    document(
      "cell-meetings",
      { date: "2026-01-07", attendance },
      { relationships: { cell: { data: { type: "cells", id: cell } } } },
    ),
  );
  assert.equal(made.status, 201, made.text);
  const rows = await db<{ person_id: string }[]>`
    select person_id from cell_attendances where account_id = ${account.id} and cell_id = ${cell}`;
  assert.deepEqual(
    rows.map(({ person_id }) => person_id),
    [kept],
  );
});

test("200 · a text that is the id of a merged person stays as it is", async () => {
  const { removed } = await mergePair();
  const id = await person();
  const change = document("people", { occupation: removed }, { id });
  const answer = await service.patch(`/v1/people/${id}`, change);
  assert.equal(one(answer).attributes["occupation"], removed);
});

test("200 · a client sends back what it read, although the author was merged", async () => {
  const { removed } = await mergePair();
  const teacher = await person();
  const body = { title: "Rain" };
  const relationships = { person: { data: identifier(teacher) } };
  const made = one(
    await service.post("/v1/prayer-requests", document("prayer-requests", body, { relationships })),
  );
  await db`
    update prayer_requests set created_by = ${removed}
    where account_id = ${account.id} and id = ${made.id}`;
  const path = `/v1/prayer-requests/${made.id}`;
  const read = one(await service.get(path));
  assert.deepEqual(read.relationships["created-by"]?.data, identifier(removed));
  const { id, attributes, type } = read;
  const links = { "created-by": { data: identifier(removed) } };
  const answer = await service.patch(path, {
    data: { type, id, attributes, relationships: links },
  });
  assert.equal(answer.status, 200, answer.text);
});

test("a write that names people takes as many statements as one that names none", async () => {
  const { removed } = await mergePair();
  const path = `/v1/prayer-requests/${
    one(
      await service.post(
        "/v1/prayer-requests",
        document(
          "prayer-requests",
          { title: "Sun" },
          { relationships: { person: { data: identifier(await person()) } } },
        ),
      ),
    ).id
  }`;
  const statementsFor = async (members: Record<string, unknown>, more: object = {}) => {
    const { length } = await statementsOf(async () => {
      const id = path.split("/").at(-1) as string;
      const answer = await service.patch(
        path,
        document("prayer-requests", members, { id, ...more }),
      );
      assert.equal(answer.status, 200, answer.text);
    });
    return length;
  };
  const naming = (id: string) => ({ relationships: { person: { data: identifier(id) } } });
  const none = await statementsFor({ title: "Wind" });
  assert.equal(await statementsFor({}, naming(await person())), none);
  assert.equal(await statementsFor({}, naming(removed)), none);
});

test("404 · relationships of a person who was merged name the kept person too", async () => {
  const { kept, removed } = await mergePair();
  const path = `/v1/people/${removed}/relationships/tags`;
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const answer = await service.request(method, path, { body: { data: [] } });
    assert.deepEqual(mergedInto(answer), [404, ["person-merged"], kept], method);
  }
});

test("201 · an Idempotency-Key repeats the response to a request with a merged id", async () => {
  const { removed } = await mergePair();
  const headers = { "Idempotency-Key": "merged" };
  const body = document(
    "prayer-requests",
    { title: "Exams" },
    { relationships: { person: { data: identifier(removed) } } },
  );
  const first = await service.post("/v1/prayer-requests", body, { headers });
  const second = await service.post("/v1/prayer-requests", body, { headers });
  assert.deepEqual([second.status, one(second).id], [201, one(first).id]);
});

test("422 · a merge 90 days ago is no longer followed in writes, and the 404 still names it", async () => {
  const { kept, removed } = await mergePair();
  await db`
    update person_merges set created_at = now() - interval '90 days' where account_id = ${account.id} and kept_id = ${kept}`;
  const body = document(
    "prayer-requests",
    { title: "Travel" },
    { relationships: { person: { data: identifier(removed) } } },
  );
  const answer = await service.post("/v1/prayer-requests", body);
  assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/relationships/person/data"]]);
  assert.deepEqual(mergedInto(await service.get(`/v1/people/${removed}`)), [
    404,
    ["person-merged"],
    kept,
  ]);
});

test("201 · rows of every type follow, and the links of joining tables are kept once", async () => {
  const [kept, removed] = [await person(), await person()];
  const made = await service.post(
    "/v1/prayer-requests",
    document(
      "prayer-requests",
      { title: "Work" },
      {
        relationships: {
          person: { data: identifier(removed) },
          companions: { data: [kept, removed].map(identifier) },
        },
      },
    ),
  );
  const { attributes } = one(await merge(service, kept, [removed]));
  assert.deepEqual(attributes["moved-counts"], { "prayer-requests": 1 });
  const { relationships } = one(await service.get(`/v1/prayer-requests/${one(made).id}`));
  assert.deepEqual(relationships["person"]?.data, identifier(kept));
  assert.deepEqual(relationships["companions"]?.data, [identifier(kept)]);
});

test("201 · no row names a removed person except as its author, in merges and in history", async () => {
  const [kept, removed] = [await person(), await person()];
  await makeAssignment(db, account.id, { personId: removed, role: "secretary" });
  await makeRow(db, "cells", account.id, { name: "Theirs", created_by: removed });
  assert.equal((await merge(service, kept, [removed])).status, 201);
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^journal_'`;
  const naming: string[] = [];
  for (const { name } of tables) {
    const rows = await db`
      select from ${db(name)} row
      where (to_jsonb(row) - ${["created_by", "modified_by"]}::text[])::text like ${`%${removed}%`} limit 1`;
    if (rows.length > 0) naming.push(name);
  }
  assert.deepEqual(naming.sort(), ["people", "person_merge_removed"]);
});

test("409 · a right is not given to the person who was kept, whatever route names the merged one", async () => {
  const { kept, removed } = await mergePair();
  const cell = await makeCell(db, account.id);
  const teacher = (id: string) => ({ data: [identifier(id)] });
  const course = await makeCourse(db, account.id);
  const courseClass = await makeClass(db, account.id, course);
  const teachers = `/v1/course-classes/${courseClass}/relationships/teachers`;
  const [role] = await db<{ id: string }[]>`
    select id from roles where account_id = ${account.id} and code = 'secretary'`;
  const expected = [409, ["person-merged"], kept];
  const link = (type: string, id: string) => ({ data: { type, id } });
  const asLeader = (id: string, cellRole: string) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": cellRole },
        { relationships: { cell: link("cells", cell), person: link("people", id) } },
      ),
    );
  const asHolder = (id: string) =>
    service.post(
      "/v1/role-assignments",
      document(
        "role-assignments",
        { "scope-type": "account" },
        { relationships: { role: link("roles", role?.id ?? ""), person: link("people", id) } },
      ),
    );
  assert.deepEqual(mergedInto(await asHolder(removed)), expected);
  assert.deepEqual(mergedInto(await asLeader(removed, "leader")), expected);
  assert.deepEqual(mergedInto(await service.post(teachers, teacher(removed))), expected);
  assert.deepEqual(mergedInto(await service.patch(teachers, teacher(removed))), expected);
  // A caller who cannot read the kept person does not learn who that is.
  const coordinator = await makePerson(db, account.id);
  const scope = { scopeType: "course", scopeIds: [course] };
  await makeAssignment(db, account.id, {
    personId: coordinator.id,
    role: "course-coordinator",
    ...scope,
  });
  const scoped = await service.post(teachers, teacher(removed), { as: coordinator.token });
  assert.deepEqual(mergedInto(scoped), [409, ["person-merged"], undefined]);

  assert.equal((await asHolder(kept)).status, 201);
  assert.equal((await asLeader(removed, "participant")).status, 201);
  assert.equal((await service.post(teachers, teacher(kept))).status, 200);
  const taken = await service.delete(teachers, { body: teacher(removed) });
  assert.equal(taken.status, 200, taken.text);
});
