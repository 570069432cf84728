import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAssignment, makeAccount, makeCourse, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  identifiers,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);

const read = async (id: string) => one(await service.get(`/v1/courses/${id}`));
const patch = (
  id: string,
  attributes: Record<string, unknown>,
  options: Parameters<typeof service.patch>[2] = {},
) => service.patch(`/v1/courses/${id}`, document("courses", attributes, { id }), options);

test("200 · only the attributes that are sent change, and course.updated is captured once", async () => {
  const id = await makeCourse(db, account.id);
  const before = await read(id);
  const events = await eventsOf(async () => {
    const answer = await patch(id, { "name": "Renamed", "is-active": false });
    assert.equal(answer.status, 200);
    assert.deepEqual(one(answer), await read(id));
  });
  assert.deepEqual(events, ["course.updated"]);
  const { attributes, relationships } = await read(id);
  const { "modified-at": modified, ...rest } = attributes;
  const { "modified-at": created, ...old } = before.attributes;
  assert.deepEqual(rest, { ...old, "name": "Renamed", "is-active": false });
  assert.ok(String(modified) > String(created));
  assert.deepEqual(relationships["modified-by"]?.data, {
    type: "people",
    id: account.administrator.id,
  });
  assert.deepEqual(relationships["created-by"]?.data, null);
});

test("200 · a PATCH with the current values captures no event and keeps the ETag", async () => {
  const id = await makeCourse(db, account.id, "Same");
  const before = etag(await service.get(`/v1/courses/${id}`));
  for (const attributes of [{}, { name: "Same" }, { "price": null, "is-active": true }]) {
    const events = await eventsOf(async () => {
      const answer = await patch(id, attributes);
      assert.equal(answer.status, 200);
      assert.equal(etag(answer), before);
    });
    assert.deepEqual(events, []);
  }
  assert.equal(etag(await service.get(`/v1/courses/${id}`)), before);
});

test("200 · null clears an optional attribute, also the currency of a price", async () => {
  const id = await makeCourse(db, account.id);
  await patch(id, { "price": 100, "price-currency": "EUR", "summary": "x" });
  const answer = await patch(id, { "price": null, "price-currency": null, "summary": null });
  assert.partialDeepStrictEqual(one(answer).attributes, {
    "price": null,
    "price-currency": null,
    "summary": null,
  });
  await patch(id, { "price": 100, "price-currency": "EUR" });
  const priced = await patch(id, { "price-currency": null });
  assert.partialDeepStrictEqual(one(priced).attributes, { "price": 100, "price-currency": null });
});

test("200 · If-Match accepts the ETag of the current version, with any sparse fieldset", async () => {
  const id = await makeCourse(db, account.id);
  const shaped = etag(await service.get(`/v1/courses/${id}?fields[courses]=name`));
  const first = await patch(id, { name: "First" }, { headers: { "If-Match": shaped } });
  assert.equal(first.status, 200);
  const second = await patch(id, { name: "Second" }, { headers: { "If-Match": etag(first) } });
  assert.equal(second.status, 200);
  assert.equal((await patch(id, { name: "Third" }, { headers: { "If-Match": "*" } })).status, 200);
});

test("400 · a malformed If-Match is rejected as malformed, not as stale", async () => {
  const id = await makeCourse(db, account.id);
  const path = `/v1/courses/${id}`;
  const fresh = etag(await service.get(path));
  const teacher = identifiers("people", [account.administrator.id]);
  for (const sent of [
    fresh.replaceAll('"', ""),
    fresh.slice(1),
    "*, *",
    `${fresh} ${fresh}`,
    "W/",
    "",
  ]) {
    const headers = { "If-Match": sent };
    for (const answer of [
      await patch(id, { name: "Lost" }, { headers }),
      await service.delete(path, { headers }),
      await service.post(`${path}/relationships/teachers`, teacher, { headers }),
    ]) {
      assert.deepEqual([answer.status, ...codes(answer)], [400, "invalid-header"], sent);
      assert.equal(answer.document.errors?.[0]?.source?.header, "If-Match");
    }
  }
  assert.equal(etag(await service.get(path)), fresh);
});

test("409 · a stale If-Match changes nothing", async () => {
  const id = await makeCourse(db, account.id);
  const path = `/v1/courses/${id}`;
  const stale = etag(await service.get(path));
  const fresh = etag(await patch(id, { name: "Newer" }));
  const teacher = identifiers("people", [account.administrator.id]);
  const events = await eventsOf(async () => {
    for (const sent of [stale, '"nonsense"', '""', `W/${fresh}`, `${stale}, ${fresh}`]) {
      const headers = { "If-Match": sent };
      const answer = await patch(id, { name: "Lost" }, { headers });
      assert.equal(answer.status, 409, sent);
      assert.deepEqual(codes(answer), ["stale-version"]);
      assert.equal(answer.document.errors?.[0]?.source?.header, "If-Match");
      const unchanged = await patch(id, { name: "Newer" }, { headers });
      assert.equal(unchanged.status, 409, "also where nothing would change");
      const link = await service.post(`${path}/relationships/teachers`, teacher, { headers });
      assert.equal(link.status, 409);
    }
  });
  assert.deepEqual(events, []);
  assert.equal(etag(await service.get(path)), fresh);
});

