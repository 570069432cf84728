import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeEnrollment } from "../../support/courses.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const to = (type: string, id: string) => ({ data: { type, id } });
const create = (course: string, attributes: Record<string, unknown> = {}, lesson?: string) =>
  service.post(
    "/v1/course-tasks",
    document(
      "course-tasks",
      { name: "Read John 3", ...attributes },
      {
        relationships: {
          course: to("courses", course),
          ...(lesson !== undefined && { lesson: to("course-lessons", lesson) }),
        },
      },
    ),
  );
const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/course-tasks/${id}`, document("course-tasks", attributes, { id }));
const lessonOf = (course_id: string) =>
  makeRow(db, "course_lessons", account.id, { course_id, name: "One", number: 1 });

/** A course whose only lesson was attended, so that its tasks decide about graduation. */
async function attended() {
  const course = await makeCourse(db, account.id);
  await db`update courses set graduation_mode = 'manual' where account_id = ${account.id} and id = ${course}`;
  const lesson_id = await lessonOf(course);
  const class_id = await makeClass(db, account.id, course);
  const enrollment = await makeEnrollment(db, account.id, class_id);
  const session_id = await makeRow(db, "course_sessions", account.id, {
    course_id: course,
    class_id,
    lesson_id,
    date: "2026-03-03",
  });
  await makeRow(db, "course_attendances", account.id, {
    course_id: course,
    class_id,
    session_id,
    lesson_id,
    enrollment_id: enrollment,
    date: "2026-03-03",
    status: "present",
  });
  const isEligible = async () => {
    const [row] = await db<{ eligible: boolean }[]>`
      select is_eligible_to_graduate as eligible from course_enrollments
      where account_id = ${account.id} and id = ${enrollment}`;
    return row?.eligible;
  };
  return { course, isEligible };
}

test("201 · a task has defaults, and its writes have no events", async () => {
  const course = await makeCourse(db, account.id);
  const lesson = await lessonOf(course);
  const types = await eventsOf(async () => {
    const task = one(await create(course, {}, lesson));
    assert.partialDeepStrictEqual(task.attributes, {
      "instructions": null,
      "is-mandatory": false,
      "assigned-to": "student",
      "submission-type": "text",
      "due": { criterion: "none" },
      "points": null,
    });
    await change(task.id, { points: 10 });
    assert.equal((await service.delete(`/v1/course-tasks/${task.id}`)).status, 204);
  });
  assert.deepEqual(types, []);
});

test("422 · the lesson of a task belongs to its course", async () => {
  const course = await makeCourse(db, account.id);
  const elsewhere = await lessonOf(await makeCourse(db, account.id));
  const answer = await create(course, {}, elsewhere);
  assert.deepEqual(
    [answer.status, codes(answer), pointers(answer)],
    [422, ["invalid-relationship"], ["/data/relationships/lesson/data"]],
  );
  const task = one(await create(course));
  const moved = await service.request("PATCH", `/v1/course-tasks/${task.id}/relationships/lesson`, {
    body: to("course-lessons", elsewhere),
  });
  assert.deepEqual(
    [moved.status, codes(moved), pointers(moved)],
    [422, ["invalid-relationship"], ["/data"]],
  );
});

const dues: [status: 201 | 422, due: Record<string, unknown>][] = [
  [201, { criterion: "none" }],
  [422, { criterion: "none", value: 1 }],
  [201, { criterion: "date", value: "2028-02-29" }],
  [422, { criterion: "date", value: "2027-02-29" }],
  [422, { criterion: "date" }],
  [422, { criterion: "date", value: 5 }],
  [201, { criterion: "class-start-offset", value: -365 }],
  [201, { criterion: "enrollment-offset", value: 3_650 }],
  [422, { criterion: "class-start-offset", value: -366 }],
  [422, { criterion: "enrollment-offset", value: 3_651 }],
  [422, { criterion: "enrollment-offset", value: 1.5 }],
  [422, { criterion: "enrollment-offset", value: "2026-03-03" }],
  [422, { criterion: "enrollment-offset" }],
];
for (const [status, due] of dues)
  test(`${status} · a task is due ${JSON.stringify(due)}`, async () => {
    const answer = await create(await makeCourse(db, account.id), { due });
    assert.equal(answer.status, status, answer.text);
    if (status === 201) return assert.deepEqual(one(answer).attributes["due"], due);
    assert.deepEqual(
      [codes(answer), pointers(answer)],
      [["invalid-attribute"], ["/data/attributes/due/value"]],
    );
  });

test("200 · graduation depends on the mandatory tasks for students", async () => {
  const { course, isEligible } = await attended();
  const task = one(await create(course, { "is-mandatory": true }));
  assert.equal(await isEligible(), false);
  await change(task.id, { "assigned-to": "teacher" });
  assert.equal(await isEligible(), true);
  await change(task.id, { "assigned-to": "student" });
  assert.equal(await isEligible(), false);
  await change(task.id, { "is-mandatory": false });
  assert.equal(await isEligible(), true);
  await change(task.id, { "is-mandatory": true });
  await service.delete(`/v1/course-tasks/${task.id}`);
  assert.equal(await isEligible(), true);
});

test("200 · students read the tasks for students of the courses they are enrolled in", async () => {
  const course = await makeCourse(db, account.id);
  const class_id = await makeClass(db, account.id, course);
  const task = one(await create(course)).id;
  const forTeachers = one(await create(course, { "assigned-to": "teacher" })).id;
  await create(await makeCourse(db, account.id));
  for (const [status, tasks] of [
    ["active", [task]],
    ["completed", [task]],
    ["requested", []],
    ["withdrawn", []],
  ] as const) {
    const student = await makePerson(db, account.id);
    await makeEnrollment(db, account.id, class_id, { person_id: student.id, status });
    const answer = await service.get("/v1/course-tasks", { as: student.token });
    assert.deepEqual(ids(answer), tasks, status);
    const { status: read } = await service.get(`/v1/course-tasks/${forTeachers}`, {
      as: student.token,
    });
    assert.equal(read, 404);
  }
});

test("200 · tasks are sorted by order, and those without come last", async () => {
  const course = await makeCourse(db, account.id);
  const [last, second, first] = [
    one(await create(course)).id,
    one(await create(course, { order: 2 })).id,
    one(await create(course, { order: 1 })).id,
  ];
  const answer = await service.get(`/v1/course-tasks?filter[course]=${course}`);
  assert.deepEqual(ids(answer), [first, second, last]);
});
