import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { limits } from "../../../src/base/limits.ts";
import { makeAccount, makeCourse, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  identifiers,
  ids,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
const [ana, ben, cleo] = [
  (await makePerson(db, account.id)).id,
  (await makePerson(db, account.id)).id,
  (await makePerson(db, account.id)).id,
];
const people = (...these: string[]) => identifiers("people", these);

let course: string;
let path: string;
beforeEach(async () => {
  course = await makeCourse(db, account.id);
  path = `/v1/courses/${course}/relationships/teachers`;
  await service.patch(path, people(ana, ben));
});

const teachers = async () => ids(await service.get(path));

test("200 · the linkage has the identifiers, their number and its links", async () => {
  const answer = await service.get(path);
  assert.equal(answer.status, 200);
  assert.partialDeepStrictEqual(answer.document, {
    ...people(ana, ben),
    meta: { total: 2 },
    links: {
      self: PUBLIC_URL + path,
      related: `${PUBLIC_URL}/v1/courses/${course}/teachers`,
    },
  });
});

test("200 · POST adds who is not there yet, DELETE removes who is, PATCH replaces all", async () => {
  assert.deepEqual(ids(await service.post(path, people(cleo, ana))), [ana, ben, cleo]);
  const removed = await service.delete(path, { body: people(ana, cleo) });
  assert.equal(removed.status, 200);
  assert.deepEqual(await teachers(), [ben]);
  assert.deepEqual(ids(await service.patch(path, people(cleo))), [cleo]);
  assert.deepEqual(ids(await service.patch(path, people())), []);
  assert.deepEqual(await teachers(), []);
});

test("200 · what changes tells course.updated once and gives a new ETag, what does not tells nothing", async () => {
  const tag = async () => etag(await service.get(`/v1/courses/${course}`));
  const before = await tag();
  const none = await eventsOf(async () => {
    await service.post(path, people(ana));
    await service.post(path, people());
    await service.delete(path, { body: people(cleo) });
    await service.patch(path, people(ben, ana));
  });
  assert.deepEqual(none, []);
  assert.equal(await tag(), before);
  assert.deepEqual(await eventsOf(() => service.post(path, people(cleo))), ["course.updated"]);
  assert.notEqual(await tag(), before);
});

test("200 · twenty who add at once are all added", async () => {
  const added = await Promise.all(Array.from({ length: 20 }, () => makePerson(db, account.id)));
  await service.patch(path, people());
  const answers = await Promise.all(added.map(({ id }) => service.post(path, people(id))));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.deepEqual((await teachers()).sort(), added.map(({ id }) => id).sort());
});

test("200 · a changed link is a change of the course: a new version and time, and who made it", async () => {
  const at = `/v1/courses/${course}`;
  const { token, id } = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const whole = document("courses", {}, { id: course, relationships: { teachers: people(ben) } });
  for (const change of [
    () => service.post(path, people(cleo), { as: token }),
    () => service.delete(path, { as: token, body: people(ana) }),
    () => service.patch(path, people(ana), { as: token }),
    () => service.patch(path, people(), { as: token }),
    () => service.patch(at, whole, { as: token }),
  ]) {
    await db`update courses set modified_at = '2020-01-01', modified_by = null where id = ${course}`;
    const before = etag(await service.get(at));
    assert.equal((await change()).status, 200);
    const { attributes, relationships } = one(await service.get(at));
    assert.ok(String(attributes["modified-at"]) > "2026");
    assert.deepEqual(relationships["modified-by"]?.data, { type: "people", id });
    const headers = { "If-Match": before };
    const stale = await service.post(path, people(cleo), { headers });
    assert.deepEqual([stale.status, ...codes(stale)], [409, "stale-version"]);
  }
});

test("200 · twenty who replace at once leave what one of them sent", async () => {
  const sent = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? [ana, ben] : [cleo]));
  const answers = await Promise.all(sent.map((these) => service.patch(path, people(...these))));
  for (const [n, answer] of answers.entries()) assert.deepEqual(ids(answer), sent[n]);
  assert.ok([[ana, ben].join(), cleo].includes((await teachers()).join()));
});

test("409 · of twenty who read the same version one changes the links", async () => {
  const headers = { "If-Match": etag(await service.get(`/v1/courses/${course}`)) };
  const added = await Promise.all(Array.from({ length: 20 }, () => makePerson(db, account.id)));
  const answers = await Promise.all(
    added.map(({ id }) => service.post(path, people(id), { headers })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 409).length, 19);
  assert.equal((await teachers()).length, 3);
});

test("422 · an unknown person or another account's is refused, and nothing changed", async () => {
  for (const id of [newId(), other.administrator.id, "nobody"])
    for (const method of ["POST", "PATCH"]) {
      const answer = await service.request(method, path, { body: people(cleo, id) });
      assert.equal(answer.status, 422, `${method} ${id}`);
      assert.deepEqual(codes(answer), ["invalid-relationship"]);
      assert.deepEqual(pointers(answer), ["/data/1/id"]);
      assert.deepEqual(await teachers(), [ana, ben]);
    }
});

