import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { makeCourse, makeRow } from "../../support/make.ts";
import { codes, ids, many, one, startService, type TestService } from "../../support/service.ts";
import { openPublicArea, visitorOf } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService();
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());
beforeEach(() => service.db`delete from courses where account_id = ${service.account.id}`);

const get = (path = "") => service.get(`/p/v1/courses${path}`, visitorOf(accountId));

const makePublicCourse = (columns: Parameters<typeof makeRow>[3] = {}) =>
  makeRow(service.db, "courses", accountId, { name: "Foundations", is_public: true, ...columns });

const names = (answer: Awaited<ReturnType<typeof get>>) =>
  many(answer).map(({ attributes }) => attributes["name"]);

test("200 · a course has what a website shows, and nothing else", async () => {
  const id = await makePublicCourse({
    summary: "Eight evenings.",
    description: "The Christian faith in eight evenings.",
    price: 4_500,
    price_currency: "EUR",
    lessons_to_graduate: 6,
    category: "Discipleship",
    code: "F-1",
  });
  const attributes = {
    "name": "Foundations",
    "summary": "Eight evenings.",
    "description": "The Christian faith in eight evenings.",
    "price": 4_500,
    "price-currency": "EUR",
    "lessons-to-graduate": 6,
    "image-url": null,
    "category": "Discipleship",
    "enrollment-policy": "request",
    "has-open-classes": false,
  };
  assert.deepEqual(many(await get())[0]?.attributes, attributes);
  assert.deepEqual(one(await get(`/${id}`)).attributes, { ...attributes, lessons: [] });
});

test("200 · a single course has its active lessons in their order", async () => {
  const id = await makePublicCourse();
  for (const [number, name] of [
    [2, "The Spirit"],
    [1, "The Father"],
  ] as const)
    await makeRow(service.db, "course_lessons", accountId, { course_id: id, name, number });
  const inactive = { course_id: id, name: "Old", number: 3, is_active: false };
  await makeRow(service.db, "course_lessons", accountId, inactive);
  assert.deepEqual(one(await get(`/${id}`)).attributes["lessons"], [
    { number: 1, name: "The Father" },
    { number: 2, name: "The Spirit" },
  ]);
});

test("404 · a private and an inactive course do not exist, and the list omits them", async () => {
  const isPrivate = await makeCourse(service.db, accountId);
  const inactive = await makePublicCourse({ is_active: false });
  assert.deepEqual(ids(await get()), []);
  for (const id of [isPrivate, inactive])
    assert.deepEqual(codes(await get(`/${id}`)), ["not-found"]);
});

test("200 · courses are found by name and category, and sorted by order and name", async () => {
  await makePublicCourse({ name: "Família", category: "Home", order: 3 });
  await makePublicCourse({ name: "Baptism", category: "First steps", order: 1 });
  await makePublicCourse({ name: "Alpha", category: "First steps", order: 2 });
  assert.deepEqual(names(await get()), ["Alpha", "Baptism", "Família"]);
  assert.deepEqual(names(await get("?sort=order,name")), ["Baptism", "Alpha", "Família"]);
  assert.deepEqual(names(await get("?filter[name]=famil")), ["Família"]);
  assert.deepEqual(names(await get("?filter[category]=first steps")), ["Alpha", "Baptism"]);
  assert.deepEqual(codes(await get("?filter[is-active]=false")), ["unknown-parameter"]);
  assert.deepEqual(codes(await get("?sort=created-at")), ["invalid-parameter"]);
});
