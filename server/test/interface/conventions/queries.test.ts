import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson } from "../../support/make.ts";
import { codes, ids, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const course = await makeCourse(service.db, service.account.id);

const lists = ["/v1/courses", "/v1/people", "/v1/roles", `/v1/courses/${course}/teachers`];
const ones = [
  `/v1/courses/${course}`,
  "/v1/people/me",
  "/v1/accounts/me",
  `/v1/courses/${course}/relationships/teachers`,
];

test("400 · every unknown parameter is named", async () => {
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

test("400 · unknown names and invalid values have different codes", async () => {
  for (const [query, code] of [
    ["nonsense=1", "unknown-parameter"],
    ["page[offset]=1", "unknown-parameter"],
    ["filter[nonsense]=1", "unknown-parameter"],
    ["filter[is-active]=maybe", "invalid-parameter"],
    ["sort=nonsense", "invalid-parameter"],
    ["include=nonsense", "invalid-parameter"],
    ["page[size]=0", "invalid-parameter"],
  ] as const)
    assert.deepEqual(codes(await service.get(`/v1/courses?${query}`)), [code], query);
});

test("400 · the error for an unknown name suggests a known one and lists them", async () => {
  const cases: Record<string, RegExp> = {
    "courses?sort=nme": /^Must be one of: id, name, .*Did you mean "name"\?/,
    "courses?include=teacher": /lessons.*Did you mean "teachers"\?/,
    "courses?include=lessons.createdBy": /Did you mean "lessons\.created-by"\?/,
    "courses?filter[isActive]=true": /Did you mean "is-active"\? Filters: id, /,
    "courses?filter[x]=1": /^Unknown name "x"\. Filters: id, /,
    "courses?fields[courses]=naem": /Did you mean "name"\?/,
    "courses?fields[course]=name": /Types: .*, courses, /,
    "courses?page[offset]=10": /Use page\[number\]\./,
    "courses?page[limit]=10": /Use page\[size\]\./,
    "courses?includes=teachers": /Did you mean "include"\?/,
    "webhook-event-types?fields[webhook-event-types]=descripton": /Did you mean "description"\?/,
  };
  for (const [path, words] of Object.entries(cases)) {
    const answer = await service.get(`/v1/${path}`);
    assert.equal(answer.status, 400, path);
    assert.match(answer.document.errors?.[0]?.detail ?? "", words);
  }
});

test("400 · a query that is not percent-encoded UTF-8 is rejected, not searched for", async () => {
  const paths = [...lists, ...ones, "/v1/webhook-event-types", "/v1/webhook-endpoints"];
  const broken = [
    "%",
    "%ZZ",
    "%E9",
    "%C3%28",
    "%ED%A0%80",
    "%e0%a4%a",
    "%ff%fe",
    "%c0%80",
    "%u0041",
  ];
  const refused = async (path: string, query: string, ...named: string[]) => {
    const answer = await service.get(`${path}?${query}`);
    const told = answer.document.errors?.map(({ code, detail, source }) => [
      code,
      detail,
      source?.parameter,
    ]);
    const expected = named.map((name) => [
      "invalid-parameter",
      "Must be percent-encoded UTF-8, such as Jos%C3%A9.",
      name,
    ]);
    assert.deepEqual([answer.status, told], [400, expected], `${path}?${query}`);
  };
  for (const text of broken) {
    for (const name of [
      "filter[name]",
      "filter%5Bname%5D",
      "include",
      "fields[people]",
      "nonsense",
    ])
      await refused("/v1/people", `${name}=Jos${text}`, decodeURIComponent(name));
    for (const path of paths) await refused(path, `include=${text}`, "include");
  }
  await refused("/v1/people", "page[size]=1&filter[name]=a&filter[name]=%E9", "filter[name]");
  await refused("/v1/people", "sort=%&page[after]=%E9", "sort", "page[after]");
  await refused("/v1/people", "filter%5Bname%E9%5D=Ana", "filter[name\u{fffd}]");
  await refused("/v1/people", "__proto__=%E9&a+b=%E9", "__proto__", "a b");
  const both = await service.get("/v1/people?filter[name]=%E9&filter[x]=1");
  assert.deepEqual(parameters(both), ["filter[name]", "filter[x]"]);
  const written = await service.post("/v1/people?include=%E9", {});
  assert.deepEqual([written.status, ...parameters(written)], [400, "include"]);
});

test("200 · names and values may be percent-encoded or not", async () => {
  const { id } = await makePerson(service.db, service.account.id, { fullName: "José da Silva" });
  for (const query of [
    "filter[name]=Jos%C3%A9+da",
    "filter%5Bname%5D=jos%c3%a9%20da",
    "filter[name]=jose",
  ]) {
    const answer = await service.get(`/v1/people?${query}`);
    assert.deepEqual([answer.status, ids(answer)], [200, [id]], query);
  }
});

test("200 · an empty query has no effect", async () => {
  for (const query of ["?filter%5Bname%5D=found", "?", "?&", "?&&page%5bsize%5d=1"])
    assert.equal((await service.get(`/v1/courses${query}`)).status, 200, query);
});

test("400 · a thousand parameters, or one parameter a thousand times, are rejected", async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `p${n}=1`).join("&");
  assert.equal((await service.get(`/v1/courses?${many}`)).status, 400);
  const same = await service.get(`/v1/courses?${"sort=name&".repeat(1_000)}`);
  assert.deepEqual([same.status, ...parameters(same)], [400, "sort"]);
  const include = await service.get(`/v1/courses/${course}?include=${"teachers,".repeat(1_000)}`);
  assert.equal(include.status, 200);
});

test("431 · a URL longer than the limit on headers is rejected", async () => {
  const answer = await service.get(`/v1/courses?filter[name]=${"x".repeat(20_000)}`);
  assert.deepEqual([answer.status, ...codes(answer)], [431, "headers-too-large"]);
});

test("400 · writes accept include and fields, but no filters, sorts or pages", async () => {
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
