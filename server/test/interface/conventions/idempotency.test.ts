import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makeCourse, makePerson } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  eventsOf,
  identifiers,
  one,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const create = (attributes: Record<string, unknown>, key: string, as?: string) =>
  service.post("/v1/courses", document("courses", attributes), {
    headers: { "Idempotency-Key": key },
    ...(as !== undefined && { as }),
  });
const total = async () => (await service.get("/v1/courses")).document.meta?.["total"] as number;
const said = ({ status, text, headers }: Answer) => [
  status,
  text,
  headers.get("etag"),
  headers.get("location"),
];

test("201 · a repeated request gets the first response and has no second effect", async () => {
  const key = newId();
  const first = await create({ name: "Once" }, key);
  assert.equal(first.headers.get("idempotent-replay"), null);
  const before = await total();
  const events = await eventsOf(async () => {
    const again = await create({ name: "Once" }, key);
    assert.deepEqual(said(again), said(first));
    assert.equal(again.headers.get("idempotent-replay"), "true");
  });
  assert.deepEqual(events, []);
  assert.equal(await total(), before);
});

test("201 · the order of members does not matter to a repeated request", async () => {
  const key = newId();
  const headers = { "Idempotency-Key": key };
  const first = await service.post(
    "/v1/courses",
    '{"data":{"type":"courses","attributes":{"name":"x","order":1}}}',
    { headers },
  );
  const again = await service.post(
    "/v1/courses",
    '{ "data": {"attributes":{"order":1,"name":"x"},"type":"courses"}}',
    { headers },
  );
  assert.deepEqual(said(again), said(first));
});

test("409 · a key cannot be reused with another body, another query or by another person", async () => {
  const key = newId();
  assert.equal((await create({ name: "First" }, key)).status, 201);
  const before = await total();
  const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const query = await service.post(
    "/v1/courses?include=teachers",
    document("courses", { name: "First" }),
    {
      headers: { "Idempotency-Key": key },
    },
  );
  for (const answer of [
    await create({ name: "Second" }, key),
    await create({ name: "First", order: 1 }, key),
    await create({ name: "First" }, key, administrator.token),
    query,
  ]) {
    assert.deepEqual([answer.status, ...codes(answer)], [409, "idempotency-key-reused"]);
    assert.equal(answer.document.errors?.[0]?.source?.header, "Idempotency-Key");
  }
  assert.equal(await total(), before);
});

test("201 · twenty concurrent equal requests have one effect and one response", async () => {
  const [before, key] = [await total(), newId()];
  let answers: Answer[] = [];
  const events = await eventsOf(async () => {
    answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: "Twenty" }, key)));
  });
  assert.deepEqual(events, ["course.created"]);
  assert.equal(new Set(answers.map((answer) => JSON.stringify(said(answer)))).size, 1);
  assert.equal(answers[0]?.status, 201);
  assert.equal(await total(), before + 1);
});

test("409 · one of twenty concurrent different requests with one key succeeds", async () => {
  const [before, key] = [await total(), newId()];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => create({ name: `Different ${n}` }, key)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([201, 409]));
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(await total(), before + 1);
});

test("422 · a failed request does not use up its key", async () => {
  const absent = { teachers: { data: [{ type: "people", id: newId() }] } };
  for (const wrong of [
    document("courses", { name: "" }),
    document("courses", { name: "Refused in the transaction" }, { relationships: absent }),
  ]) {
    const key = newId();
    const headers = { "Idempotency-Key": key };
    assert.equal((await service.post("/v1/courses", wrong, { headers })).status, 422);
    const right = await create({ name: "Right" }, key);
    assert.equal(right.status, 201);
    assert.equal(right.headers.get("idempotent-replay"), null);
  }
});

test("200 · PATCH and link changes are repeatable, and a replay returns the original response", async () => {
  const id = await makeCourse(db, account.id);
  const headers = { "Idempotency-Key": newId() };
  const rename = (name: string, more = {}) =>
    service.patch(`/v1/courses/${id}`, document("courses", { name }, { id }), { headers: more });
  const first = await rename("First", headers);
  await rename("Second");
  const again = await rename("First", headers);
  assert.deepEqual(said(again), said(first));
  assert.equal(one(await service.get(`/v1/courses/${id}`)).attributes["name"], "Second");

  const path = `/v1/courses/${id}/relationships/teachers`;
  const teacher = identifiers("people", [account.administrator.id]);
  const added = await service.post(path, teacher, { headers });
  assert.equal(added.status, 200, "keys are per route");
  await service.delete(path, { body: teacher });
  const replayed = await service.post(path, teacher, { headers });
  assert.equal(replayed.text, added.text);
  assert.deepEqual((await service.get(path)).document.data, []);
});

test("404 · DELETE ignores the key", async () => {
  for (const key of [newId(), "", "x".repeat(129)]) {
    const path = `/v1/courses/${await makeCourse(db, account.id)}`;
    const headers = { "Idempotency-Key": key };
    assert.equal((await service.delete(path, { headers })).status, 204, key);
    assert.equal((await service.delete(path, { headers })).status, 404, key);
  }
});

