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

test("200 · linkage has identifiers, a total and links", async () => {
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

test("200 · POST adds missing identifiers, DELETE removes present ones, PATCH replaces all", async () => {
  assert.deepEqual(ids(await service.post(path, people(cleo, ana))), [ana, ben, cleo]);
  const removed = await service.delete(path, { body: people(ana, cleo) });
  assert.equal(removed.status, 200);
  assert.deepEqual(await teachers(), [ben]);
  assert.deepEqual(ids(await service.patch(path, people(cleo))), [cleo]);
  assert.deepEqual(ids(await service.patch(path, people())), []);
  assert.deepEqual(await teachers(), []);
});

test("200 · a changed link captures course.updated and changes the ETag, an unchanged link does neither", async () => {
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

test("200 · twenty concurrent additions all survive", async () => {
  const added = await Promise.all(Array.from({ length: 20 }, () => makePerson(db, account.id)));
  await service.patch(path, people());
  const answers = await Promise.all(added.map(({ id }) => service.post(path, people(id))));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.deepEqual((await teachers()).sort(), added.map(({ id }) => id).sort());
});

test("200 · a changed link gives the course a new version, modified-at and modified-by", async () => {
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

test("409 · one of twenty concurrent link changes to one version succeeds", async () => {
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

test("422 · each unknown identifier has its own pointer, also after a duplicate", async () => {
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

test("422 · malformed ids are reported together with every other mistake", async () => {
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

test("200 · removing an identifier that is absent or of another account does nothing", async () => {
  const before = await teachers();
  const answer = await service.delete(path, { body: people(newId(), other.administrator.id) });
  assert.equal(answer.status, 200);
  assert.deepEqual(await teachers(), before);
});

test("422 · DELETE rejects a malformed id and removes no link", async () => {
  const answer = await service.delete(path, { body: people(ana, "nobody", newId(), "") });
  assert.deepEqual([answer.status, ...new Set(codes(answer))], [422, "invalid-relationship"]);
  assert.deepEqual(pointers(answer), ["/data/1/id", "/data/3/id"]);
  assert.deepEqual(await teachers(), [ana, ben]);
});

test("422 · linkage of another type or shape is rejected with its pointers", async () => {
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
