import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { document, ids, many, one, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
await makeCourse(db, other.id, "Theirs");

const make = (name: string, more: Record<string, string | number | boolean> = {}) =>
  makeRow(db, "courses", account.id, { name, ...more });
const course = {
  evangelism: await make("Évangélisation", { is_active: false, order: 2 }),
  percent: await make("100% grace", { category: "Basics", order: 1 }),
  underscore: await make("snake_case"),
  backslash: await make("back\\slash"),
  wide: await make("full\uff05width"),
  quote: await make("Bob'; drop table courses; --"),
};
const all = Object.values(course);
const list = (query = "") => service.get(`/v1/courses${query && "?"}${query}`);
const listed = async (query: string) => {
  const answer = await list(query);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], many(answer).length);
  return ids(answer);
};
const named = (name: string) => listed(`filter[name]=${encodeURIComponent(name)}`);

test("200 · a list has every course of the account by name, and their total", async () => {
  const answer = await list();
  assert.equal(answer.status, 200);
  assert.deepEqual(ids(answer), [
    course.percent,
    course.backslash,
    course.quote,
    course.evangelism,
    course.wide,
    course.underscore,
  ]);
  assert.deepEqual(answer.document.meta, { total: 6, page: 1, size: 100 });
});

test("200 · filter[name] ignores case and accents", async () => {
  for (const name of ["evangelisation", "ÉVANGÉLI", "Évang", "GELÍSA"])
    assert.deepEqual(await named(name), [course.evangelism], name);
  assert.deepEqual(await named("nothing of the kind"), []);
});

test("200 · filter[name] has no wildcards", async () => {
  assert.deepEqual(await named("100%"), [course.percent]);
  assert.deepEqual(await named("snake_"), [course.underscore]);
  assert.deepEqual(await named("back\\"), [course.backslash]);
  assert.deepEqual(await named("\\"), [course.backslash]);
  assert.deepEqual(await named("_"), [course.underscore]);
  assert.deepEqual(await named("1_0"), []);
  assert.deepEqual(await named("%%"), []);
  assert.deepEqual(await named("s%e"), []);
  // These wide characters fold to the ordinary ones.
  assert.deepEqual((await named("\uff05")).sort(), [course.percent, course.wide].sort());
  assert.deepEqual(await named("\uff3f"), [course.underscore]);
  assert.deepEqual(await named("\uff3c"), [course.backslash]);
});

test("200 · filter[name] treats SQL as text", async () => {
  assert.deepEqual(await named("Bob'; drop"), [course.quote]);
  for (const text of ["' or '1'='1", "$1", "');--", "${name}", "{{7*7}}", "😀"])
    assert.deepEqual(await named(text), []);
  assert.equal((await list()).document.meta?.["total"], 6);
});

