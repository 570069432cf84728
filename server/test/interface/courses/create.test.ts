import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  identifiers,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const create = (
  attributes: Record<string, unknown>,
  more: Parameters<typeof document>[2] = {},
  options: Parameters<typeof service.post>[2] = {},
) => service.post("/v1/courses", document("courses", attributes, more), options);

test("201 · attributes that are not sent have their default, and created-by names the caller", async () => {
  const course = one(await create({ name: "Short" }));
  assert.partialDeepStrictEqual(course.attributes, {
    "description": null,
    "price": null,
    "price-currency": null,
    "lessons-to-graduate": null,
    "is-active": true,
    "is-public": false,
    "lessons-count": 0,
    "open-classes-count": 0,
    "enrolled-count": 0,
    "custom-properties": {},
  });
  assert.match(String(course.attributes["created-at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(course.attributes["modified-at"], course.attributes["created-at"]);
  const me = { type: "people", id: account.administrator.id };
  assert.deepEqual(course.relationships["created-by"]?.data, me);
  assert.deepEqual(course.relationships["modified-by"]?.data, me);
});

test("201 · a teacher who is named twice is linked once, and course.created is captured once", async () => {
  const teacher = await makePerson(db, account.id);
  const relationships = { teachers: identifiers("people", [teacher.id, teacher.id]) };
  let course = {} as ReturnType<typeof one>;
  const events = await eventsOf(async () => {
    course = one(await create({ name: "Taught" }, { relationships }));
  });
  assert.deepEqual(events, ["course.created"]);
  assert.deepEqual(course.relationships["teachers"]?.data, [{ type: "people", id: teacher.id }]);
});

test("201 · include and fields shape the response to a write", async () => {
  const answer = await service.post(
    "/v1/courses?include=created-by&fields[courses]=name,created-by&fields[people]=full-name",
    document("courses", { name: "Shaped" }),
  );
  assert.deepEqual(one(answer).attributes, { name: "Shaped" });
  assert.deepEqual(Object.keys(one(answer).relationships), ["created-by"]);
  assert.deepEqual(answer.document.included?.[0]?.attributes, { "full-name": "Ada Administrator" });
});

test("422 · one response reports every invalid attribute, each with its pointer", async () => {
  const answer = await create({
    "name": "",
    "description": 5,
    "price": -1,
    "price-currency": "reais",
    "lessons-to-graduate": 501,
    "is-active": "yes",
    "enrollment-policy": "sometimes",
    "order": 1.5,
    "created-at": "2026-01-01T00:00:00.000Z",
    "lessons-count": 3,
    "colour": "blue",
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set(
      [
        "colour",
        "created-at",
        "description",
        "enrollment-policy",
        "is-active",
        "lessons-count",
        "lessons-to-graduate",
        "name",
        "order",
        "price",
        "price-currency",
      ].map((name) => `/data/attributes/${name}`),
    ),
  );
  assert.deepEqual([...new Set(codes(answer))].sort(), [
    "invalid-attribute",
    "read-only-attribute",
    "unknown-attribute",
  ]);
});

test("422 · a length counts code points, so accents and joined emoji count too", async () => {
  for (const name of [
    `a${"\u0483".repeat(10_000)}`,
    "👨‍👩‍👧".repeat(201),
    `x${"\u200d👧".repeat(5_000)}`,
  ])
    assert.deepEqual(pointers(await create({ name })), ["/data/attributes/name"]);
});

test("422 · unknown, read-only and malformed relationships are rejected with their pointers", async () => {
  const answer = await create(
    { name: "Wrongly related" },
    {
      relationships: {
        "friends": { data: [] },
        "created-by": { data: { type: "people", id: account.administrator.id } },
        "lessons": { data: [] },
        "teachers": { data: [{ type: "courses", id: newId() }, { type: "people" }, null, "x"] },
      },
    },
  );
  assert.equal(answer.status, 422);
  assert.deepEqual(pointers(answer), [
    "/data/relationships/friends",
    "/data/relationships/created-by",
    "/data/relationships/lessons",
    "/data/relationships/teachers/data/0/type",
    "/data/relationships/teachers/data/1",
    "/data/relationships/teachers/data/2",
    "/data/relationships/teachers/data/3",
  ]);
  for (const teachers of [null, [], {}, { data: null }, { data: {} }, { links: {} }])
    assert.deepEqual(codes(await create({ name: "x" }, { relationships: { teachers } })), [
      "invalid-relationship",
    ]);
});
