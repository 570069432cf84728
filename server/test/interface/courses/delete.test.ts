import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { codes, document, etag, eventsOf, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

test("204 · deleting a course deletes its lessons, classes, materials and enrollments, and no person", async () => {
  const course = await makeCourse(db, account.id);
  const person = await makePerson(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${course}, ${person.id})`;
  const kept = { course_id: course };
  const classId = await makeRow(db, "course_classes", account.id, { ...kept, name: "Spring" });
  await makeRow(db, "course_lessons", account.id, { ...kept, name: "One", number: 1 });
  await makeRow(db, "course_materials", account.id, { ...kept, title: "A", audience: "student" });
  await makeRow(db, "course_requirements", account.id, { ...kept, kind: "baptized" });
  await makeRow(db, "course_enrollments", account.id, {
    ...kept,
    class_id: classId,
    person_id: person.id,
  });

  const events = await eventsOf(async () => {
    const answer = await service.delete(`/v1/courses/${course}`);
    assert.equal(answer.status, 204);
    assert.equal(answer.text, "");
  });
  assert.deepEqual(events, ["course.deleted"]);
  for (const type of [
    "courses",
    "course-classes",
    "course-lessons",
    "course-materials",
    "course-requirements",
    "course-enrollments",
  ])
    assert.equal((await service.get(`/v1/${type}`)).document.meta?.["total"], 0, type);
  assert.equal((await service.get(`/v1/people/${person.id}`)).status, 200);
  assert.equal((await service.delete(`/v1/courses/${course}`)).status, 404);
});

test("204 · a DELETE without a body may have a Content-Type", async () => {
  const course = await makeCourse(db, account.id);
  const headers = { "Content-Type": "application/vnd.api+json" };
  assert.equal((await service.delete(`/v1/courses/${course}`, { headers })).status, 204);
});

test("409 · a stale If-Match deletes nothing", async () => {
  const course = await makeCourse(db, account.id);
  const path = `/v1/courses/${course}`;
  const stale = etag(await service.get(path));
  await service.patch(path, document("courses", { name: "Newer" }, { id: course }));
  const answer = await service.delete(path, { headers: { "If-Match": stale } });
  assert.equal(answer.status, 409);
  assert.deepEqual(codes(answer), ["stale-version"]);
  const fresh = etag(await service.get(path));
  assert.equal((await service.delete(path, { headers: { "If-Match": fresh } })).status, 204);
});

test("404 · five concurrent deletions delete once and capture course.deleted once", async () => {
  const course = await makeCourse(db, account.id);
  const events = await eventsOf(async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.delete(`/v1/courses/${course}`)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [204, 404, 404, 404, 404]);
  });
  assert.deepEqual(events, ["course.deleted"]);
});

test("204 · deleting a course deletes the requirements that name it, and not the courses that have them", async () => {
  const [first, next] = [await makeCourse(db, account.id), await makeCourse(db, account.id)];
  await makeRow(db, "course_requirements", account.id, {
    course_id: next,
    kind: "course",
    required_course_id: first,
  });
  assert.equal((await service.delete(`/v1/courses/${first}`)).status, 204);
  const answer = await service.get(`/v1/courses/${next}/requirements`);
  assert.deepEqual([answer.status, answer.document.data], [200, []]);
});
