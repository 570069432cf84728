import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { eventsOf, startService } from "../../support/service.ts";

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