test("422 · each unknown person has its place, also in a document and behind one who stands twice", async () => {
  const data = people(ana, ana, newId(), ben, other.administrator.id, "nobody", "");
  const places = ["2/id", "4/id", "5/id", "6/id"];
  const attributes = { name: "Taught" };
  for (const [method, at] of [
    ["POST", "/v1/courses"],
    ["PATCH", `/v1/courses/${course}`],
  ] as const) {
    const relationships = { teachers: data };
    const body = document("courses", attributes, {
      ...(method === "PATCH" && { id: course }),
      relationships,
    });
    const answer = await service.request(method, at, { body });
    assert.equal(answer.status, 422);
    assert.deepEqual(
      pointers(answer),
      places.map((place) => `/data/relationships/teachers/data/${place}`),
    );
  }
  assert.deepEqual(
    pointers(await service.post(path, data)),
    places.map((place) => `/data/${place}`),
  );
  assert.deepEqual(await teachers(), [ana, ben]);
  assert.deepEqual(ids(await service.patch(path, people(cleo, cleo))), [cleo]);
});

test("422 · ids that none can be are told with everything else that is wrong", async () => {
  const data = [...people(ana, "nobody").data, { type: "courses", id: course }, { id: ana }];
  const relationships = { teachers: { data } };
  const answer = await service.post(
    "/v1/courses",
    document("courses", { name: "" }, { relationships }),
  );
  const places = ["1/id", "2/type", "3"];
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set([
      "/data/attributes/name",
      ...places.map((place) => `/data/relationships/teachers/data/${place}`),
    ]),
  );
  assert.deepEqual(
    new Set(pointers(await service.patch(path, { data }))),
    new Set(places.map((place) => `/data/${place}`)),
  );
});

test("200 · to remove somebody who is absent, or of another account, is to do nothing", async () => {
  const before = await teachers();
  const answer = await service.delete(path, { body: people(newId(), other.administrator.id) });
  assert.equal(answer.status, 200);
  assert.deepEqual(await teachers(), before);
});

test("422 · an id that none can be is a mistake in DELETE too, and nobody is removed", async () => {
  const answer = await service.delete(path, { body: people(ana, "nobody", newId(), "") });
  assert.deepEqual([answer.status, ...new Set(codes(answer))], [422, "invalid-relationship"]);
  assert.deepEqual(pointers(answer), ["/data/1/id", "/data/3/id"]);
  assert.deepEqual(await teachers(), [ana, ben]);
});

test("422 · linkage of another type or shape is refused, each place with its pointer", async () => {
  const answer = await service.post(path, {
    data: [{ type: "courses", id: course }, { id: ana }, { type: "people", id: 5 }, []],
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(pointers(answer), ["/data/0/type", "/data/1", "/data/2", "/data/3"]);
  for (const data of [null, {}, "x", 5, { type: "people", id: ana }])
    assert.deepEqual(pointers(await service.patch(path, { data })), ["/data"]);
  const many = people(...Array.from({ length: limits.relationshipWriteMax + 1 }, newId));
  assert.deepEqual(pointers(await service.post(path, many)), ["/data"]);
  const most = people(...Array.from({ length: limits.relationshipWriteMax }, () => ben));
  assert.equal((await service.post(path, most)).status, 200);
  assert.deepEqual(await teachers(), [ana, ben]);
});

test("405 · what is changed elsewhere is not changed here", async () => {
  for (const name of [
    "created-by",
    "modified-by",
    "lessons",
    "classes",
    "student-materials",
    "teacher-materials",
    "enrollments",
    "requirements",
    "completed-by",
  ])
    for (const method of ["POST", "PATCH", "DELETE"]) {
      const answer = await service.request(method, `/v1/courses/${course}/relationships/${name}`, {
        body: people(ana),
      });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
});

test("404 · of another account's course, or of none, nothing is shown or changed", async () => {
  const foreign = await makeCourse(db, other.id);
  for (const id of [foreign, newId(), "x"])
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const answer = await service.request(method, `/v1/courses/${id}/relationships/teachers`, {
        ...(method !== "GET" && { body: people(ana) }),
      });
      assert.equal(answer.status, 404, `${method} ${id}`);
    }
  assert.equal((await service.get(`/v1/courses/${course}/relationships/friends`)).status, 404);
});

test("403 · a member may not make themselves a teacher", async () => {
  const member = await makePerson(db, account.id);
  const answer = await service.post(path, people(member.id), { as: member.token });
  assert.equal(answer.status, 403);
  assert.deepEqual(await teachers(), [ana, ben]);
});
