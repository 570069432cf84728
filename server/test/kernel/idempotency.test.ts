import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makeAccount, makeCourse } from "../support/make.ts";
import {
  type Answer,
  codes,
  etag,
  eventsOf,
  identifiers,
  one,
  type RequestOptions,
} from "../support/service.ts";
import { book, holding, library, startLibrary } from "./library.ts";

/** Requests that are repeated with an Idempotency-Key. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const books = library(service);

const keyed = (key: string, as?: string): RequestOptions => ({
  headers: { "Idempotency-Key": key },
  ...(as !== undefined && { as }),
});
const create = (attributes: Record<string, unknown>, key: string, as?: string) =>
  books.create(attributes, undefined, keyed(key, as));
const total = async () => (await service.get("/v1/books")).document.meta?.["total"] as number;
const said = ({ status, text, headers }: Answer) => [
  status,
  text,
  headers.get("etag"),
  headers.get("location"),
];
const isReplay = ({ headers }: Answer) => headers.get("idempotent-replay") === "true";
function assertReplays(again: Answer, first: Answer): void {
  assert.deepEqual([...said(again), isReplay(again)], [...said(first), true]);
}
const age = (key: string, interval: string) =>
  db`update idempotency_keys set created_at = now() - ${interval}::interval where key like ${`% ${key}`}`;

test("201 · a repeated request gets the first response and has no second effect", async () => {
  const key = newId();
  const first = await create({ name: "Once", order: 1 }, key);
  assert.deepEqual([first.status, isReplay(first)], [201, false]);
  const before = await total();
  const events = await eventsOf(async () => {
    assertReplays(await create({ name: "Once", order: 1 }, key), first);
    // The order of members does not matter.
    const turned = '{ "data": {"attributes":{"order":1,"name":"Once"},"type":"books"}}';
    assertReplays(await service.post("/v1/books", turned, keyed(key)), first);
  });
  assert.deepEqual([events, await total()], [[], before]);
});

test("409 · a key cannot be reused with another body or another query", async () => {
  const key = newId();
  assert.equal((await create({ name: "First" }, key)).status, 201);
  const before = await total();
  for (const answer of [
    await create({ name: "Second" }, key),
    await create({ name: "First", order: 1 }, key),
    await service.post("/v1/books?include=writers", book({ name: "First" }), keyed(key)),
  ]) {
    assert.deepEqual([answer.status, ...codes(answer)], [409, "idempotency-key-reused"]);
    assert.equal(answer.document.errors?.[0]?.source?.header, "Idempotency-Key");
  }
  assert.equal(await total(), before);
});

test("201 · a key belongs to its person", async () => {
  const key = newId();
  const first = await create({ name: "First" }, key);
  const { token } = await holding(service, ["courses:write"], "account");
  const theirs = await create({ name: "Theirs" }, key, token);
  assert.deepEqual([theirs.status, isReplay(theirs)], [201, false], theirs.text);
  assertReplays(await create({ name: "First" }, key), first);
});

test("201 · a quoted key and the bare one are the same key", async () => {
  for (const [bare, quoted] of [
    ["plain", `"plain"`],
    [String.raw`a"b\c`, String.raw`"a\"b\\c"`],
  ] as const) {
    const first = await create({ name: "Quoted" }, bare);
    assertReplays(await create({ name: "Quoted" }, quoted), first);
  }
  // These are not quoted strings.
  for (const key of [`"`, `"open`, `a"b"`, `"a"b"`]) {
    const answer = await create({ name: "Bare" }, key);
    assert.deepEqual([answer.status, isReplay(answer)], [201, false], answer.text);
  }
  const empty = await create({ name: "Empty" }, `""`);
  assert.deepEqual([empty.status, ...codes(empty)], [400, "invalid-header"]);
});

test("201 · twenty concurrent equal requests have one effect; 409 · of different ones, one succeeds", async () => {
  const before = await total();
  const twenty = (key: string, name: (n: number) => string) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => create({ name: name(n) }, key)));
  let equal: Answer[] = [];
  const events = await eventsOf(async () => {
    equal = await twenty(newId(), () => "Twenty");
  });
  assert.deepEqual(events, ["course.created"]);
  assert.equal(new Set(equal.map((answer) => JSON.stringify(said(answer)))).size, 1);
  assert.equal(equal[0]?.status, 201);
  const different = await twenty(newId(), (n) => `Different ${n}`);
  const statuses = different.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [201, ...Array<number>(19).fill(409)]);
  assert.equal(await total(), before + 2);
});

test("422 · a failed request does not use up its key", async () => {
  for (const wrong of [book({ name: "" }), book({ name: "Refused later" }, [newId()])]) {
    const key = newId();
    assert.equal((await service.post("/v1/books", wrong, keyed(key))).status, 422);
    const right = await create({ name: "Right" }, key);
    assert.deepEqual([right.status, isReplay(right)], [201, false]);
  }
});

test("200 · changes of a resource and its links are repeatable, and keys are per route and method", async () => {
  const id = await makeCourse(db, account.id);
  const options = keyed(newId());
  const headers = { ...options.headers, "If-Match": etag(await service.get(`/v1/books/${id}`)) };
  const rename = (name: string, more?: RequestOptions) => books.change(id, { name }, more);
  const first = await rename("First", { headers });
  await rename("Second");
  // The version that a replay names is stale.
  assertReplays(await rename("First", { headers }), first);
  assert.equal(one(await service.get(`/v1/books/${id}`)).attributes["name"], "Second");

  const path = `/v1/books/${id}/relationships/writers`;
  const body = identifiers("people", [account.administrator.id]);
  const added = await service.post(path, body, options);
  const replaced = await service.patch(path, body, options);
  assert.deepEqual([added, replaced].map(isReplay), [false, false]);
  await service.delete(path, { body });
  assertReplays(await service.post(path, body, options), added);
  assert.deepEqual((await service.get(path)).document.data, []);
});

test("404 · DELETE ignores the key", async () => {
  for (const key of [newId(), "", "x".repeat(129)]) {
    const path = `/v1/books/${await makeCourse(db, account.id)}`;
    assert.equal((await service.delete(path, keyed(key))).status, 204, key);
    assert.equal((await service.delete(path, keyed(key))).status, 404, key);
  }
});

test("401 · 403 · a replay checks the current rights of the caller", async () => {
  const { id, token: as } = await holding(service, ["courses:write"], "account");
  const key = newId();
  assert.equal((await create({ name: "Allowed then" }, key, as)).status, 201);
  await db`delete from role_assignments where person_id = ${id}`;
  const demoted = await create({ name: "Allowed then" }, key, as);
  assert.deepEqual([demoted.status, ...codes(demoted)], [403, "forbidden"]);
  assert.ok(!demoted.text.includes("Allowed then"));
  await db`update people set is_active = false where id = ${id}`;
  const gone = await create({ name: "Allowed then" }, key, as);
  assert.deepEqual([gone.status, ...codes(gone)], [401, "credentials-invalid"]);
});

test("200 · a replay may contain outdated read-only values, 422 · but only for a day", async () => {
  const id = await makeCourse(db, account.id, "Counted");
  const { attributes } = one(await service.get(`/v1/books/${id}`));
  const key = newId();
  const rename = () => books.change(id, { ...attributes, name: "Renamed" }, keyed(key));
  const first = await rename();
  assert.equal(first.status, 200, first.text);
  // The change has replaced the modified-at that this request sends.
  assertReplays(await rename(), first);
  await age(key, "25 hours");
  const late = await rename();
  assert.deepEqual([late.status, ...new Set(codes(late))], [422, "read-only-attribute"]);
});

test("201 · a key is valid for a day and new afterward", async () => {
  const key = newId();
  const first = await create({ name: "Old" }, key);
  await age(key, "23 hours 59 minutes");
  assertReplays(await create({ name: "Old" }, key), first);
  const reused = await create({ name: "Another" }, key);
  assert.deepEqual([reused.status, ...codes(reused)], [409, "idempotency-key-reused"]);
  await age(key, "25 hours");
  const second = await create({ name: "Another" }, key);
  assert.equal(second.status, 201);
  assert.notEqual(one(second).id, one(first).id);
});

test("400 · a key has 1 to 128 characters; 201 · and is the account's own", async () => {
  for (const key of ["", "x".repeat(129)]) {
    const answer = await create({ name: "x" }, key);
    assert.deepEqual([answer.status, ...codes(answer)], [400, "invalid-header"]);
    assert.equal(answer.document.errors?.[0]?.source?.header, "Idempotency-Key");
  }
  const { administrator } = await makeAccount(db);
  for (const key of ["x", "x".repeat(128), "'; drop table idempotency_keys; --", "%00", "é ñ"])
    for (const as of [account.administrator.token, administrator.token]) {
      const answer = await create({ name: "x" }, key, as);
      assert.deepEqual([answer.status, isReplay(answer)], [201, false], key);
    }
});
