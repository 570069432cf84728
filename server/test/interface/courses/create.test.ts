import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  identifiers,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);

const everything = {
  "name": "Fundações da fé",
  "description": "Twelve evenings.\nBring a friend.",
  "price": 12_050,
  "price-currency": "BRL",
  "lessons-to-graduate": 10,
  "is-active": false,
  "code": "F-1",
  "summary": "Where to start",
  "is-public": true,
  "enrollment-policy": "open",
  "graduation-mode": "manual",
  "excused-counts": true,
  "has-certificate": true,
  "certificate-valid-months": 24,
  "category": "Basics",
  "order": 3,
  "position-in-path": 1,
};

const create = (
  attributes: Record<string, unknown>,
  more: Parameters<typeof document>[2] = {},
  options: Parameters<typeof service.post>[2] = {},
) => service.post("/v1/courses", document("courses", attributes, more), options);

const count = async () => (await service.get("/v1/courses")).document.meta?.["total"];

test("201 · every attribute is kept as it was sent, and read back at Location", async () => {
  const created = await create(everything);
  assert.equal(created.status, 201);
  const course = one(created);
  const location = created.headers.get("location");
  assert.equal(location, `${PUBLIC_URL}/v1/courses/${course.id}`);
  assert.partialDeepStrictEqual(course.attributes, everything);
  const read = await service.get(location ?? "");
  assert.deepEqual(one(read), course);
  assert.equal(etag(read), etag(created));
});

