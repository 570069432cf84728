import assert from "node:assert/strict";
import { after, test } from "node:test";
import { limits } from "../../src/base/limits.ts";
import { makeCourse, makePerson, makeRow } from "../support/make.ts";
import { codes, etag, ids, many, one, parameters, PUBLIC_URL } from "../support/service.ts";
import { holding, library, startLibrary } from "./library.ts";

/** Links, include, fields, linkage and ETags of reads. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const { change, create } = library(service);

const book = await makeCourse(db, account.id, "Foundations");
const path = `/v1/books/${book}`;
const writer = await makePerson(db, account.id, { fullName: "Wanda Writer" });
await db`insert into course_teachers values (${account.id}, ${book}, ${writer.id})`;
const chapterOf = (course_id: string, number = 1, created_by: string | null = null) =>
  makeRow(db, "course_lessons", account.id, { course_id, name: "One", number, created_by });
const chapter = await chapterOf(book, 1, writer.id);

/** Loans of new people. */
async function lend(course_id: string, count: number, status = "completed"): Promise<void> {
  const class_id = await makeRow(db, "course_classes", account.id, { course_id, name: "Shelf" });
  await db`
    with person as (
      insert into people (account_id, id, full_name)
      select ${account.id}, gen_random_uuid(), 'Reader ' || n from generate_series(1, ${count}) n
      returning id)
    insert into course_enrollments (account_id, id, course_id, class_id, person_id, status)
    select ${account.id}, gen_random_uuid(), ${course_id}, ${class_id}, id, ${status} from person`;
}
const lendTo = (course_id: string, person_id: string, status: string) =>
  makeRow(db, "course_enrollments", account.id, { course_id, person_id, status });
const included = async (query: string) =>
  (await service.get(query)).document.included?.map(({ id, type }) => `${type} ${id}`);
const linkage = async (id: string, name: string, as?: string) =>
  one(await service.get(`/v1/books/${id}`, as === undefined ? {} : { as })).relationships[name];
const linked = (data: unknown) => ((data ?? []) as { id: string }[]).map(({ id }) => id);

test("200 · every document has its own URL as links.self", async () => {
  const made = await create({ name: "Somewhere" });
  const { id } = one(made);
  const self = `${PUBLIC_URL}/v1/books/${id}`;
  for (const answer of [made, await service.get(self), await change(id, { summary: "x" })]) {
    assert.deepEqual(answer.document.links, { self });
    assert.deepEqual(one(answer).links, { self });
  }
  const author = await service.get(`${self}/created-by`);
  assert.deepEqual(author.document.links, { self: `${self}/created-by` });
  const { administrator } = account;
  assert.deepEqual(one(author).links, { self: `${PUBLIC_URL}/v1/people/${administrator.id}` });
});

test("200 · a to-one relationship has linkage and a related resource, or null", async () => {
  const id = await makeCourse(db, account.id);
  const at = async (name: string) => (await service.get(`/v1/books/${id}/${name}`)).document;
  await change(id, { summary: "x" });
  assert.equal((await at("relationships/created-by")).data, null);
  assert.equal((await at("created-by")).data, null);
  const { data, meta } = await at("relationships/modified-by");
  assert.deepEqual([data, meta], [{ type: "people", id: account.administrator.id }, undefined]);
  assert.partialDeepStrictEqual((await at("modified-by")).data, { id: account.administrator.id });
});

test("200 · include follows two steps, shows each resource once and never repeats primary data", async () => {
  const both = [`chapters ${chapter}`, `people ${writer.id}`];
  assert.deepEqual(await included(`${path}?include=writers,chapters.created-by`), both);
  assert.deepEqual(await included(`${path}?include=chapters.book,writers`), both);
  const round = await included(`${path}/chapters?include=book.chapters`);
  assert.deepEqual(round, [`books ${book}`]);
  const { document } = await service.get(`${path}?include=chapters`);
  const author = document.included?.[0]?.relationships["created-by"]?.data;
  assert.deepEqual(author, { type: "people", id: writer.id });
});

test("200 · included resources have a fixed order, so the ETag of an unchanged document stays", async () => {
  const own = await makeCourse(db, account.id, "Ordered");
  await db`insert into course_teachers values (${account.id}, ${own}, ${writer.id})`;
  const loan = await lendTo(own, writer.id, "active");
  const chapters = [await chapterOf(own, 2), await chapterOf(own, 1)];
  const everything = `/v1/books/${own}?include=writers.created-by,loans,chapters.book`;
  const expected = [...chapters.map((id) => `chapters ${id}`), `loans ${loan}`];
  assert.deepEqual(await included(everything), [...expected, `people ${writer.id}`]);
  const headers = { "If-None-Match": etag(await service.get(everything)) };
  assert.equal((await service.get(everything, { headers })).status, 304);
});

