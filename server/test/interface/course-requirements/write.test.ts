import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makeCourse, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id);
const foundations = await makeCourse(db, account.id, "Foundations");

const to = (id: string | null) => ({ data: id === null ? null : { type: "courses", id } });
const create = (attributes: Record<string, unknown>, required?: string | null, resource = course) =>
  service.post(
    "/v1/course-requirements",
    document("course-requirements", attributes, {
      relationships: {
        course: to(resource),
        ...(required !== undefined && { "required-course": to(required) }),
      },
    }),
  );
const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(
    `/v1/course-requirements/${id}`,
    document("course-requirements", attributes, { id }),
  );

test("201 · each kind has its value, and requirements cause no event", async () => {
  const told = await eventsOf(async () => {
    for (const [attributes, required] of [
      [{ kind: "course" }, foundations],
      [{ kind: "course", relation: "corequisite", value: null }, foundations],
      [{ kind: "membership-status", value: ["member"], enforcement: "warn" }],
      [
        {
          kind: "membership-status",
          value: ["prospect", "visitor", "attender", "member", "former-member", "deceased"],
        },
      ],
      [{ kind: "baptized" }],
      [{ kind: "minimum-age", value: 1 }],
      [{ kind: "minimum-age", value: 120 }, null],
      [{ kind: "cell-member", value: null }],
    ] as const) {
      const answer = await create(attributes, required);
      assert.equal(answer.status, 201, answer.text);
      assert.partialDeepStrictEqual(one(answer).attributes, {
        enforcement: "block",
        relation: "prerequisite",
        value: null,
        ...attributes,
      });
      assert.equal(linkedId(one(answer), "required-course"), required ?? "");
      assert.equal((await service.delete(`/v1/course-requirements/${one(answer).id}`)).status, 204);
    }
  });
  assert.deepEqual(told, []);
});

const value = "/data/attributes/value";
const relation = "/data/attributes/relation";
const required = "/data/relationships/required-course";
const invalid: [attributes: Record<string, unknown>, required: string | undefined, at: string[]][] =
  [
    [{ kind: "course" }, undefined, [required]],
    [{ kind: "course", value: 1 }, foundations, [value]],
    [{ kind: "course" }, course, [`${required}/data`]],
    [{ kind: "course" }, newId(), [`${required}/data`]],
    [{ kind: "baptized" }, foundations, [required]],
    [{ kind: "baptized", value: true }, undefined, [value]],
    [{ kind: "baptized", relation: "corequisite" }, undefined, [relation]],
    [{ kind: "cell-member", value: [] }, undefined, [value]],
    [{ kind: "minimum-age" }, undefined, [value]],
    [{ kind: "minimum-age", value: 0 }, undefined, [value]],
    [{ kind: "minimum-age", value: 121 }, undefined, [value]],
    [{ kind: "minimum-age", value: 1.5 }, undefined, [value]],
    [{ kind: "minimum-age", value: "16" }, undefined, [value]],
    [{ kind: "membership-status" }, undefined, [value]],
    [{ kind: "membership-status", value: [] }, undefined, [value]],
    [{ kind: "membership-status", value: "member" }, undefined, [value]],
    [{ kind: "membership-status", value: ["member", "member"] }, undefined, [value]],
    [{ kind: "membership-status", value: ["bishop", {}] }, undefined, [value]],
    [{ kind: "approval" }, undefined, ["/data/attributes/kind"]],
    [
      { kind: "minimum-age", value: null, relation: "corequisite" },
      foundations,
      [value, relation, required],
    ],
  ];

for (const [attributes, link, at] of invalid)
  test(`422 · ${JSON.stringify(attributes)} ${link ? "with" : "without"} a required course`, async () => {
    const answer = await create(attributes, link);
    assert.deepEqual([answer.status, ...pointers(answer)], [422, ...at], answer.text);
  });

test("422 · a course of another account", async () => {
  const other = await makeAccount(db);
  const answer = await create({ kind: "course" }, await makeCourse(db, other.id));
  assert.deepEqual([answer.status, ...pointers(answer)], [422, `${required}/data`]);
});

test("422 · requirements in a circle, also when parallel requests close it", async () => {
  const [a = "", b = "", c = ""] = await Promise.all(
    ["A", "B", "C"].map((name) => makeCourse(db, account.id, name)),
  );
  const requires = (of: string, needed: string) => create({ kind: "course" }, needed, of);
  const answers = await Promise.all([requires(a, b), requires(b, c), requires(c, a)]);
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map((answer) => [answer.status, ...codes(answer), ...pointers(answer)]),
    [[422, "invalid-relationship", `${required}/data`]],
  );
  // Two paths to one course are no circle.
  const last = await makeCourse(db, account.id, "D");
  for (const needed of [a, b, c]) assert.equal((await requires(last, needed)).status, 201);
});

test("200 · enforcement, value and relation change, the rest is fixed", async () => {
  const age = one(await create({ kind: "minimum-age", value: 16 })).id;
  const changed = await change(age, { value: 18, enforcement: "warn" });
  assert.partialDeepStrictEqual(one(changed).attributes, { value: 18, enforcement: "warn" });
  assert.deepEqual(pointers(await change(age, { value: null })), [value]);
  assert.deepEqual(pointers(await change(age, { relation: "corequisite" })), [relation]);
  const fixed = await change(age, { kind: "baptized" });
  assert.deepEqual([fixed.status, ...codes(fixed)], [422, "read-only-attribute"]);
  const id = one(await create({ kind: "course" }, foundations)).id;
  assert.equal((await change(id, { relation: "corequisite" })).status, 200);
  const body = document(
    "course-requirements",
    {},
    {
      id,
      relationships: { "required-course": to(await makeCourse(db, account.id)) },
    },
  );
  const moved = await service.patch(`/v1/course-requirements/${id}`, body);
  assert.deepEqual([moved.status, ...codes(moved)], [422, "read-only-attribute"]);
});

test("409 · a course has at most 20 requirements, also when two requests race for the last one", async () => {
  const full = await makeCourse(db, account.id, "Full");
  for (let count = 0; count < 19; count += 1)
    await makeRow(db, "course_requirements", account.id, { course_id: full, kind: "baptized" });
  const answers = await Promise.all(
    [1, 2].map(() => create({ kind: "baptized" }, undefined, full)),
  );
  const [refused, ...others] = answers.filter(({ status }) => status !== 201);
  assert.equal(others.length, 0);
  assert.partialDeepStrictEqual(refused?.document.errors?.[0], {
    status: "409",
    code: "limit-reached",
    meta: { limit: 20 },
  });
});

test("200 · filters by course and kind, and the requirements of a deleted course are gone", async () => {
  const [resource, needed] = [
    await makeCourse(db, account.id, "Of"),
    await makeCourse(db, account.id),
  ];
  const byCourse = one(await create({ kind: "course" }, needed, resource)).id;
  const byAge = one(await create({ kind: "minimum-age", value: 16 }, undefined, resource)).id;
  const found = async (query: string) =>
    ids(await service.get(`/v1/course-requirements?filter[course]=${resource}${query}`));
  assert.deepEqual(await found(""), [byCourse, byAge]);
  assert.deepEqual(await found("&filter[kind]=minimum-age,baptized"), [byAge]);
  await service.delete(`/v1/courses/${needed}`);
  assert.deepEqual(await found(""), [byAge]);
});