test("201 · what is left out has its default, and the maker is known", async () => {
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

test("201 · teachers are linked, each once, and course.created is told once", async () => {
  const teacher = await makePerson(db, account.id);
  const relationships = { teachers: identifiers("people", [teacher.id, teacher.id]) };
  let course = {} as ReturnType<typeof one>;
  const events = await eventsOf(async () => {
    course = one(await create({ name: "Taught" }, { relationships }));
  });
  assert.deepEqual(events, ["course.created"]);
  assert.deepEqual(course.relationships["teachers"]?.data, [{ type: "people", id: teacher.id }]);
});

test("201 · include and fields shape the answer as they do when reading", async () => {
  const answer = await service.post(
    "/v1/courses?include=created-by&fields[courses]=name,created-by&fields[people]=full-name",
    document("courses", { name: "Shaped" }),
  );
  assert.deepEqual(one(answer).attributes, { name: "Shaped" });
  assert.deepEqual(Object.keys(one(answer).relationships), ["created-by"]);
  assert.deepEqual(answer.document.included?.[0]?.attributes, { "full-name": "Ada Administrator" });
});

test("201 · a free course needs no currency", async () => {
  assert.equal((await create({ name: "Free", price: 0 })).status, 201);
});

test("422 · a course with a price needs a currency", async () => {
  const before = await count();
  const answer = await create({ name: "Dear", price: 100 });
  assert.equal(answer.status, 422);
  assert.deepEqual(pointers(answer), ["/data/attributes/price-currency"]);
  assert.equal(await count(), before);
});

test("422 · every invalid attribute is reported at once, each with its pointer", async () => {
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

test("422 · a name is required, has 1 to 200 characters, and something to be seen", async () => {
  assert.deepEqual(codes(await create({})), ["missing-attribute"]);
  for (const name of ["", "   ", "x".repeat(201), null, 7, ["x"], {}])
    assert.deepEqual(pointers(await create({ name })), ["/data/attributes/name"]);
  for (const unseen of ["\u200b", "\u202e\ufeff", "\u2060 \u00ad", "\u3164", "\u0007", "\u2800"]) {
    const [refusal] = (await create({ name: unseen })).document.errors ?? [];
    assert.equal(refusal?.detail, "Must be text that is not blank.", JSON.stringify(unseen));
  }
  assert.equal((await create({ name: "\u200bשלום\u200f" })).status, 201);
  assert.equal((await create({ name: "x".repeat(200) })).status, 201);
  assert.equal((await create({ name: "🙏".repeat(200) })).status, 201);
});

test("422 · one character with ten thousand accents is not one character", async () => {
  for (const name of [
    `a${"\u0483".repeat(10_000)}`,
    "👨‍👩‍👧".repeat(201),
    `x${"\u200d👧".repeat(5_000)}`,
  ])
    assert.deepEqual(pointers(await create({ name })), ["/data/attributes/name"]);
});

test("422 · an unknown person or one of another account is no teacher, and nothing is kept", async () => {
  const before = await count();
  for (const id of [newId(), other.administrator.id, "me", "", "x'); drop table people; --"]) {
    const relationships = { teachers: identifiers("people", [account.administrator.id, id]) };
    const answer = await create({ name: "Untaught" }, { relationships });
    assert.equal(answer.status, 422, id);
    assert.deepEqual(codes(answer), ["invalid-relationship"]);
    assert.match(String(pointers(answer)[0]), /^\/data\/relationships\/teachers\/data/);
  }
  assert.equal(await count(), before);
});

test("422 · relationships that are unknown, read-only or malformed are refused with their pointers", async () => {
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

test("422 · each limit is kept to the last character and the last unit, and not beyond", async () => {
  const limit: Record<string, { at: unknown[]; beyond: unknown[] }> = {
    "description": { at: ["", "x".repeat(10_000)], beyond: ["x".repeat(10_001)] },
    "summary": { at: ["", "x".repeat(500)], beyond: ["x".repeat(501)] },
    "code": { at: ["x".repeat(40)], beyond: ["x".repeat(41)] },
    "price": { at: [0, 1_000_000_000], beyond: [-1, 1_000_000_001, 0.5, "5"] },
    "price-currency": { at: ["BRL"], beyond: ["brl", "BR", "XXXX", "ZZZ"] },
    "lessons-to-graduate": { at: [0, 500, null], beyond: [-1, 501] },
    "certificate-valid-months": { at: [1, null], beyond: [0] },
    "is-active": { at: [true, false], beyond: [null, 0, "true"] },
    "is-public": { at: [true, false], beyond: [null] },
    "enrollment-policy": { at: ["open", "request", "closed"], beyond: [null, "Open"] },
    "graduation-mode": { at: ["automatic", "manual"], beyond: [null, "never"] },
  };
  const sent = (name: string, value: unknown) =>
    create({ "name": "Limited", "price-currency": "EUR", [name]: value });
  for (const [name, { at, beyond }] of Object.entries(limit)) {
    for (const value of at) {
      const answer = await sent(name, value);
      assert.equal(answer.status, 201, `${name} ${answer.text}`);
      assert.equal(one(answer).attributes[name], value);
    }
    for (const value of beyond) {
      const answer = await sent(name, value);
      assert.deepEqual(
        [answer.status, ...codes(answer), ...pointers(answer)],
        [422, "invalid-attribute", `/data/attributes/${name}`],
        `${name} ${JSON.stringify(value)}`,
      );
    }
  }
});

test("201 · fields of an account's own: by its definitions, their defaults where nothing is said", async () => {
  const texts = ["a", "b", "c", "d"];
  const courses = {
    room: { type: "string", required: true },
    level: { type: "integer", default: 1, max: 3 },
    ...Object.fromEntries(texts.map((name) => [name, { type: "text" }])),
  };
  const account = document("accounts", { "custom-properties": { courses } }, { id: other.id });
  const as = other.administrator.token;
  const defined = await service.patch(`/v1/accounts/${other.id}`, account, { as });
  assert.equal(defined.status, 200, defined.text);
  const own = (values?: object) =>
    create({ name: "Own", ...(values && { "custom-properties": values }) }, {}, { as });
  const kept = one(await own({ room: "Attic" })).attributes["custom-properties"];
  assert.deepEqual(kept, { room: "Attic", level: 1 });
  for (const [values, code, field] of [
    [undefined, "missing-attribute", "/room"],
    [{ room: "Attic", level: 4 }, "invalid-attribute", "/level"],
    [{ room: "Attic", size: 1 }, "unknown-attribute", "/size"],
    [{ room: null }, "invalid-attribute", "/room"],
    [
      { room: "x", ...Object.fromEntries(texts.map((name) => [name, "x".repeat(20_000)])) },
      "invalid-attribute",
      "",
    ],
  ] as const) {
    const answer = await own(values);
    assert.deepEqual(
      [answer.status, ...codes(answer), ...pointers(answer)],
      [422, code, `/data/attributes/custom-properties${field}`],
    );
  }
  const found = await service.get("/v1/courses?filter[custom-properties.level]=1", { as });
  assert.equal(found.document.meta?.["total"], 1);
});

test("422 · what the service sets nobody else sets", async () => {
  for (const [name, value] of Object.entries({
    "created-at": "2026-01-01T00:00:00.000Z",
    "modified-at": "2026-01-01T00:00:00.000Z",
    "image-url": "https://example.org/image.png",
    "lessons-count": 0,
    "open-classes-count": 0,
    "enrolled-count": 0,
  })) {
    const answer = await create({ name: "Set", [name]: value });
    assert.deepEqual(
      [answer.status, ...codes(answer), ...pointers(answer)],
      [422, "read-only-attribute", `/data/attributes/${name}`],
    );
  }
});

test("403 · the service makes the ids", async () => {
  const answer = await create({ name: "Mine" }, { id: newId() });
  assert.equal(answer.status, 403);
  assert.deepEqual(codes(answer), ["client-id-unsupported"]);
});

test("403 · who only reads courses makes none", async () => {
  const member = await makePerson(db, account.id);
  const answer = await create({ name: "Mine" }, {}, { as: member.token });
  assert.equal(answer.status, 403);
  assert.deepEqual(codes(answer), ["forbidden"]);
});

test("409 · another type is refused", async () => {
  const answer = await service.post("/v1/courses", document("people", { name: "x" }));
  assert.equal(answer.status, 409);
  assert.deepEqual(pointers(answer), ["/data/type"]);
});