test("200 · filter[is-active], filter[category], filter[teacher], filter[has-open-classes] and filter[id]", async () => {
  const teacher = await makePerson(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${course.percent}, ${teacher.id})`;
  await makeRow(db, "course_classes", account.id, {
    course_id: course.wide,
    name: "A",
    status: "open",
  });
  await makeRow(db, "course_classes", account.id, { course_id: course.quote, name: "B" });
  for (const status of ["in-progress", "finished", "cancelled"])
    await makeRow(db, "course_classes", account.id, { course_id: course.quote, name: "C", status });
  assert.deepEqual(await listed("filter[is-active]=false"), [course.evangelism]);
  assert.equal((await listed("filter[is-active]=true")).length, 5);
  assert.equal((await listed("filter[is-active]=true,false")).length, 6);
  assert.deepEqual(await listed("filter[category]=bASICS"), [course.percent]);
  assert.deepEqual(await listed("filter[category]=bàsics"), [course.percent]);
  for (const text of ["category", "name"])
    assert.deepEqual(await listed(`filter[${text}]=${",".repeat(100)}`), []);
  assert.deepEqual(await listed(`filter[teacher]=${teacher.id}`), [course.percent]);
  assert.deepEqual(await listed(`filter[teacher]=${newId()},${teacher.id}`), [course.percent]);
  assert.deepEqual(await listed(`filter[teacher]=nobody`), []);
  assert.deepEqual(await listed("filter[has-open-classes]=true"), [course.wide]);
  assert.equal((await listed("filter[has-open-classes]=false")).length, 5);
  assert.equal((await listed("filter[has-open-classes]=false,true")).length, 6);
  const two = await listed(`filter[id]=${course.wide},${course.percent},${newId()},x`);
  assert.deepEqual(two, [course.percent, course.wide]);
  assert.deepEqual(await listed(`filter[teacher]=${teacher.id}&filter[is-active]=false`), []);
});

test("200 · filter[modified-since], [modified-until] and [created-since] take a timestamp or a date", async () => {
  const { attributes } = one(await service.get(`/v1/courses/${course.quote}`));
  const at = String(attributes["modified-at"]);
  const after = new Date(Date.parse(at) + 1).toISOString();
  assert.ok((await listed(`filter[modified-since]=${at}`)).includes(course.quote));
  assert.ok((await listed(`filter[modified-until]=${at}`)).includes(course.quote));
  assert.ok(!(await listed(`filter[modified-since]=${after}`)).includes(course.quote));
  assert.ok(!(await listed(`filter[created-since]=${after}`)).includes(course.quote));
  assert.equal((await listed("filter[created-since]=2020-01-01")).length, 6);
  assert.equal((await listed("filter[modified-until]=2020-01-01T00:00:00%2B02:00")).length, 0);
  assert.equal((await listed("filter[modified-until]=2020-01-01T00:00:00+02:00")).length, 0);
});

test("200 · filter[is-public] combines with others, and a comma is part of a text", async () => {
  const open = await make("Open, to all", { is_public: true, category: "Art, crafts" });
  const quiet = await make("Open", { is_active: false, category: "Art" });
  try {
    assert.deepEqual(await listed("filter[is-public]=true"), [open]);
    assert.equal((await listed("filter[is-public]=false")).length, 7);
    assert.deepEqual(await listed("filter[is-public]=true&filter[is-active]=false"), []);
    assert.deepEqual(await named("open, to"), [open]);
    assert.deepEqual(await named("open,to"), []);
    assert.deepEqual(await listed("filter[category]=art, crafts"), [open]);
    assert.deepEqual(await listed("filter[category]=art,crafts"), []);
    assert.deepEqual(await listed("filter[category]=ar"), []);
  } finally {
    await db`delete from courses where account_id = ${account.id} and id in (${open}, ${quiet})`;
  }
});

test("200 · filter[created-since] ignores later changes", async () => {
  const made = "2019-05-01T10:00:00.000Z";
  const old = await make("Old", { created_at: made });
  try {
    assert.ok((await listed(`filter[created-since]=${made}`)).includes(old));
    assert.ok(!(await listed("filter[created-since]=2019-05-01T10:00:00.001Z")).includes(old));
    assert.ok((await listed("filter[modified-since]=2020-01-01")).includes(old));
    assert.ok(!(await listed("filter[modified-until]=2020-01-01")).includes(old));
  } finally {
    await db`delete from courses where account_id = ${account.id} and id = ${old}`;
  }
});

test("200 · sort by name, order, created-at and modified-at, both ways, absent values last", async () => {
  const byName = await listed("sort=name");
  assert.deepEqual(await listed("sort=-name"), byName.toReversed());
  assert.deepEqual((await listed("sort=order")).slice(0, 2), [course.percent, course.evangelism]);
  assert.deepEqual((await listed("sort=-order")).slice(0, 2), [course.evangelism, course.percent]);
  assert.deepEqual(await listed("sort=created-at,id"), all);
  assert.deepEqual(await listed("sort=-created-at"), all.toReversed());
  assert.deepEqual(await listed("sort=-id"), all.toReversed());
  assert.equal((await listed("sort=order,-name")).length, 6);
});

test("200 · lists accept include and fields, and show to-many linkage only where it is included", async () => {
  const answer = await list("include=lessons,created-by&fields[courses]=name,lessons");
  assert.ok(
    many(answer).every(({ relationships }) => Array.isArray(relationships["lessons"]?.data)),
  );
  assert.deepEqual(answer.document.included, []);
  const plain = many(await list())[0];
  assert.equal(plain?.relationships["teachers"]?.data, undefined);
  assert.equal(plain?.relationships["created-by"]?.data, null);
});

test("200 · pages have the requested size, a total, and links that can be followed", async () => {
  const first = await list("page[size]=4&sort=-name&filter[name]=a");
  const found = await listed("sort=-name&filter[name]=a");
  assert.equal(found.length, 5);
  assert.deepEqual(ids(first), found.slice(0, 4));
  assert.deepEqual(first.document.meta, { total: 5, page: 1, size: 4 });
  const { links = {} } = first.document;
  assert.equal(links["prev"], null);
  const second = await service.get(links["next"] ?? "");
  assert.deepEqual(ids(second), found.slice(4));
  assert.equal(second.document.links?.["next"], null);
  assert.deepEqual(ids(await service.get(second.document.links?.["prev"] ?? "")), ids(first));
  assert.deepEqual(ids(await service.get(links["last"] ?? "")), ids(second));
  assert.deepEqual(ids(await service.get(links["first"] ?? "")), ids(first));
  assert.deepEqual(ids(await service.get(links["self"] ?? "")), ids(first));
});

test("200 · a page beyond the end is empty, and its prev link leads to the last page", async () => {
  const answer = await list("page[number]=999&page[size]=4");
  assert.equal(answer.status, 200);
  assert.deepEqual(many(answer), []);
  assert.equal(answer.document.meta?.["total"], 6);
  assert.equal(answer.document.links?.["next"], null);
  const back = await service.get(answer.document.links?.["prev"] ?? "");
  assert.equal(many(back).length, 2);
});

test("200 · page[after] returns every course once while courses change", async () => {
  for (let n = 0; n < 20; n += 1) await make(`Walked ${n}`);
  for (const sort of ["id", "-id", "modified-at", "created-at", "-name"]) {
    const before = await listed(`sort=${sort}`);
    const seen: string[] = [];
    let next: string | null = `/v1/courses?sort=${sort}&page[size]=5&page[after]=`;
    for (let page = 0; next !== null; page += 1) {
      assert.ok(page < 20, "the walk ends");
      const answer = await service.get(next);
      assert.equal(answer.status, 200, answer.text);
      assert.ok(many(answer).length <= 5);
      seen.push(...ids(answer));
      next = answer.document.links?.["next"] ?? null;
      // Rows already seen change without moving, and rows not yet seen stay ahead.
      const id = ids(answer)[0] ?? "";
      if (sort !== "modified-at")
        await service.patch(`/v1/courses/${id}`, document("courses", { summary: sort }, { id }));
    }
    assert.deepEqual(seen, before, sort);
  }
});

test("200 · sort=modified-at with page[after] returns a course again if it changed on the way", async () => {
  const start = await list("sort=modified-at&page[size]=10&page[after]=");
  const id = ids(start)[0] ?? "";
  await service.patch(`/v1/courses/${id}`, document("courses", { summary: "moved" }, { id }));
  let { links } = start.document;
  let last = start;
  while (links?.["next"]) {
    last = await service.get(links["next"]);
    links = last.document.links;
  }
  assert.equal(ids(last).at(-1), id);
});

test("200 · the id breaks ties, in the direction of the sort, on every kind of page", async () => {
  const own = await makeAccount(db);
  const as = own.administrator.token;
  const equal: string[] = [];
  for (let n = 0; n < 5; n += 1) equal.push(await makeCourse(db, own.id, "Same"));
  await db`update courses set "order" = 1 where account_id = ${own.id}`;
  const walk = async (path: string) => {
    const seen: string[] = [];
    for (let next: string | null = path; next !== null; ) {
      assert.ok(seen.length < 10, "the walk ends");
      const answer = await service.get(next, { as });
      assert.equal(answer.status, 200, answer.text);
      seen.push(...ids(answer));
      next = answer.document.links?.["next"] ?? null;
    }
    return seen;
  };
  for (const [sort, expected] of [
    ["name", equal],
    ["-name", equal.toReversed()],
  ] as const)
    for (const page of ["page[after]=&page[size]=2", "page[size]=2", "page[size]=1"])
      assert.deepEqual(await walk(`/v1/courses?sort=${sort}&${page}`), expected, `${sort} ${page}`);
  for (const [sort, expected] of [
    ["order", equal],
    ["-order", equal.toReversed()],
    ["-name,order", equal],
    ["name,-order", equal.toReversed()],
  ] as const)
    assert.deepEqual(await walk(`/v1/courses?sort=${sort}&page[size]=2`), expected, sort);
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

test("200 · page links keep the filters, include, fields and sort of the request", async () => {
  const shaped = "filter[name]=a&include=teachers&fields[courses]=name,teachers&sort=-name";
  const answer = await list(`page[size]=100&page[number]=1000000&${shaped}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(many(answer), []);
  const first = await service.get(answer.document.links?.["first"] ?? "");
  const { text } = await list(`${shaped}&page[number]=1&page[size]=100`);
  assert.equal(first.text, text);
  assert.deepEqual(Object.keys(many(first)[0]?.attributes ?? {}), ["name"]);
  assert.deepEqual(many(first)[0]?.relationships["teachers"]?.data, []);
});