test("200 · fields limits primary and included resources, also in the response to a write", async () => {
  const fields = "fields[books]=name,writers&fields[people]=full-name";
  const answer = await service.get(`${path}?include=writers&${fields}`);
  assert.deepEqual(one(answer).attributes, { name: "Foundations" });
  assert.deepEqual(Object.keys(one(answer).relationships), ["writers"]);
  const [person] = answer.document.included ?? [];
  assert.deepEqual(person?.attributes, { "full-name": "Wanda Writer" });
  assert.equal(person?.relationships, undefined);
  assert.deepEqual(one(await service.get(`${path}?fields[books]=`)).attributes, {});

  const shaped = "/v1/books?include=created-by&fields[books]=name,created-by&fields[people]=sex";
  const body = { data: { type: "books", attributes: { name: "Shaped" } } };
  const made = await service.post(shaped, body);
  assert.deepEqual(one(made).attributes, { name: "Shaped" });
  assert.deepEqual(Object.keys(one(made).relationships), ["created-by"]);
  assert.deepEqual(made.document.included?.[0]?.attributes, { sex: null });
});

test("200 · a relationship has the resources of this row and of no other, each once", async () => {
  const [id, another] = [await makeCourse(db, account.id), await makeCourse(db, account.id)];
  const own = await chapterOf(id);
  await chapterOf(another);
  // The same reader twice, and a loan that is not finished.
  const loans = [
    await lendTo(id, writer.id, "completed"),
    await lendTo(id, writer.id, "completed"),
    await lendTo(id, account.administrator.id, "active"),
  ];
  await lendTo(another, account.administrator.id, "completed");
  const expected: Record<string, string[]> = {
    chapters: [own],
    loans,
    readers: [writer.id],
    writers: [],
  };
  const { relationships } = one(await service.get(`/v1/books/${id}`));
  for (const [name, those] of Object.entries(expected)) {
    const { data, links, meta } = relationships[name] ?? {};
    assert.deepEqual([linked(data), meta], [those, { total: those.length }], name);
    const { document } = await service.get(links?.["self"] ?? "");
    assert.deepEqual([document.data, document.meta], [data, meta], name);
    assert.equal(document.links?.["related"], links?.["related"]);
    const related = await service.get(`${links?.["related"]}?sort=id`);
    assert.deepEqual(ids(related), those, name);
    assert.equal(related.document.meta?.["total"], those.length);
    const found = (await service.get(`/v1/books/${id}?include=${name}`)).document.included;
    assert.deepEqual(found?.map((one) => one.id).sort(), those.toSorted(), name);
  }
});

test("200 · linkage is in the order of its ids, or of a column", async () => {
  const id = await makeCourse(db, account.id);
  const chapters = [await chapterOf(id, 3), await chapterOf(id, 1), await chapterOf(id, 2)];
  const [third, first, second] = chapters;
  const whole = await linkage(id, "chapters");
  assert.deepEqual(linked(whole?.data), [first, second, third]);
  assert.deepEqual(ids(await service.get(whole?.links?.["self"] ?? "")), [first, second, third]);
  const loans = [await lendTo(id, writer.id, "active"), await lendTo(id, writer.id, "active")];
  assert.deepEqual(linked((await linkage(id, "loans"))?.data), loans.toSorted());
});

test("200 · linkage shows up to 200 identifiers, and above that only the total and links", async () => {
  const big = await makeCourse(db, account.id, "Big");
  await lend(big, limits.linkageMax);
  assert.equal(linked((await linkage(big, "readers"))?.data).length, 200);
  await lend(big, 1);
  const over = await linkage(big, "readers");
  assert.deepEqual([over?.data, over?.meta], [undefined, { total: 201 }]);
  const own = await service.get(over?.links?.["self"] ?? "");
  assert.equal(new Set(ids(own)).size, 201);
  const related = await service.get(`${over?.links?.["related"]}?page[size]=1&page[number]=201`);
  assert.deepEqual([related.document.meta?.["total"], many(related).length], [201, 1]);

  // Included resources are always linked.
  for (const at of [`/v1/books/${big}?`, `/v1/books?filter[id]=${big}&`]) {
    const { document } = await service.get(`${at}include=readers&fields[people]=sex`);
    const [resource] = [document.data].flat() as Awaited<ReturnType<typeof one>>[];
    const shown = resource?.relationships["readers"];
    assert.deepEqual(linked(shown?.data), linked(document.included));
    assert.deepEqual(shown?.meta, { total: 201 });
  }
});

test("200 · the limit on linkage applies to each relationship separately", async () => {
  const id = await makeCourse(db, account.id, "Begun");
  await lend(id, limits.linkageMax - 2, "active");
  await lend(id, 3);
  assert.deepEqual((await linkage(id, "loans"))?.meta, { total: 201 });
  const readers = await linkage(id, "readers");
  assert.deepEqual([linked(readers?.data).length, readers?.meta], [3, { total: 3 }]);
  assert.deepEqual(linked(readers?.data), linked(readers?.data).sort());
});

