import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse } from "../../support/make.ts";
import { codes, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const course = await makeCourse(service.db, service.church.id);

const lists = ["/v1/courses", "/v1/people", "/v1/roles", `/v1/courses/${course}/teachers`];
const ones = [
  `/v1/courses/${course}`,
  "/v1/people/me",
  "/v1/accounts/me",
  `/v1/courses/${course}/relationships/teachers`,
];

test("400 · every parameter that is not understood is named", async () => {
  for (const path of [...lists, ...ones])
    for (const name of [
      "limit",
      "filter",
      "page",
      "Sort",
      "__proto__",
      "constructor",
      "a[b]",
      "%5B%5D",
      "filter[name",
      "x%00",
    ]) {
      const answer = await service.get(`${path}?${name}=1`);
      assert.deepEqual(
        [answer.status, ...parameters(answer)],
        [400, decodeURIComponent(name)],
        `${path}?${name}`,
      );
    }
});

test("400 · nothing that objects have by nature is a filter, a sort, a type or a relationship", async () => {
  for (const path of lists)
    for (const name of ["__proto__", "constructor", "toString", "prototype", "hasOwnProperty"])
      for (const query of [
        `filter[${name}]=x`,
        `sort=${name}`,
        `include=${name}`,
        `fields[${name}]=name`,
        `fields[courses]=${name}`,
        `page[${name}]=1`,
        `filter[${name}][${name}]=x`,
      ]) {
        const answer = await service.get(`${path}?${query}`);
        assert.equal(answer.status, 400, query);
        assert.deepEqual(parameters(answer), [query.split("=")[0]]);
      }
});

test("400 · where something is not understood, what there is is told", async () => {
  const cases: Record<string, RegExp> = {
    "courses?sort=x": /^sort takes id, name, .*, not x\.$/,
    "courses?include=x": /^include takes created-by, modified-by, teachers, .*, not x\.$/,
    "courses?include=lessons.x": /^include takes lessons\.created-by, .*, not lessons\.x\.$/,
    "courses?filter[x]=1":
      /^filter\[x\] is not a filter of courses; there are id, .*, has-open-classes, custom-properties\.<field>\.$/,
    "roles?filter[x]=1": /; there are id, modified-since, modified-until, created-since, name\.$/,
    "courses?fields[courses]=name,x": /^fields\[courses\] takes .*teachers, .*, not x\.$/,
    "courses?fields[course]=name": /^fields\[course\] names no type; there are .*, courses, /,
    "webhook-event-types?fields[webhook-event-types]=x": / takes description, .*, not x\.$/,
  };
  for (const [path, words] of Object.entries(cases)) {
    const answer = await service.get(`/v1/${path}`);
    assert.equal(answer.status, 400, path);
    assert.match(answer.document.errors?.[0]?.detail ?? "", words);
  }
});

test("400 · percent-encoding that is none does no harm", async () => {
  for (const text of ["%", "%zz", "%e0%a4%a", "%ff%fe", "%ed%a0%80", "%c0%80", "%u0041"]) {
    const named = await service.get(`/v1/courses?filter[name]=${text}`);
    assert.ok([200, 400].includes(named.status), text);
    const unknown = await service.get(`/v1/courses?${text}=1`);
    assert.equal(unknown.status, 400, text);
    assert.equal((await service.get(`/v1/courses?sort=${text}`)).status, 400, text);
    assert.equal((await service.get(`/v1/courses?page[after]=${text}&sort=id`)).status, 400, text);
  }
});

test("200 · brackets may come encoded, and an empty query is none", async () => {
  for (const query of ["?filter%5Bname%5D=found", "?", "?&", "?&&page%5bsize%5d=1"])
    assert.equal((await service.get(`/v1/courses${query}`)).status, 200, query);
});

test("400 · a thousand parameters, or one that stands a thousand times", async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `p${n}=1`).join("&");
  assert.equal((await service.get(`/v1/courses?${many}`)).status, 400);
  const same = await service.get(`/v1/courses?${"sort=name&".repeat(1_000)}`);
  assert.deepEqual([same.status, ...parameters(same)], [400, "sort"]);
  const include = await service.get(`/v1/courses/${course}?include=${"teachers,".repeat(1_000)}`);
  assert.equal(include.status, 200);
});

test("431 · a URL longer than the headers may be", async () => {
  const answer = await service.get(`/v1/courses?filter[name]=${"x".repeat(20_000)}`);
  assert.deepEqual([answer.status, ...codes(answer)], [431, "headers-too-large"]);
});

test("400 · writes take the shape of their answer, and no filters or pages", async () => {
  for (const [method, path] of [
    ["POST", "/v1/courses"],
    ["PATCH", `/v1/courses/${course}`],
    ["DELETE", `/v1/courses/${course}`],
  ] as const)
    for (const query of [
      "filter[name]=x",
      "sort=name",
      "page[size]=1",
      "nonsense=1",
      "include=nonsense",
    ]) {
      const answer = await service.request(method, `${path}?${query}`, {
        ...(method !== "DELETE" && { body: { data: { type: "courses", id: course } } }),
      });
      assert.deepEqual([answer.status, ...parameters(answer)], [400, query.split("=")[0]]);
    }
  assert.equal((await service.get(`/v1/courses/${course}`)).status, 200);
});
