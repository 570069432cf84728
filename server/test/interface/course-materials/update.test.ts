import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeClass } from "../../support/courses.ts";
import { makeCourse, makeEndpoint, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, {
  events: ["course-material.updated", "course-material.deleted"],
});

const course = await makeCourse(db, account.id);
const ownClass = await makeClass(db, account.id, course);
const otherClass = await makeClass(db, account.id, course);

const make = (columns: Record<string, string | null> = {}) =>
  makeRow(db, "course_materials", account.id, { course_id: course, title: "Guide", ...columns });
const change = (
  id: string,
  attributes: Record<string, unknown>,
  { as = account.administrator.token, relationships = {} } = {},
) =>
  service.patch(
    `/v1/course-materials/${id}`,
    document("course-materials", attributes, { id, relationships }),
    { as },
  );

test("200 · a material changes, with one event that names the changes", async () => {
  const id = await make();
  const lesson = await makeRow(db, "course_lessons", account.id, {
    course_id: course,
    name: "One",
    number: 1,
  });
  const relationships = { lesson: { data: { type: "course-lessons", id: lesson } } };
  const events = await eventsOf(async () => {
    const changed = one(
      await change(id, { title: "Workbook", content: "<b>x</b>" }, { relationships }),
    );
    assert.deepEqual(
      [changed.attributes["title"], changed.attributes["content"], linkedId(changed, "lesson")],
      ["Workbook", "x\n", lesson],
    );
  });
  assert.deepEqual(events, ["course-material.updated"]);
  assert.deepEqual(await eventsOf(() => change(id, { title: "Workbook" })), []);
});

test("200 · published-at is the time at which the material first left draft", async () => {
  const id = await make();
  const publish = async (status: string) =>
    one(await change(id, { "publish-status": status })).attributes["published-at"];
  assert.equal(await publish("draft"), null);
  const first = await publish("unlisted");
  assert.ok(first);
  for (const status of ["draft", "public", "unlisted"]) assert.equal(await publish(status), first);
});

test("422 · the course and the class cannot change, and a lesson is of the same course", async () => {
  const id = await make({ class_id: ownClass });
  const other = await makeCourse(db, account.id);
  const otherLesson = await makeRow(db, "course_lessons", account.id, {
    course_id: other,
    name: "One",
    number: 1,
  });
  for (const [name, to, code] of [
    ["course", { type: "courses", id: other }, "read-only-attribute"],
    ["class", { type: "course-classes", id: otherClass }, "read-only-attribute"],
    ["class", null, "read-only-attribute"],
    ["lesson", { type: "course-lessons", id: otherLesson }, "invalid-relationship"],
    ["lesson", { type: "course-lessons", id: newId() }, "invalid-relationship"],
  ] as const) {
    const answer = await change(id, {}, { relationships: { [name]: { data: to } } });
    assert.deepEqual([answer.status, codes(answer)], [422, [code]], name);
    assert.ok(pointers(answer)[0]?.startsWith(`/data/relationships/${name}`));
  }
  const linked = await service.patch(`/v1/course-materials/${id}/relationships/lesson`, {
    data: { type: "course-lessons", id: otherLesson },
  });
  assert.deepEqual([linked.status, pointers(linked)], [422, ["/data"]]);
});

test("204 · a deletion emits one event, and the lesson stays without its material", async () => {
  const id = await make();
  const events = await eventsOf(async () => {
    assert.equal((await service.delete(`/v1/course-materials/${id}`)).status, 204);
  });
  assert.deepEqual(events, ["course-material.deleted"]);
  assert.equal((await service.get(`/v1/course-materials/${id}`)).status, 404);
});

test("204 · a class takes its materials with it, and a lesson does not", async () => {
  const lesson_id = await makeRow(db, "course_lessons", account.id, {
    course_id: course,
    name: "Two",
    number: 2,
  });
  const gone = await makeClass(db, account.id, course);
  const [ofClass, ofLesson] = [await make({ class_id: gone }), await make({ lesson_id })];
  await db`delete from course_classes where account_id = ${account.id} and id = ${gone}`;
  await db`delete from course_lessons where account_id = ${account.id} and id = ${lesson_id}`;
  assert.equal((await service.get(`/v1/course-materials/${ofClass}`)).status, 404);
  const kept = one(await service.get(`/v1/course-materials/${ofLesson}`));
  assert.deepEqual([kept.relationships["lesson"]?.data, linkedId(kept, "course")], [null, course]);
});
