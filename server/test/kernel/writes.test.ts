import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import { makeAccount, makeCourse, makePerson, makeRow } from "../support/make.ts";
import {
  codes,
  etag,
  eventsOf,
  identifiers,
  ids,
  many,
  one,
  pointers,
  PUBLIC_URL,
} from "../support/service.ts";
import { book, holding, library, startLibrary } from "./library.ts";

/** Creations, changes, links, deletions and the versions that they compare. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const { change, create } = library(service);
const other = await makeAccount(db);
const [ana, ben, cleo] = [
  (await makePerson(db, account.id)).id,
  (await makePerson(db, account.id)).id,
  (await makePerson(db, account.id)).id,
];
const people = (...these: string[]) => identifiers("people", these);
const me = { type: "people", id: account.administrator.id };

const get = (id: string) => service.get(`/v1/books/${id}`);
const read = async (id: string) => one(await get(id));
const links = (id: string) => `/v1/books/${id}/relationships/writers`;
/** A book that Ana and Ben wrote. */
const written = async (): Promise<string> => one(await create({ name: "Written" }, [ana, ben])).id;
const writersOf = async (id: string) => ids(await service.get(links(id)));
const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

/** One of these requests succeeds, and the others get 409. */
async function oneOf(requests: ReturnType<typeof service.post>[]): Promise<void> {
  const statuses = (await Promise.all(requests))
    .map(({ status }) => status)
    .toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, ...times(requests.length - 1, () => 409)]);
}

