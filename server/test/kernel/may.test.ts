import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makeCourse } from "../support/make.ts";
import { type Answer, codes, etag, identifiers, one, parameters } from "../support/service.ts";
import { statementsOf } from "../support/statements.ts";
import { book, holding, library, startLibrary } from "./library.ts";

/** `meta[may]`: where it is accepted, and what it shows for derived operations. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const { change } = library(service);

const id = await makeCourse(db, account.id);
const path = `/v1/books/${id}`;
const mayIn = (answer: Answer) => one(answer).meta?.["may"];
const everything = {
  update: ["name", "summary", "category", "order", "is-active", "writers"],
  delete: true,
  actions: {},
};

test("200 · 201 · a resource shows what the caller may do with it, with any fields", async () => {
  for (const query of ["", "&fields[books]=", "&fields[books]=name&include=chapters"])
    assert.deepEqual(mayIn(await service.get(`${path}?meta[may]=true${query}`)), everything);
  const body = book({ name: "Shown" });
  assert.deepEqual(mayIn(await service.post("/v1/books?meta[may]=true", body)), everything);
  const changed = await service.patch(`${path}?meta[may]=true`, book({ name: "Other" }, [], id));
  assert.deepEqual(mayIn(changed), everything);
  for (const answer of [await service.get(path), await change(id, { summary: "x" })])
    assert.equal(one(answer).meta, undefined);
});

test("200 · a list shows whether the caller may create, and nothing for each row", async () => {
  const { document } = await service.get("/v1/books?meta[may]=true");
  assert.deepEqual(document.meta?.["may"], { create: true });
  assert.match(document.links?.["self"] ?? "", /meta%5Bmay%5D=true/);
  for (const { meta } of document.data as { meta: object }[])
    assert.deepEqual(Object.keys(meta), ["etag"]);
  const chapters = await service.get("/v1/chapters?meta[may]=true");
  assert.deepEqual(chapters.document.meta?.["may"], { create: false });
});

test("200 · a reader of one book may do nothing with it, and a writer of one book not create another", async () => {
  const other = await makeCourse(db, account.id);
  const reader = (await holding(service, ["courses:read"], "course", [id])).token;
  const nothing = { update: [], delete: false, actions: {} };
  assert.deepEqual(mayIn(await service.get(`${path}?meta[may]=true`, { as: reader })), nothing);
  const writer = (await holding(service, ["courses:write"], "course", [id])).token;
  assert.deepEqual(mayIn(await service.get(`${path}?meta[may]=true`, { as: writer })), everything);
  const list = await service.get("/v1/books?meta[may]=true", { as: writer });
  assert.deepEqual(list.document.meta?.["may"], { create: false });
  const hidden = await service.get(`/v1/books/${other}?meta[may]=true`, { as: writer });
  assert.deepEqual([hidden.status, codes(hidden)], [404, ["not-found"]]);
});

test("200 · 304 · the ETag covers what the caller may do", async () => {
  const shown = await service.get(`${path}?meta[may]=true`);
  assert.notEqual(etag(shown), etag(await service.get(path)));
  const headers = { "If-None-Match": etag(shown) };
  assert.equal((await service.get(`${path}?meta[may]=true`, { headers })).status, 304);
  assert.equal((await service.get(path, { headers })).status, 200);
  const matching = { headers: { "If-Match": etag(shown) } };
  assert.equal((await change(id, { summary: "Matched" }, matching)).status, 200);
});

test("200 · one statement more finds out all of it, and none for a list", async () => {
  const reader = (await holding(service, ["courses:read", "courses:write"], "course", [id])).token;
  const count = async (address: string) =>
    (await statementsOf(() => service.get(address, { as: reader }))).length;
  await count(path);
  assert.equal((await count(`${path}?meta[may]=true`)) - (await count(path)), 1);
  assert.equal(await count("/v1/books?meta[may]=true"), await count("/v1/books"));
});

test("400 · the parameter is true or absent", async () => {
  const wrong = [
    "meta[may]=",
    "meta[may]=false",
    "meta[may]=TRUE",
    "meta[may]=true,true",
    "meta[may]=1",
    "meta[may]=true&meta[may]=true",
    "meta[may][]=true",
    "meta[may]=%FF",
    "meta[May]=true",
    "meta[__proto__]=true",
    "meta=may",
    "meta[may",
  ];
  for (const query of wrong)
    for (const answer of [
      await service.get(`${path}?${query}`),
      await service.get(`/v1/books?${query}`),
      await service.post(`/v1/books?${query}`, book({ name: "Unread" })),
      await service.patch(`${path}?${query}`, book({ name: "Unread" }, undefined, id)),
    ]) {
      assert.equal(answer.status, 400, `${query} ${answer.text}`);
      assert.match(String(parameters(answer)[0]), /^meta/);
    }
  assert.notEqual(one(await service.get(path)).attributes["name"], "Unread");
});

test("400 · 4xx · other routes do not accept it", async () => {
  const elsewhere = [
    await service.get(`${path}/chapters?meta[may]=true`),
    await service.get(`${path}/created-by?meta[may]=true`),
    await service.get(`${path}/relationships/writers?meta[may]=true`),
    await service.patch(`${path}/relationships/writers?meta[may]=true`, identifiers("people", [])),
    await service.delete(`${path}?meta[may]=true`),
  ];
  for (const answer of elsewhere)
    assert.deepEqual([answer.status, codes(answer)], [400, ["unknown-parameter"]]);
  const absent = await service.get(`/v1/books/${newId()}?meta[may]=true`);
  assert.deepEqual([absent.status, codes(absent)], [404, ["not-found"]]);
});

test("200 · a repeated request returns what the caller could do at the first one", async () => {
  const headers = { "Idempotency-Key": newId() };
  const send = () => service.post("/v1/books?meta[may]=true", book({ name: "Once" }), { headers });
  const first = await send();
  assert.equal((await send()).text, first.text);
});
