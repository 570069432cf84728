import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makeAccount, makeCourse, makePerson, makeRow } from "../support/make.ts";
import { type Answer, ids, many, parameters } from "../support/service.ts";
import { statementsOf } from "../support/statements.ts";
import { library, startLibrary } from "./library.ts";

/** Pages, cursors, sorts, filters and mistakes in queries. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const { change } = library(service);
await makeCourse(db, (await makeAccount(db)).id, "Theirs");

const make = (name: string, more: Record<string, string | number | boolean> = {}) =>
  makeRow(db, "courses", account.id, { name, ...more });
const book = {
  evangelism: await make("Évangélisation", { is_active: false, order: 2 }),
  percent: await make("100% grace", { category: "Art, crafts", order: 1 }),
  underscore: await make("snake_case"),
  backslash: await make("back\\slash"),
  wide: await make("full\uff05width"),
  quote: await make("Bob'; drop table courses; --"),
};
const all = Object.values(book);
const list = (query = "", as?: string) =>
  service.get(`/v1/books?${query}`, as === undefined ? {} : { as });
const listed = async (query: string) => {
  const answer = await list(query);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], many(answer).length);
  return ids(answer);
};
const named = (name: string) => listed(`filter[name]=${encodeURIComponent(name)}`);

/** The ids of all pages from this one on. `between` runs after each page. */
async function walk(path: string, as?: string, between?: (page: Answer) => Promise<unknown>) {
  const seen: string[] = [];
  for (let next: string | null = path; next !== null; ) {
    assert.ok(seen.length < 100, "the walk ends");
    const page: Answer = await service.get(next, as === undefined ? {} : { as });
    assert.equal(page.status, 200, page.text);
    seen.push(...ids(page));
    await between?.(page);
    next = page.document.links?.["next"] ?? null;
  }
  return seen;
}

test("200 · a list has every resource of the account in the default order, and their total", async () => {
  const { backslash, evangelism, percent, quote, underscore, wide } = book;
  const answer = await list();
  assert.deepEqual(ids(answer), [percent, backslash, quote, evangelism, wide, underscore]);
  assert.deepEqual(answer.document.meta, { total: 6, page: 1, size: 100 });
});

test("200 · a page and its total are one statement, so that no change falls between them", async () => {
  for (const query of ["", "page[number]=9", "page[after]=", "filter[name]=no-such-book"]) {
    const statements = await statementsOf(() => list(query));
    const [caller = "", page = "", ...more] = statements;
    assert.match(caller, /access_tokens/);
    assert.match(page, /select count\(\*\)[^]* offset /);
    assert.deepEqual(more, [], query);
  }
});

test("200 · a page beyond the last one is empty and has the total", async () => {
  const answer = await list("page[number]=9");
  assert.deepEqual([ids(answer), answer.document.meta], [[], { total: 6, page: 9, size: 100 }]);
});

test("200 · a filter by a part of a text ignores case and accents, and has no wildcards", async () => {
  const found: [text: string, ...ids: string[]][] = [
    ["evangelisation", book.evangelism],
    ["GELÍSA", book.evangelism],
    ["100%", book.percent],
    ["snake_", book.underscore],
    ["\\", book.backslash],
    ["_", book.underscore],
    ["1_0"],
    ["%%"],
    ["s%e"],
    // These wide characters fold to the ordinary ones.
    ["\uff05", book.percent, book.wide],
    ["\uff3f", book.underscore],
    ["\uff3c", book.backslash],
    ["Bob'; drop", book.quote],
    ["' or '1'='1"],
    ["$1"],
    ["😀"],
  ];
  for (const [text, ...expected] of found)
    assert.deepEqual((await named(text)).sort(), expected.sort(), text);
});