test("201 · attributes that are not sent have their default, and the caller is the author", async () => {
  const { attributes, relationships } = one(await create({ name: "Short" }));
  const { "created-at": created, "modified-at": modified, ...rest } = attributes;
  assert.deepEqual(rest, {
    "name": "Short",
    "summary": null,
    "category": null,
    "order": null,
    "is-active": true,
    "chapters-count": 0,
  });
  assert.match(String(created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(modified, created);
  assert.deepEqual(relationships["created-by"]?.data, me);
  assert.deepEqual(relationships["modified-by"]?.data, me);
});

test("200 · only the members that are sent change, null clears one, and one event is captured", async () => {
  const id = await makeCourse(db, account.id);
  await change(id, { category: "A", order: 1 });
  const before = (await read(id)).attributes;
  const sent = { "name": "Renamed", "is-active": false, "category": null };
  const events = await eventsOf(async () => {
    assert.deepEqual(one(await change(id, sent)), await read(id));
  });
  assert.deepEqual(events, ["course.updated"]);
  const { attributes, relationships } = await read(id);
  assert.ok(String(attributes["modified-at"]) > String(before["modified-at"]));
  assert.deepEqual({ ...attributes, "modified-at": 0 }, { ...before, ...sent, "modified-at": 0 });
  assert.deepEqual(relationships["modified-by"]?.data, me);
  assert.equal(relationships["created-by"]?.data, null);
});

test("200 · a change to the current values captures no event and keeps the ETag", async () => {
  const id = await written();
  const before = etag(await get(id));
  const events = await eventsOf(async () => {
    for (const same of [{}, { name: "Written" }, { "summary": null, "is-active": true }])
      assert.equal(etag(await change(id, same)), before);
    await service.patch(`/v1/books/${id}`, book({}, [ben, ana], id));
    await service.post(links(id), people(ana));
    await service.post(links(id), people());
    await service.delete(links(id), { body: people(cleo, newId(), other.administrator.id) });
    await service.patch(links(id), people(ben, ana));
  });
  assert.deepEqual([events, etag(await get(id))], [[], before]);
});

test("200 · If-Match accepts the ETag of the current version, with any fields, and *", async () => {
  const id = await makeCourse(db, account.id);
  const shaped = etag(await service.get(`/v1/books/${id}?fields[books]=name`));
  const first = await change(id, { name: "1" }, { headers: { "If-Match": shaped } });
  assert.equal(first.status, 200);
  for (const tag of [etag(first), "*"])
    assert.equal((await change(id, { name: tag }, { headers: { "If-Match": tag } })).status, 200);
});

test("200 · 409 · If-Match accepts meta.etag of a list", async () => {
  const id = await makeCourse(db, account.id);
  const [listed] = many(await service.get(`/v1/books?filter[id]=${id}&fields[books]=name`));
  const headers = { "If-Match": String(listed?.meta?.["etag"]) };
  assert.equal((await change(id, { name: "From the list" }, { headers })).status, 200);
  const late = await change(id, { name: "Late" }, { headers });
  assert.deepEqual([late.status, ...codes(late)], [409, "stale-version"]);
});

test("409 · a stale If-Match changes nothing; 400 · a malformed one is not stale", async () => {
  const id = await written();
  const stale = etag(await get(id));
  const fresh = etag(await change(id, { name: "Newer" }));
  const wrong: [expected: unknown[], ...sent: string[]][] = [
    [[409, "stale-version"], stale, '"nonsense"', '""', `W/${fresh}`, `${stale}, ${fresh}`],
    [
      [400, "invalid-header"],
      fresh.replaceAll('"', ""),
      fresh.slice(1),
      "*, *",
      `${fresh} ${fresh}`,
      "W/",
      "",
    ],
  ];
  const events = await eventsOf(async () => {
    for (const [expected, ...sent] of wrong)
      for (const tag of sent) {
        const headers = { "If-Match": tag };
        for (const answer of [
          await change(id, { name: "Lost" }, { headers }),
          await change(id, { name: "Newer" }, { headers }),
          await service.post(links(id), people(cleo), { headers }),
          await service.delete(`/v1/books/${id}`, { headers }),
        ]) {
          assert.deepEqual([answer.status, ...codes(answer)], expected, tag);
          assert.equal(answer.document.errors?.[0]?.source?.header, "If-Match");
        }
      }
  });
  assert.deepEqual([events, etag(await get(id))], [[], fresh]);
});

test("409 · one of twenty concurrent changes, or changes of links, to one version succeeds", async () => {
  const id = await written();
  const guarded = async () => ({ headers: { "If-Match": etag(await get(id)) } });
  const first = await guarded();
  await oneOf(times(20, (n) => change(id, { name: `Book ${n}` }, first)));
  const added = await Promise.all(times(20, () => makePerson(db, account.id)));
  const second = await guarded();
  await oneOf(added.map((person) => service.post(links(id), people(person.id), second)));
  assert.equal((await writersOf(id)).length, 3);
});

test("200 · concurrent changes of different members, and additions of links, all survive", async () => {
  const id = one(await create({ name: "Busy" })).id;
  const changes = { summary: "x", category: "C", order: 4, name: "Busier" };
  const events = await eventsOf(() =>
    Promise.all(Object.entries(changes).map(([name, value]) => change(id, { [name]: value }))),
  );
  assert.deepEqual(events, Array(4).fill("course.updated"));
  assert.partialDeepStrictEqual((await read(id)).attributes, changes);
  const added = await Promise.all(times(20, () => makePerson(db, account.id)));
  await Promise.all(added.map((person) => service.post(links(id), people(person.id))));
  assert.deepEqual((await writersOf(id)).sort(), added.map((person) => person.id).sort());
});

test("200 · linkage has identifiers, a total and links; POST adds, DELETE removes, PATCH replaces", async () => {
  const id = await written();
  const path = links(id);
  assert.partialDeepStrictEqual((await service.get(path)).document, {
    ...people(ana, ben),
    meta: { total: 2 },
    links: { self: PUBLIC_URL + path, related: `${PUBLIC_URL}/v1/books/${id}/writers` },
  });
  assert.deepEqual(ids(await service.post(path, people(cleo, ana, cleo))), [ana, ben, cleo]);
  assert.deepEqual(ids(await service.delete(path, { body: people(ana, cleo) })), [ben]);
  assert.deepEqual(ids(await service.patch(path, people(cleo, cleo))), [cleo]);
  assert.deepEqual(ids(await service.patch(path, people())), []);
  const whole = await service.patch(`/v1/books/${id}`, book({}, [ben], id));
  assert.deepEqual(one(whole).relationships["writers"]?.data, people(ben).data);
  assert.deepEqual(await writersOf(id), [ben]);
});

test("200 · a changed link gives the resource a new version, time and author, and one event", async () => {
  const id = await written();
  const editor = await holding(service, ["courses:write", "people:read"], "account");
  const as = editor.token;
  for (const write of [
    () => service.post(links(id), people(cleo), { as }),
    () => service.delete(links(id), { as, body: people(ana) }),
    () => service.patch(links(id), people(ana), { as }),
    () => service.patch(links(id), people(), { as }),
    () => service.patch(`/v1/books/${id}`, book({}, [ben], id), { as }),
  ]) {
    await db`update courses set modified_at = '2020-01-01', modified_by = null where id = ${id}`;
    const headers = { "If-Match": etag(await get(id)) };
    assert.deepEqual(await eventsOf(write), ["course.updated"]);
    const { attributes, relationships } = await read(id);
    assert.ok(String(attributes["modified-at"]) > "2026");
    assert.deepEqual(relationships["modified-by"]?.data, { type: "people", id: editor.id });
    const stale = await service.post(links(id), people(cleo), { headers });
    assert.deepEqual([stale.status, ...codes(stale)], [409, "stale-version"]);
  }
});

test("200 · a full replacement keeps the links that the caller cannot read; 422 · and adds none", async () => {
  const id = one(await create({ name: "Ghostwritten" }, [ana])).id;
  const { token: as } = await holding(service, ["courses:write", "people:read"], "course", [id]);
  const shown = await service.patch(links(id), people(), { as });
  assert.deepEqual([shown.status, ids(shown)], [200, []]);
  assert.deepEqual(await writersOf(id), [ana]);
  for (const those of [people(ana), people(ben)]) {
    const answer = await service.post(links(id), those, { as });
    assert.deepEqual([answer.status, ...codes(answer)], [422, "invalid-relationship"]);
  }
});

test("200 · a whole resource is sent back as it was read, 422 · and a read-only member that differs is named", async () => {
  const id = await makeCourse(db, account.id);
  for (const number of [1, 2])
    await makeRow(db, "course_lessons", account.id, { course_id: id, name: "One", number });
  const path = `/v1/books/${id}`;
  const read = one(await service.get(path));
  const renamed = { ...read, attributes: { ...read.attributes, name: "Renamed" } };
  assert.equal(one(await service.patch(path, { data: renamed })).attributes["name"], "Renamed");
  const tag = etag(await service.get(path));
  const turned = { data: ((read.relationships["chapters"]?.data ?? []) as []).toReversed() };
  assert.equal(turned.data.length, 2);
  for (const chapters of [turned, { links: read.relationships["chapters"]?.links }]) {
    const relationships = { chapters };
    const answer = await service.patch(path, { data: { type: "books", id, relationships } });
    assert.deepEqual([answer.status, etag(answer)], [200, tag], answer.text);
  }
  const wrong = { chapters: { data: [{ type: "chapters", id }] } };
  const attributes = { "chapters-count": 7, "name": "Lost" };
  const data = { type: "books", id, attributes, relationships: wrong };
  const refused = await service.patch(path, { data });
  assert.deepEqual(codes(refused), ["read-only-attribute", "read-only-attribute"]);
  assert.deepEqual(pointers(refused), [
    "/data/attributes/chapters-count",
    "/data/relationships/chapters",
  ]);
  assert.equal(etag(await service.get(path)), tag);
});

test("422 · one invalid member prevents every change", async () => {
  const id = await written();
  const before = await read(id);
  for (const body of [
    book({ name: "Half", order: "first" }, undefined, id),
    book({ name: "Half" }, [newId()], id),
    book({ name: "Half" }, [other.administrator.id], id),
  ]) {
    const answer = await service.patch(`/v1/books/${id}`, body);
    assert.equal(answer.status, 422);
    assert.ok(pointers(answer)[0]?.startsWith("/data/"));
  }
  assert.deepEqual(await read(id), before);
});

test("422 · one response reports every invalid attribute, each with its pointer and code", async () => {
  const answer = await create({
    "name": "",
    "summary": 5,
    "order": 1.5,
    "is-active": "yes",
    "created-at": "2026-01-01T00:00:00.000Z",
    "chapters-count": 3,
    "colour": "blue",
  });
  const found = (answer.document.errors ?? []).map(({ code, source }) => [
    source?.pointer?.replace("/data/attributes/", ""),
    code.replace("-attribute", ""),
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    "name": "invalid",
    "summary": "invalid",
    "order": "invalid",
    "is-active": "invalid",
    "created-at": "read-only",
    "chapters-count": "read-only",
    "colour": "unknown",
  });
  // A length counts code points, so accents and joined emoji count too.
  for (const name of [`a${"\u0483".repeat(10_000)}`, "👨‍👩‍👧".repeat(201)])
    assert.deepEqual(pointers(await create({ name })), ["/data/attributes/name"]);
});

test("422 · unknown, read-only and malformed relationships are rejected with their pointers", async () => {
  const send = (relationships: Record<string, unknown>) =>
    service.post("/v1/books", {
      data: { type: "books", attributes: { name: "" }, relationships },
    });
  const answer = await send({
    "friends": { data: [] },
    "created-by": { data: me },
    "chapters": { data: [] },
    "writers": { data: [{ type: "books", id: ana }, { type: "people" }, null, { ...me, id: "x" }] },
  });
  const writers = ["0/type", "1", "2", "3/id"].map((place) => `writers/data/${place}`);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set([
      "/data/attributes/name",
      ...["friends", "created-by", "chapters", ...writers].map(
        (place) => `/data/relationships/${place}`,
      ),
    ]),
  );
  for (const wrong of [null, [], {}, { data: null }, { data: {} }, { links: {} }])
    assert.ok(codes(await send({ writers: wrong })).includes("invalid-relationship"));
});

test("422 · each identifier that names nothing has its own pointer, also after a duplicate", async () => {
  const id = await written();
  const data = [ana, ana, newId(), ben, other.administrator.id, "nobody", ""];
  const places = (at: string) => [2, 4, 5, 6].map((place) => `${at}/${place}/id`);
  for (const answer of [
    await create({ name: "Taught" }, data),
    await service.patch(`/v1/books/${id}`, book({}, data, id)),
  ])
    assert.deepEqual(pointers(answer), places("/data/relationships/writers/data"));
  assert.deepEqual(pointers(await service.post(links(id), people(...data))), places("/data"));
  const removed = await service.delete(links(id), { body: people(ana, "nobody", newId(), "") });
  assert.deepEqual([removed.status, ...pointers(removed)], [422, "/data/1/id", "/data/3/id"]);
  assert.deepEqual(await writersOf(id), [ana, ben]);
});

test("422 · linkage of another type, shape or length is rejected with its pointers", async () => {
  const id = await written();
  const answer = await service.patch(links(id), {
    data: [{ type: "books", id }, { id: ana }, { type: "people", id: 5 }, []],
  });
  assert.deepEqual(pointers(answer), ["/data/0/type", "/data/1", "/data/2", "/data/3"]);
  for (const data of [null, {}, "x", 5, { type: "people", id: ana }])
    assert.deepEqual(pointers(await service.patch(links(id), { data })), ["/data"]);
  const length = (count: number, make: () => string) =>
    service.post(links(id), people(...times(count, make)));
  assert.deepEqual(pointers(await length(limits.relationshipWriteMax + 1, newId)), ["/data"]);
  assert.equal((await length(limits.relationshipWriteMax, () => ben)).status, 200);
  assert.deepEqual(await writersOf(id), [ana, ben]);
});

test("404 · a resource of another account is absent, even if the version, type or id is wrong too", async () => {
  const id = await makeCourse(db, other.id, "Theirs");
  const headers = { "If-Match": '"9-stale"' };
  for (const answer of [
    await change(id, { name: "Mine" }, { headers }),
    await service.patch(`/v1/books/${id}`, { data: { type: "people", id } }),
    await service.patch(`/v1/books/${id}`, book({}, undefined, newId())),
    await service.delete(`/v1/books/${id}`, { headers }),
    await service.post(links(id), identifiers("books", [id])),
    await service.patch(links(id), people(), { headers }),
  ])
    assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
});

test("403 · a caller without write access cannot find out whether a resource exists", async () => {
  const { token: as } = await holding(service, ["courses:read"], "account");
  const headers = { "If-Match": '"9-stale"' };
  const wrong = { data: { type: "people", id: newId(), attributes: { name: "" } } };
  for (const id of [await makeCourse(db, account.id), newId(), "x"])
    for (const answer of [
      await service.post("/v1/books", wrong, { as }),
      await service.patch(`/v1/books/${id}`, wrong, { as, headers }),
      await service.delete(`/v1/books/${id}`, { as, headers }),
      await service.post(links(id), { data: 5 }, { as, headers }),
    ])
      assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], id);
  const { token: nothing } = await makePerson(db, account.id);
  for (const id of [await makeCourse(db, account.id), newId(), "x"])
    for (const path of ["", "/writers", "/relationships/writers"])
      assert.equal((await service.get(`/v1/books/${id}${path}`, { as: nothing })).status, 403);
});