test("200 · an empty list has one page, which is the first and the last", async () => {
  const { administrator } = await makeAccount(db);
  const answer = await service.get("/v1/courses", { as: administrator.token });
  assert.deepEqual(many(answer), []);
  assert.deepEqual(answer.document.meta, { total: 0, page: 1, size: 100 });
  const { links = {} } = answer.document;
  assert.deepEqual([links["prev"], links["next"]], [null, null]);
  assert.equal(links["last"], links["self"]);
  assert.equal(links["first"], links["self"]);
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
    assert.equal(answer.status, 400, `${sort} ${after} ${answer.text}`);
    assert.deepEqual(parameters(answer), ["page[after]"]);
  }
});

test("400 · page[after] excludes page[number], and needs one sort that is never null", async () => {
  assert.deepEqual(parameters(await list("page[after]=&page[number]=1&sort=id")), ["page[number]"]);
  for (const sort of ["order", "name,id", "-order"])
    assert.deepEqual(parameters(await list(`page[after]=&sort=${sort}`)), ["sort"], sort);
});

test("400 · one response reports every mistake of a query, each with its parameter", async () => {
  const answer = await list(
    "page[size]=0&page[number]=x&page[offset]=1&sort=nonsense&include=friends&fields[courses]=x&filter[is-active]=maybe&filter[nothing]=1&filter[modified-since]=yesterday&limit=5",
  );
  assert.equal(answer.status, 400);
  assert.deepEqual(
    new Set(parameters(answer)),
    new Set([
      "fields[courses]",
      "filter[is-active]",
      "filter[modified-since]",
      "filter[nothing]",
      "include",
      "limit",
      "page[number]",
      "page[offset]",
      "page[size]",
      "sort",
    ]),
  );
});

test("400 · values outside their range are rejected, not adjusted", async () => {
  for (const [parameter, values] of Object.entries({
    "page[size]": ["0", "101", "-1", "1.5", "1e2", "ten", "", "0x10", "９"],
    "page[number]": ["0", "-1", "1000001", "99999999999999999999", "NaN", ""],
    "sort": ["name,name", "-", "name;drop table courses", "__proto__", "description"],
    "filter[is-active]": ["", "1", "TRUE", "true,", "null"],
    "filter[has-open-classes]": ["", "yes", "true,"],
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
    "fields[courses]": ["__proto__", "constructor"],
  }))
    for (const value of values) {
      const answer = await list(`${parameter}=${value}`);
      assert.equal(answer.status, 400, `${parameter}=${value} ${answer.text}`);
      assert.deepEqual(parameters(answer), [parameter], `${parameter}=${value}`);
    }
});

test("400 · a repeated parameter is rejected", async () => {
  for (const query of [
    "filter[name]=a&filter[name]=b",
    "sort=name&sort=name",
    "page[size]=1&page[size]=2",
    "include=&include=",
  ]) {
    const answer = await list(query);
    assert.equal(answer.status, 400);
    assert.deepEqual(parameters(answer), [query.split("=")[0]]);
  }
});
