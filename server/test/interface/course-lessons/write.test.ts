import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeSession,
} from "../../support/courses.ts";
import { makeCourse, makeEndpoint, makeRow } from "../../support/make.ts";
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
await makeEndpoint(db, account.id, { events: ["course-lesson.created"] });
const course = await makeCourse(db, account.id);

const create = (attributes: Record<string, unknown>, courseId = course, as?: string) =>
  service.post(
    "/v1/course-lessons",
    document("course-lessons", attributes, {
      relationships: { course: { data: { type: "courses", id: courseId } } },
    }),
    as ? { as } : {},
  );
const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/course-lessons/${id}`, document("course-lessons", attributes, { id }));

test("201 · a lesson has its defaults, and each write is one event", async () => {
  const told = await eventsOf(async () => {
    const answer = await create({ name: "Who is God", number: 1 });
    assert.equal(answer.status, 201, answer.text);
    assert.partialDeepStrictEqual(one(answer).attributes, {
      "name": "Who is God",
      "number": 1,
      "description": null,
      "is-mandatory": false,
      "is-active": true,
      "duration-minutes": null,
      "content-url": null,
    });
    const { id } = one(answer);
    const all = {
      "number": 500,
      "description": "Text",
      "duration-minutes": 1_440,
      "content-url": "https://example.org/1",
    };
    assert.partialDeepStrictEqual(one(await change(id, all)).attributes, all);
    await change(id, all);
    assert.equal((await service.delete(`/v1/course-lessons/${id}`)).status, 204);
  });
  assert.deepEqual(told, [
    "course-lesson.created",
    "course-lesson.updated",
    "course-lesson.deleted",
  ]);
});

test("409 · a number is unique in its course, and the error names the lesson that has it", async () => {
  const first = one(await create({ name: "One", number: 10 }));
  const second = one(await create({ name: "Two", number: 11 }));
  for (const answer of [
    await create({ name: "Again", number: 10 }),
    await change(second.id, { number: 10 }),
  ]) {
    assert.deepEqual(
      [answer.status, ...codes(answer), ...pointers(answer)],
      [409, "already-exists", "/data/attributes/number"],
    );
    assert.equal(answer.document.errors?.[0]?.meta["id"], first.id);
  }
  assert.equal((await change(first.id, { number: 10, name: "Same number" })).status, 200);
  const elsewhere = await create({ name: "One", number: 10 }, await makeCourse(db, account.id));
  assert.equal(elsewhere.status, 201);
  const race = await Promise.all([12, 12, 12].map((number) => create({ name: "Race", number })));
  assert.equal(race.filter(({ status }) => status === 201).length, 1);
  assert.equal(race.filter((answer) => codes(answer)[0] === "already-exists").length, 2);
});

/** A course with lessons 1 and 2, and an enrollment that attended lesson 1. */
async function attendedOne() {
  const courseId = await makeCourse(db, account.id);
  await db`update courses set graduation_mode = 'manual' where id = ${courseId}`;
  const classId = await makeClass(db, account.id, courseId);
  const lessons = [
    await makeLesson(db, account.id, courseId, 1),
    await makeLesson(db, account.id, courseId, 2),
  ] as const;
  const session = await makeSession(db, account.id, classId, { lesson_id: lessons[0] });
  const enrollment = await makeEnrollment(db, account.id, classId);
  await makeAttendance(db, account.id, session, { enrollment_id: enrollment });
  const progress = async () => {
    const [row] = await db<{ text: string }[]>`
      select concat_ws(' ', lessons_attended, lessons_required, progress, is_eligible_to_graduate) as text
      from course_enrollments where id = ${enrollment}`;
    return row?.text;
  };
  return { courseId, lessons, session, enrollment, progress };
}

test("200 · every change of lessons computes the progress of the course again", async () => {
  const { courseId, lessons, progress } = await attendedOne();
  await change(lessons[1], { "is-active": false });
  assert.equal(await progress(), "1 1 100 t");
  await change(lessons[1], { "is-active": true, "is-mandatory": true });
  assert.equal(await progress(), "1 2 50 f");
  await db`update courses set lessons_to_graduate = 1 where id = ${courseId}`;
  await change(lessons[1], { "is-mandatory": false });
  assert.equal(await progress(), "1 1 100 t");
  await db`update courses set lessons_to_graduate = null where id = ${courseId}`;
  const third = one(await create({ name: "Three", number: 3 }, courseId));
  assert.equal(await progress(), "1 3 33 f");
  await create({ name: "Four", number: 4, "is-active": false }, courseId);
  assert.equal(await progress(), "1 3 33 f");
  await service.delete(`/v1/course-lessons/${third.id}`);
  assert.equal(await progress(), "1 2 50 f");
});

test("204 · a deletion keeps sessions, attendances, materials and tasks, which then have no lesson", async () => {
  const { courseId, lessons, progress, session } = await attendedOne();
  const [lesson] = lessons;
  const resource = { course_id: courseId, lesson_id: lesson };
  const material = await makeRow(db, "course_materials", account.id, {
    ...resource,
    title: "Reader",
  });
  const task = await makeRow(db, "course_tasks", account.id, { ...resource, name: "Read" });
  const path = `/v1/course-lessons/${lesson}`;
  assert.deepEqual(ids(await service.get(`${path}/materials`)), [material]);
  assert.deepEqual(ids(await service.get(`${path}/tasks`)), [task]);
  assert.equal((await service.delete(path)).status, 204);
  for (const [type, id] of [
    ["course-sessions", session],
    ["course-materials", material],
    ["course-tasks", task],
  ] as const) {
    const answer = await service.get(`/v1/${type}/${id}`);
    assert.equal(one(answer).relationships["lesson"]?.data, null, type);
  }
  assert.equal(await progress(), "0 1 0 f");
});

test("200 · lessons are sorted by number and filtered by their flags", async () => {
  const courseId = await makeCourse(db, account.id);
  const make = (number: number, columns: Record<string, string | boolean>) =>
    makeLesson(db, account.id, courseId, number, columns);
  const [late, early, middle] = [
    await make(12, { name: "Á" }),
    await make(1, { name: "b", is_mandatory: true }),
    await make(3, { name: "C", is_active: false }),
  ];
  for (const [query, found] of [
    ["", [early, middle, late]],
    ["sort=-number", [late, middle, early]],
    ["sort=name", [late, early, middle]],
    ["filter[is-active]=false", [middle]],
    ["filter[is-mandatory]=true", [early]],
  ] as const)
    assert.deepEqual(
      ids(await service.get(`/v1/course-lessons?filter[course]=${courseId}&${query}`)),
      found,
      query,
    );
});