test("200 · the linkage route shows 1,000 identifiers and the total; 400 · more are not included", async () => {
  const id = await makeCourse(db, account.id, "Crowded");
  await lend(id, limits.includedMax);
  const include = (names: string) =>
    service.get(`/v1/books/${id}?include=${names}&fields[people]=sex`);
  assert.equal((await include("readers")).document.included?.length, 1_000);
  await chapterOf(id);
  const refused = [await include("readers,chapters")];
  await lend(id, 2);
  const answer = await service.get(`/v1/books/${id}/relationships/readers`);
  assert.deepEqual([many(answer).length, answer.document.meta], [1_000, { total: 1_002 }]);
  for (const one of [...refused, await include("readers")])
    assert.deepEqual(
      [one.status, ...codes(one), ...parameters(one)],
      [400, "too-many-included", "include"],
    );
});

test("400 · include and fields accept only existing names, and include at most two steps", async () => {
  for (const query of [
    "include=friends",
    "include=writers.friends",
    "include=chapters.book.writers",
    "include=writers..created-by",
    "include=name",
    "include=__proto__",
    "include=constructor",
    "fields[books]=names",
    "fields[books]=toString",
    "fields[nonsense]=name",
    "fields[__proto__]=name",
    "fields=name",
    "filter[name]=x",
    "sort=name",
    "page[size]=1",
  ]) {
    const answer = await service.get(`${path}?${query}`);
    assert.deepEqual([answer.status, ...parameters(answer)], [400, query.split("=")[0]], query);
  }
  const linkageRoute = await service.get(`${path}/relationships/writers?include=writers`);
  assert.equal(linkageRoute.status, 400);
});

test("304 · If-None-Match matches the current ETag, a weak form, a list or *", async () => {
  const tag = etag(await service.get(path));
  const ask = (sent: string) => service.get(path, { headers: { "If-None-Match": sent } });
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const answer = await ask(sent);
    assert.deepEqual([answer.status, answer.text, etag(answer)], [304, "", tag]);
  }
  assert.equal((await ask('"other"')).status, 200);
  assert.notEqual(etag(await service.get(`${path}?fields[books]=name`)), tag);
  await change(book, { summary: "New" });
  assert.equal((await ask(tag)).status, 200);
});

test("304 · a related resource has an ETag of its own version, and so has null", async () => {
  const id = await makeCourse(db, account.id);
  const related = `/v1/books/${id}/created-by`;
  const ask = async (sent: string) =>
    (await service.get(related, { headers: { "If-None-Match": sent } })).status;
  const none = etag(await service.get(related));
  assert.equal(await ask(none), 304);
  await db`update courses set created_by = ${writer.id} where id = ${id}`;
  assert.equal(await ask(none), 200);
  const person = etag(await service.get(related));
  assert.equal(await ask(person), 304);
  await db`update people set sex = 'female', version = version + 1 where id = ${writer.id}`;
  assert.equal(await ask(person), 200);
});

test("200 · linkage, include and totals show only resources within the reach of the caller", async () => {
  const id = await makeCourse(db, account.id, "Seen");
  await db`insert into course_teachers values (${account.id}, ${id}, ${writer.id})`;
  await db`update courses set created_by = ${writer.id} where id = ${id}`;
  const reader = await makePerson(db, account.id);
  const loan = await lendTo(id, reader.id, "completed");
  const rights = ["courses:write", "people:read", "course-enrollments:read"];
  const everywhere = await holding(service, rights, "account");
  const here = await holding(service, rights, "course", [id]);
  const alone = await holding(service, ["courses:write"], "course", [id]);
  for (const [{ token: as }, writers, readers, loans] of [
    [everywhere, [writer.id], [reader.id], [loan]],
    [here, [], [reader.id], [loan]],
    [alone, [], [], []],
  ] as const) {
    const whole = await service.get(`/v1/books/${id}?include=writers,readers,loans,created-by`, {
      as,
    });
    const shown = { writers, readers, loans };
    for (const answer of [whole, await change(id, { summary: as.slice(-9) }, { as })])
      for (const [name, those] of Object.entries(shown)) {
        const { data, meta } = one(answer).relationships[name] ?? {};
        assert.deepEqual([linked(data), meta], [those, { total: those.length }], name);
      }
    const found = [...writers, ...readers, ...loans];
    assert.deepEqual(linked(whole.document.included).sort(), found.sort());
    const related = await service.get(`/v1/books/${id}/writers`, { as });
    if (related.status === 200) assert.deepEqual(ids(related), writers);
    else assert.equal(related.status, 403);
  }

  // The total of long linkage is counted by another statement.
  await lend(id, limits.linkageMax);
  await lendTo(id, account.administrator.id, "active");
  const [shelf] = await db<{ class_id: string }[]>`
    select class_id from course_enrollments where course_id = ${id} group by 1 having count(*) > 9`;
  const some = await holding(service, ["courses:read", "course-enrollments:read"], "course-class", [
    shelf?.class_id ?? "",
  ]);
  assert.equal((await service.get(`/v1/loans`, { as: some.token })).document.meta?.["total"], 200);
  assert.deepEqual((await linkage(id, "loans", everywhere.token))?.meta, { total: 202 });
});
