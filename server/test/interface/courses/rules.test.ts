import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeSession,
  makeCoordinator,
} from "../../support/courses.ts";
import { makeAccount, makeCourse, makeEndpoint } from "../../support/make.ts";
import { document, eventsOf, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const options = (as: string | undefined) => (as ? { as } : {});
const create = (attributes: Record<string, unknown>, as?: string) =>
  service.post("/v1/courses", document("courses", { name: "New", ...attributes }), options(as));
const change = (id: string, attributes: Record<string, unknown>, as?: string) =>
  service.patch(`/v1/courses/${id}`, document("courses", attributes, { id }), options(as));

test("201 · a price without a currency takes that of the account, or stays without one", async () => {
  const other = await makeAccount(db);
  const as = other.administrator.token;
  const priced = async (attributes: Record<string, unknown>) =>
    one(await create(attributes, as)).attributes["price-currency"];
  assert.equal(await priced({ price: 100 }), null);
  await db`update accounts set settings = settings || '{"currency": "BRL"}' where id = ${other.id}`;
  assert.equal(await priced({ price: 100 }), "BRL");
  assert.equal(await priced({ "price": 100, "price-currency": "EUR" }), "EUR");
  assert.equal(await priced({ "price": 100, "price-currency": null }), null);
  assert.equal(await priced({}), null);

  const { id } = one(await create({}, as));
  const changed = one(await change(id, { price: 100 }, as));
  assert.partialDeepStrictEqual(changed.attributes, { "price": 100, "price-currency": "BRL" });
  await change(id, { "price-currency": "EUR" }, as);
  const again = one(await change(id, { price: 200 }, as));
  assert.equal(again.attributes["price-currency"], "EUR");
  const without = one(await change(id, { "price-currency": null }, as));
  assert.partialDeepStrictEqual(without.attributes, { "price": 200, "price-currency": null });
});

test("403 · only callers with courses:write for the account change is-public", async () => {
  const course = await makeCourse(db, account.id);
  const coordinator = await makeCoordinator(db, account.id, course);
  const as = coordinator.token;
  const refused = await change(course, { "is-public": true, "summary": "Not stored" }, as);
  assert.deepEqual([refused.status, ...pointers(refused)], [403, "/data/attributes/is-public"]);
  const same = await change(course, { "is-public": false, "summary": "Stored" }, as);
  assert.equal(same.status, 200, same.text);
  assert.equal((await change(course, { "is-public": true })).status, 200);
  const hidden = await change(course, { "is-public": false }, as);
  assert.deepEqual([hidden.status, ...pointers(hidden)], [403, "/data/attributes/is-public"]);
});

test("200 · a change of the rules computes progress again, and can complete enrollments", async () => {
  const course = await makeCourse(db, account.id);
  await change(course, { "graduation-mode": "manual" });
  const classId = await makeClass(db, account.id, course);
  const enrollment_id = await makeEnrollment(db, account.id, classId);
  for (const [number, status] of [
    [1, "present"],
    [2, "excused"],
    [3, "absent"],
  ] as const) {
    const lesson_id = await makeLesson(db, account.id, course, number);
    const session = await makeSession(db, account.id, classId, { lesson_id, status: "held" });
    await makeAttendance(db, account.id, session, { enrollment_id, status });
  }
  const progress = async () => {
    const [row] = await db<{ text: string }[]>`
      select concat_ws(' ', lessons_attended, lessons_required, is_eligible_to_graduate, status) as text
      from course_enrollments where id = ${enrollment_id}`;
    return row?.text;
  };
  await change(course, { "lessons-to-graduate": 2 });
  assert.equal(await progress(), "1 2 f active");
  await change(course, { "excused-counts": true });
  assert.equal(await progress(), "2 2 t active");
  const told = await eventsOf(async () => {
    const answer = await change(course, { "graduation-mode": "automatic" });
    assert.equal(one(answer).attributes["enrolled-count"], 0);
    assert.equal(one(answer).relationships["completed-by"]?.meta?.["total"], 1);
  });
  assert.deepEqual(told, ["course.updated", "course-enrollment.completed"]);
  assert.equal(await progress(), "2 2 t completed");
  await change(course, { "lessons-to-graduate": 0 });
  assert.equal(await progress(), "2 3 f completed");
});

test("200 · events name custom fields one by one, and never restricted ones", async () => {
  await makeEndpoint(db, account.id, { events: ["course.updated"] });
  const courses = {
    room: { type: "string" },
    level: { type: "integer" },
    budget: { "type": "integer", "read-access": "staff" },
  };
  const definitions = { "custom-properties": { courses } };
  await service.patch("/v1/accounts/me", document("accounts", definitions, { id: account.id }));
  const id = await makeCourse(db, account.id, "Own fields");
  const told = async (values: object) => {
    assert.equal((await change(id, { "custom-properties": values })).status, 200);
    const [event] = await db<{ changed: string[]; shown: unknown }[]>`
      select changed_fields as changed, snapshot::json -> 'attributes' -> 'custom-properties' as shown
      from webhook_events where account_id = ${account.id} and subject_id = ${id} order by id desc`;
    return [event?.changed.toSorted(), event?.shown];
  };
  const [room, level] = ["custom-properties.room", "custom-properties.level"];
  const attic = { room: "Attic", level: 1 };
  assert.deepEqual(await told({ ...attic, budget: 7 }), [[level, room], attic]);
  assert.deepEqual(await told({ ...attic, level: 2 }), [[level], { ...attic, level: 2 }]);
  assert.deepEqual(await told({ room: null }), [[room], { level: 2 }]);
  assert.deepEqual(await told({ budget: 8 }), [[], { level: 2 }]);
});