test("200 · a replay is not stale, even though its If-Match is", async () => {
  const id = await makeCourse(db, account.id);
  const path = `/v1/courses/${id}`;
  const headers = { "Idempotency-Key": newId(), "If-Match": etag(await service.get(path)) };
  const body = document("courses", { name: "Guarded" }, { id });
  assert.equal((await service.patch(path, body, { headers })).status, 200);
  const again = await service.patch(path, body, { headers });
  assert.equal(again.status, 200);
  assert.equal(again.headers.get("idempotent-replay"), "true");
});

test("401 · 403 · a replay checks the current rights of the caller", async () => {
  const { id, token: as } = await makePerson(db, account.id, {
    administrativeStatus: "administrator",
  });
  const key = newId();
  const answer = await create({ name: "Allowed then" }, key, as);
  assert.equal(answer.status, 201);
  await db`update people set administrative_status = 'none' where id = ${id}`;
  const demoted = await create({ name: "Allowed then" }, key, as);
  assert.deepEqual([demoted.status, ...codes(demoted)], [403, "forbidden"]);
  assert.ok(!demoted.text.includes("Allowed then"));
  await db`update people set is_active = false where id = ${id}`;
  const gone = await create({ name: "Allowed then" }, key, as);
  assert.deepEqual([gone.status, ...codes(gone)], [401, "credentials-invalid"]);
});

test("200 · a replay may contain outdated read-only values, 422 · but only for a day", async () => {
  const id = await makeCourse(db, account.id, "Counted");
  const read = one(await service.get(`/v1/courses/${id}`));
  const sent = { data: { ...read, attributes: { ...read.attributes, name: "Renamed" } } };
  const key = newId();
  const rename = () =>
    service.patch(`/v1/courses/${id}`, sent, { headers: { "Idempotency-Key": key } });
  const first = await rename();
  assert.equal(first.status, 200, first.text);
  // The change has replaced the modified-at that this request sends.
  const again = await rename();
  assert.deepEqual(said(again), said(first));
  assert.equal(again.headers.get("idempotent-replay"), "true");
  await db`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}`;
  const late = await rename();
  assert.deepEqual([late.status, ...new Set(codes(late))], [422, "read-only-attribute"]);
});

test("400 · a key has 1 to 128 characters", async () => {
  for (const key of ["", "x".repeat(129)]) {
    const answer = await create({ name: "x" }, key);
    assert.deepEqual([answer.status, ...codes(answer)], [400, "invalid-header"]);
    assert.equal(answer.document.errors?.[0]?.source?.header, "Idempotency-Key");
  }
  for (const key of ["x", "x".repeat(128), "'; drop table idempotency_keys; --", "%00", "é ñ"])
    assert.equal((await create({ name: "x" }, key)).status, 201, key);
});

test("201 · accounts and routes have separate keys", async () => {
  const other = await makeAccount(db);
  const key = newId();
  const [mine, theirs] = [
    await create({ name: "Same" }, key),
    await create({ name: "Same" }, key, other.administrator.token),
  ];
  assert.deepEqual([mine.status, theirs.status], [201, 201]);
  assert.notEqual(one(mine).id, one(theirs).id);
  assert.equal(theirs.headers.get("idempotent-replay"), null);

  const headers = { "Idempotency-Key": key };
  const person = await service.post("/v1/people", document("people", { "full-name": "Same" }), {
    headers,
  });
  assert.equal(person.status, 201, person.text);
  const path = `/v1/courses/${one(mine).id}/relationships/teachers`;
  const body = identifiers("people", [account.administrator.id]);
  for (const method of ["POST", "PATCH"]) {
    const answer = await service.request(method, path, { body, headers });
    assert.deepEqual([answer.status, answer.headers.get("idempotent-replay")], [200, null], method);
  }
});

test("201 · a key is valid for a day and new afterward", async () => {
  const key = newId();
  const answer = await create({ name: "Old" }, key);
  const first = one(answer);
  const age = (interval: string) =>
    db`update idempotency_keys set created_at = now() - ${interval}::interval where key = ${key}`;
  await age("23 hours 59 minutes");
  const again = await create({ name: "Old" }, key);
  assert.deepEqual(said(again), said(answer));
  assert.equal(again.headers.get("idempotent-replay"), "true");
  const reused = await create({ name: "Another" }, key);
  assert.deepEqual([reused.status, ...codes(reused)], [409, "idempotency-key-reused"]);

  await age("25 hours");
  const second = await create({ name: "Another" }, key);
  assert.equal(second.status, 201);
  assert.notEqual(one(second).id, first.id);
});

test("400 · a deep document with a key is rejected", async () => {
  for (const member of ["meta", "links", "jsonapi", "included"]) {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = `{"data":{"type":"courses","attributes":{"name":"Deep"}},"${member}":${deep}}`;
    const answer = await service.post("/v1/courses", text, {
      headers: { "Idempotency-Key": newId() },
    });
    assert.deepEqual([answer.status, ...codes(answer)], [400, "too-deep"], member);
  }
});