test("409 · one of twenty concurrent changes to one version succeeds", async () => {
  const id = await makeCourse(db, account.id);
  const headers = { "If-Match": etag(await service.get(`/v1/courses/${id}`)) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => patch(id, { name: `Course ${number}` }, { headers })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 409).length, 19);
});

test("200 · teachers in a PATCH replace the current teachers", async () => {
  const id = await makeCourse(db, account.id);
  const [first, second] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const set = (these: string[]) =>
    service.patch(
      `/v1/courses/${id}`,
      document("courses", {}, { id, relationships: { teachers: identifiers("people", these) } }),
    );
  await set([first.id]);
  const events = await eventsOf(async () => {
    const answer = await set([second.id]);
    assert.deepEqual(one(answer).relationships["teachers"]?.data, [
      { type: "people", id: second.id },
    ]);
    await set([second.id]);
  });
  assert.deepEqual(events, ["course.updated"]);
});

test("422 · one invalid member prevents every change", async () => {
  const id = await makeCourse(db, account.id);
  const before = await read(id);
  const bad: Parameters<typeof document>[] = [
    ["courses", { name: "Half", price: "free" }, { id }],
    [
      "courses",
      { name: "Half" },
      { id, relationships: { teachers: identifiers("people", [newId()]) } },
    ],
    [
      "courses",
      { name: "Half" },
      { id, relationships: { teachers: identifiers("people", [other.administrator.id]) } },
    ],
  ];
  for (const parts of bad) {
    const answer = await service.patch(`/v1/courses/${id}`, document(...parts));
    assert.equal(answer.status, 422);
    assert.ok(pointers(answer)[0]?.startsWith("/data/"));
  }
  assert.deepEqual(await read(id), before);
});

test("200 · concurrent changes to different attributes all survive, each with an event", async () => {
  const id = await makeCourse(db, account.id);
  const changes = { "summary": "x", "code": "C-1", "order": 4, "category": "Basics" };
  const events = await eventsOf(async () => {
    const answers = await Promise.all(
      Object.entries(changes).map(([name, value]) => patch(id, { [name]: value })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
  });
  assert.deepEqual(events, Array(4).fill("course.updated"));
  assert.partialDeepStrictEqual((await read(id)).attributes, changes);
});

test("404 · a course of another account is absent, even if the version, type or id is wrong too", async () => {
  const id = await makeCourse(db, other.id, "Theirs");
  const path = `/v1/courses/${id}`;
  const headers = { "If-Match": '"9-stale"' };
  for (const answer of [
    await patch(id, { name: "Mine" }, { headers }),
    await service.patch(path, document("people", {}, { id })),
    await service.patch(path, document("courses", {}, { id: newId() })),
    await service.delete(path, { headers }),
    await service.post(`${path}/relationships/teachers`, identifiers("courses", [id])),
    await service.patch(`${path}/relationships/teachers`, identifiers("people", []), { headers }),
  ])
    assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
});

test("403 · a caller without write access cannot find out whether a course exists", async () => {
  const { token: as } = await makePerson(db, account.id);
  const headers = { "If-Match": '"9-stale"' };
  const wrong = document("people", { name: "" }, { id: newId() });
  for (const id of [await makeCourse(db, account.id), newId(), "x"])
    for (const answer of [
      await service.post("/v1/courses", wrong, { as }),
      await service.patch(`/v1/courses/${id}`, wrong, { as, headers }),
      await service.delete(`/v1/courses/${id}`, { as, headers }),
      await service.post(`/v1/courses/${id}/relationships/teachers`, { data: 5 }, { as, headers }),
    ])
      assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], id);
  const read = async (path: string) =>
    (await service.get(`/v1/person-duplicates/${path}`, { as })).status;
  for (const path of ["", "/people", "/relationships/people"])
    assert.deepEqual([await read(newId() + path), await read(`x${path}`)], [403, 403]);
});

test("403 · a caller with write access to another course learns nothing about mistakes or versions", async () => {
  const [own, theirs] = [await makeCourse(db, account.id), await makeCourse(db, account.id)];
  const { id: personId, token: as } = await makePerson(db, account.id);
  const coordinator = { personId, role: "course-coordinator" };
  await makeAssignment(db, account.id, { ...coordinator, scopeType: "course", scopeIds: [own] });
  for (const [id, status] of [
    [own, [422, 409]],
    [theirs, [403, 403]],
    [newId(), [404, 404]],
  ] as const) {
    const unknown = document("courses", { nonsense: 1 }, { id });
    const other = document("people", {}, { id });
    const answers = await Promise.all(
      [unknown, other].map((sent) => service.patch(`/v1/courses/${id}`, sent, { as })),
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      status,
    );
  }
  const headers = { "If-Match": '"9-stale"' };
  assert.equal((await patch(own, { name: "Mine" }, { as, headers })).status, 409);
  assert.equal((await patch(theirs, { name: "Mine" }, { as, headers })).status, 403);
});