test("200 · filters take one value or several, and combine", async () => {
  const writer = await makePerson(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${book.percent}, ${writer.id})`;
  await makeRow(db, "course_lessons", account.id, { course_id: book.wide, name: "A", number: 1 });
  const found: [query: string, expected: string[] | number][] = [
    ["filter[is-active]=false", [book.evangelism]],
    ["filter[is-active]=true", 5],
    ["filter[is-active]=true,false", 6],
    ["filter[category]=àrt, CRAFTS", [book.percent]],
    ["filter[category]=art,crafts", []],
    ["filter[category]=art", []],
    [`filter[category]=${",".repeat(100)}`, []],
    [`filter[name]=${",".repeat(100)}`, []],
    [`filter[writer]=${newId()},${writer.id}`, [book.percent]],
    ["filter[writer]=nobody", []],
    ["filter[has-chapters]=true", [book.wide]],
    ["filter[has-chapters]=false", 5],
    ["filter[has-chapters]=false,true", 6],
    [`filter[id]=${book.wide},${book.percent},${newId()},x`, [book.percent, book.wide]],
    [`filter[id][]=${book.wide}&filter[id][]=${book.percent}`, [book.percent, book.wide]],
    [`filter[writer]=${writer.id}&filter[is-active]=false`, []],
  ];
  for (const [query, expected] of found) {
    const answer = await listed(query);
    assert.deepEqual(typeof expected === "number" ? answer.length : answer, expected, query);
  }
});

test("200 · filters by time take a timestamp or a date, and created-since ignores later changes", async () => {
  const at = "2019-05-01T10:00:00.000Z";
  const [after, before] = ["2019-05-01T10:00:00.001Z", "2019-05-01T09:59:59.999Z"];
  const old = await make("Old", { created_at: at, modified_at: at });
  const finds = async (query: string) => (await listed(query)).includes(old);
  const both = async (name: string) => [
    await finds(`filter[${name}]=${before}`),
    await finds(`filter[${name}]=${at}`),
    await finds(`filter[${name}]=${after}`),
  ];
  assert.deepEqual(await both("created-since"), [true, true, false]);
  assert.deepEqual(await both("modified-since"), [true, true, false]);
  assert.deepEqual(await both("modified-until"), [false, true, true]);
  await change(old, { summary: "Changed" });
  assert.deepEqual(await both("created-since"), [true, true, false]);
  assert.ok(await finds("filter[modified-since]=2020-01-01"));
  for (const plus of ["+", "%2B"])
    assert.deepEqual(await listed(`filter[modified-until]=2020-01-01T00:00:00${plus}02:00`), []);
  await db`delete from courses where account_id = ${account.id} and id = ${old}`;
});

test("200 · sorts go both ways, and absent values come last", async () => {
  assert.deepEqual(await listed("sort=-name"), (await listed("sort=name")).toReversed());
  assert.deepEqual((await listed("sort=order")).slice(0, 2), [book.percent, book.evangelism]);
  assert.deepEqual((await listed("sort=-order")).slice(0, 2), [book.evangelism, book.percent]);
  assert.deepEqual(await listed("sort=created-at,id"), all);
  assert.deepEqual(await listed("sort=-created-at"), all.toReversed());
  assert.deepEqual(await listed("sort=-id"), all.toReversed());
  assert.equal((await listed("sort=order,-name")).length, 6);
});

test("200 · pages have the requested size, a total, and links that can be followed", async () => {
  const shaped =
    "filter[name]=a&include=writers,created-by&fields[books]=name,writers&sort=-name&page[size]=4";
  const first = await list(shaped);
  const found = await listed("sort=-name&filter[name]=a");
  assert.equal(found.length, 5);
  assert.deepEqual(ids(first), found.slice(0, 4));
  assert.deepEqual(first.document.meta, { total: 5, page: 1, size: 4 });
  const { links = {} } = first.document;
  assert.equal(links["prev"], null);
  const follow = (link: string | null | undefined) => service.get(link ?? "");
  const second = await follow(links["next"]);
  assert.deepEqual(ids(second), found.slice(4));
  assert.equal(second.document.links?.["next"], null);
  assert.deepEqual(Object.keys(many(second)[0]?.attributes ?? {}), ["name"]);
  assert.equal((await follow(links["last"])).text, second.text);
  for (const link of [second.document.links?.["prev"], links["first"], links["self"]])
    assert.equal((await follow(link)).text, first.text);
});

test("200 · a page beyond the end is empty, and its prev link leads to the last page", async () => {
  const answer = await list("page[number]=999&page[size]=4");
  assert.deepEqual(many(answer), []);
  assert.equal(answer.document.meta?.["total"], 6);
  assert.equal(answer.document.links?.["next"], null);
  assert.equal(many(await service.get(answer.document.links?.["prev"] ?? "")).length, 2);
});

test("200 · an empty list has one page, which is the first and the last", async () => {
  const { document } = await list("", (await makeAccount(db)).administrator.token);
  assert.deepEqual(document.data, []);
  assert.deepEqual(document.meta, { total: 0, page: 1, size: 100 });
  const { first, last, next, prev, self } = document.links ?? {};
  assert.deepEqual([prev, next, first, last], [null, null, self, self]);
});

test("200 · lists show to-many linkage only where it is included", async () => {
  const answer = await list("include=chapters&fields[books]=name,chapters,writers");
  for (const { relationships } of many(answer)) {
    assert.ok(Array.isArray(relationships["chapters"]?.data));
    assert.equal(relationships["writers"]?.data, undefined);
  }
  assert.equal(answer.document.included?.length, 1);
  assert.equal(many(await list())[0]?.relationships["created-by"]?.data, null);
});

test("200 · page[after] returns every resource once while resources change", async () => {
  for (let n = 0; n < 20; n += 1) await make(`Walked ${n}`);
  for (const sort of ["id", "-id", "modified-at", "created-at", "-name"]) {
    const before = await listed(`sort=${sort}`);
    const walked = walk(
      `/v1/books?sort=${sort}&page[size]=5&page[after]=`,
      undefined,
      async (page) => {
        assert.ok(many(page).length <= 5);
        // A row that was seen changes without moving.
        if (sort !== "modified-at") await change(ids(page)[0] ?? "", { summary: sort });
      },
    );
    assert.deepEqual(await walked, before, sort);
  }
});

test("200 · sort=modified-at with page[after] returns a resource again if it changed on the way", async () => {
  let first: string | undefined;
  const path = "/v1/books?sort=modified-at&page[size]=10&page[after]=";
  const walked = await walk(path, undefined, async (page) => {
    if (first !== undefined) return;
    [first = ""] = ids(page);
    await change(first, { summary: "moved" });
  });
  assert.equal(walked.at(-1), first);
});

test("200 · the id breaks ties, in the direction of the sort, on every kind of page", async () => {
  const own = await makeAccount(db);
  const equal: string[] = [];
  for (let n = 0; n < 5; n += 1) equal.push(await makeCourse(db, own.id, "Same"));
  await db`update courses set "order" = 1 where account_id = ${own.id}`;
  const pages = ["page[after]=&page[size]=2", "page[size]=2", "page[size]=1"];
  for (const [sort, backwards, ...resource] of [
    ["name", false, ...pages],
    ["-name", true, ...pages],
    ["order", false, "page[size]=2"],
    ["-order", true, "page[size]=2"],
    ["-name,order", false, "page[size]=2"],
    ["name,-order", true, "page[size]=2"],
  ] as const)
    for (const page of resource)
      assert.deepEqual(
        await walk(`/v1/books?sort=${sort}&${page}`, own.administrator.token),
        backwards ? equal.toReversed() : equal,
        `${sort} ${page}`,
      );
});

test("200 · page[after] compares numbers as numbers", async () => {
  const course_id = book.quote;
  const made: string[] = [];
  for (const number of [2, 9, 10, 100])
    made.push(await makeRow(db, "course_lessons", account.id, { course_id, name: "One", number }));
  const path = `/v1/chapters?filter[book]=${course_id}&page[size]=1&page[after]=&sort=`;
  assert.deepEqual(await walk(`${path}number`), made);
  assert.deepEqual(await walk(`${path}-number`), made.toReversed());
});

test("200 · a cursor page has a total and a size, no number, and links only to itself, first and next", async () => {
  const total = (await listed("sort=id")).length;
  const first = await list("sort=id&page[size]=3&page[after]=");
  assert.deepEqual(first.document.meta, { total, size: 3 });
  assert.deepEqual(Object.keys(first.document.links ?? {}), ["self", "first", "next"]);
  const second = await service.get(first.document.links?.["next"] ?? "");
  assert.deepEqual(second.document.meta, { total, size: 3 });
  const { links } = second.document;
  assert.deepEqual(ids(await service.get(links?.["self"] ?? "")), ids(second));
  assert.deepEqual(ids(await service.get(links?.["first"] ?? "")), ids(first));
});

test("200 · a related list can be filtered, sorted and paged, and its links keep its path", async () => {
  const course_id = await make("Long");
  const chapter = (name: string, number: number) =>
    makeRow(db, "course_lessons", account.id, { course_id, name, number });
  const made = [await chapter("B", 3), await chapter("C", 2), await chapter("A", 1)];
  const at = `/v1/books/${course_id}/chapters`;
  assert.deepEqual(ids(await service.get(at)), made.toReversed());
  const first = await service.get(`${at}?sort=-number&page[size]=2`);
  assert.deepEqual(ids(first), made.slice(0, 2));
  assert.deepEqual(first.document.meta, { total: 3, page: 1, size: 2 });
  for (const link of Object.values(first.document.links ?? {}))
    assert.ok(link === null || link.includes(`${at}?`), String(link));
  assert.deepEqual(ids(await service.get(first.document.links?.["next"] ?? "")), made.slice(2));
  const none = await service.get(`${at}?filter[book]=${book.wide}`);
  assert.deepEqual([ids(none), none.document.meta?.["total"]], [[], 0]);
});

test("400 · a cursor is valid only for the sort that issued it", async () => {
  const first = await list("sort=modified-at&page[size]=2&page[after]=");
  const url = new URL(first.document.links?.["next"] ?? "", service.url);
  const cursor = url.searchParams.get("page[after]") ?? "";
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const { id } = account;
  for (const [sort, after] of [
    ["name", cursor],
    ["created-at", cursor],
    ["-modified-at", cursor],
    ["modified-at", cursor.slice(0, -3)],
    ["modified-at", "x"],
    ["modified-at", "%00"],
    ["modified-at", encode(["modified-at", "yesterday", id])],
    ["modified-at", encode(["modified-at", "2024-02-31", id])],
    ["modified-at", encode(["modified-at", "2024-01-01", "x"])],
    ["modified-at", encode(["modified-at", 5, id])],
    ["modified-at", encode({})],
    ["name", encode(["name", "\0", id])],
    ["id", encode(["id", "x", "x"])],
  ]) {
    const answer = await list(`sort=${sort}&page[after]=${after}`);
    assert.deepEqual([answer.status, ...parameters(answer)], [400, "page[after]"], answer.text);
  }
});

test("400 · page[after] excludes page[number], and needs one sort that is never null", async () => {
  assert.deepEqual(parameters(await list("page[after]=&page[number]=1&sort=id")), ["page[number]"]);
  for (const sort of ["order", "name,id", "-order"])
    assert.deepEqual(parameters(await list(`page[after]=&sort=${sort}`)), ["sort"], sort);
});

test("400 · one response reports every mistake of a query, each with its parameter", async () => {
  const wrong = {
    "page[size]": "0",
    "page[number]": "x",
    "page[offset]": "1",
    "sort": "nonsense",
    "include": "friends",
    "fields[books]": "x",
    "filter[is-active]": "maybe",
    "filter[nothing]": "1",
    "filter[modified-since]": "yesterday",
    "limit": "5",
  };
  const answer = await list(new URLSearchParams(wrong).toString());
  assert.equal(answer.status, 400);
  assert.deepEqual(new Set(parameters(answer)), new Set(Object.keys(wrong)));
});

test("400 · values outside their range are rejected, not adjusted", async () => {
  for (const [parameter, values] of Object.entries({
    "page[size]": ["0", "101", "-1", "1.5", "1e2", "ten", "", "0x10", "９"],
    "page[number]": ["0", "-1", "1000001", "99999999999999999999", "NaN", ""],
    "sort": ["name,name", "-", "name;drop table courses", "__proto__", "summary"],
    "filter[is-active]": ["", "1", "TRUE", "true,", "null"],
    "filter[has-chapters]": ["", "yes", "true,"],
    "filter[modified-since]": [
      "",
      "now()",
      "infinity",
      "2024",
      "2024-13-01",
      "2024-02-30",
      "2023-02-29T00:00:00Z",
      "2024-01-01T25:00:00Z",
      "2024-01-01T00:00:00%2B23:59",
      "2024-01-01T00:00:00",
      "0000-01-01",
      "+275760-09-13",
    ],
    "filter[id]": [Array.from({ length: 101 }, newId).join(",")],
    "filter[name]": ["%00", "a%00b"],
    "filter[__proto__]": ["x"],
    "filter[constructor]": ["x"],
    "filter[name][x]": ["x"],
    "filter[]": ["x"],
    "filter": ["x"],
    "fields[books]": ["__proto__", "constructor"],
  }))
    for (const value of values) {
      const answer = await list(`${parameter}=${value}`);
      assert.equal(answer.status, 400, `${parameter}=${value} ${answer.text}`);
      assert.deepEqual(parameters(answer), [parameter], `${parameter}=${value}`);
    }
  assert.equal((await list("page[size]=100&page[number]=1000000")).status, 200);
  assert.deepEqual(parameters(await list("sort=id,name,order,created-at,modified-at")), ["sort"]);
});

test("400 · a repeated parameter is rejected", async () => {
  for (const query of [
    "filter[name]=a&filter[name]=b",
    "sort=name&sort=name",
    "page[size]=1&page[size]=2",
    "include=&include=",
  ]) {
    const answer = await list(query);
    assert.deepEqual([answer.status, ...parameters(answer)], [400, query.split("=")[0]]);
  }
});