test("403 · a caller with write access to another resource learns nothing about mistakes or versions", async () => {
  const [own, theirs] = [await makeCourse(db, account.id), await makeCourse(db, account.id)];
  const { id: person_id, token: as } = await holding(service, ["courses:write"], "course", [own]);
  // The caller reads every book.
  await db`
    with role as (
      insert into roles (account_id, id, name, permissions)
      values (${account.id}, gen_random_uuid(), ${newId()}, '["courses:read"]') returning id)
    insert into role_assignments (account_id, id, person_id, role_id, scope_type)
    select ${account.id}, gen_random_uuid(), ${person_id}, id, 'account' from role`;
  const stale = { as, headers: { "If-Match": '"9-stale"' } };
  for (const [id, ...expected] of [
    [own, 422, 409, 409],
    [theirs, 403, 403, 403],
    [newId(), 404, 404, 404],
  ] as const) {
    const answers = [
      await change(id, { nonsense: 1 }, { as }),
      await service.patch(`/v1/books/${id}`, { data: { type: "people", id } }, { as }),
      await change(id, { name: "Mine" }, stale),
    ];
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, expected);
  }
});

test("204 · a deletion happens once, with one event, and needs no body for a Content-Type", async () => {
  const id = await makeCourse(db, account.id);
  const headers = { "Content-Type": "application/vnd.api+json" };
  const events = await eventsOf(async () => {
    const answers = await Promise.all(
      times(5, () => service.delete(`/v1/books/${id}`, { headers })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [204, 404, 404, 404, 404]);
  });
  assert.deepEqual(events, ["course.deleted"]);
});
