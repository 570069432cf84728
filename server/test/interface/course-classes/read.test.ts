import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeEnrollment, makeTeacher } from "../../support/courses.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { eventsOf, ids, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id);
const make = (columns: Parameters<typeof makeClass>[3] = {}) =>
  makeClass(db, account.id, course, columns);
const read = async (id: string, as = account.administrator.token) =>
  one(await service.get(`/v1/course-classes/${id}`, { as }));

test("200 · seats, the waiting list, students and completed lessons are counted from their rows", async () => {
  const id = await make({ seats: 5 });
  const people: string[] = [];
  const statuses = [
    "active",
    "active",
    "completed",
    "failed",
    "waitlisted",
    "requested",
    "withdrawn",
    "cancelled",
  ];
  for (const status of statuses) {
    const person = await makePerson(db, account.id);
    people.push(person.id);
    await makeEnrollment(db, account.id, id, { person_id: person.id, status });
  }
  const lessons: string[] = [];
  for (const number of [1, 2, 3])
    lessons.push(
      await makeRow(db, "course_lessons", account.id, { course_id: course, name: "L", number }),
    );
  for (const [lesson, status] of [
    [0, "held"],
    [0, "held"],
    [1, "planned"],
    [2, "cancelled"],
  ] as const)
    await makeRow(db, "course_sessions", account.id, {
      course_id: course,
      class_id: id,
      lesson_id: lessons[lesson] ?? "",
      date: "2026-03-01",
      status,
    });
  const { attributes, relationships } = await read(id);
  assert.partialDeepStrictEqual(attributes, { "seats-taken": 4, "waitlist-count": 1 });
  const linked = (name: string) =>
    (relationships[name]?.data as { id: string }[] | undefined)?.map((one) => one.id);
  assert.deepEqual(linked("students"), people.slice(0, 2).toSorted());
  assert.equal(linked("enrollments")?.length, statuses.length);
  assert.deepEqual(linked("lessons-completed"), lessons.slice(0, 1));
});

test("200 · has-started and has-finished follow the clock, the status does not", async () => {
  const [past, future] = ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"];
  const flags = async (columns: Record<string, string>) => {
    const { attributes } = await read(await make(columns));
    return [attributes["status"], attributes["has-started"], attributes["has-finished"]];
  };
  assert.deepEqual(await flags({ starts: past, ends: future }), ["open", true, false]);
  assert.deepEqual(await flags({ starts: past, ends: "2020-02-01T00:00:00Z" }), [
    "open",
    true,
    true,
  ]);
  assert.deepEqual(await flags({ starts: future }), ["open", false, false]);
  assert.deepEqual(await flags({}), ["open", false, false]);
});

test("200 · a member sees of students and teachers only those whom they may read", async () => {
  const id = await make();
  await makeTeacher(db, account.id, id);
  const member = await makePerson(db, account.id);
  const own = await makeEnrollment(db, account.id, id, { person_id: member.id });
  await makeEnrollment(db, account.id, id);
  const { attributes, relationships } = await read(id, member.token);
  assert.equal(attributes["seats-taken"], 2);
  assert.deepEqual(relationships["teachers"]?.data, []);
  assert.deepEqual(relationships["students"]?.data, [{ type: "people", id: member.id }]);
  assert.deepEqual(relationships["enrollments"]?.data, [{ type: "course-enrollments", id: own }]);
});

test("200 · each filter finds its classes and no others", async () => {
  const other = await makeCourse(db, account.id, "Other");
  const full = await makeClass(db, account.id, other, {
    name: "b",
    seats: 1,
    starts: "2027-03-02T22:00:00Z",
  });
  await makeEnrollment(db, account.id, full, { status: "completed" });
  const room = await makeClass(db, account.id, other, {
    name: "Á",
    seats: 1,
    is_public: true,
    starts: "2027-09-01T00:00:00Z",
  });
  await makeEnrollment(db, account.id, room, { status: "waitlisted" });
  const endless = await makeClass(db, account.id, other, { name: "C", status: "in-progress" });
  const teacher = await makeTeacher(db, account.id, endless);
  for (const [query, found] of [
    ["", [full, room, endless]],
    ["sort=-starts", [room, full, endless]],
    ["sort=name", [room, full, endless]],
    ["filter[q]=other", [full, room, endless]],
    ["filter[q]=other a", [room]],
    ["filter[q]=othér c", [endless]],
    ["filter[q]=nothing", []],
    ["filter[has-seats]=true", [room, endless]],
    ["filter[has-seats]=false", [full]],
    ["filter[is-public]=true", [room]],
    ["filter[status]=in-progress,draft", [endless]],
    ["filter[teacher]=" + teacher.id, [endless]],
    ["filter[starts-from]=2027-03-02T22:00:00Z", [full, room]],
    ["filter[starts-from]=2027-03-03", [room]],
    ["filter[starts-to]=2027-03-02T22:00:00Z", [full]],
    ["filter[starts-to]=2027-03-02", []],
  ] as const) {
    const answer = await service.get(`/v1/course-classes?filter[course]=${other}&${query}`);
    assert.deepEqual(ids(answer), found, query);
  }
  assert.equal(
    many(await service.get(`/v1/course-classes?filter[course]=${course}`)).length > 0,
    true,
  );
});

test("200 · a teacher filters by themselves and by people in reach, a member by no other person", async () => {
  const other = await makeCourse(db, account.id, "Taught");
  const [own, pupils, strangers] = [
    await makeClass(db, account.id, other),
    await makeClass(db, account.id, other),
    await makeClass(db, account.id, other),
  ];
  const teacher = await makeTeacher(db, account.id, own);
  const pupil = await makeTeacher(db, account.id, pupils);
  await makeEnrollment(db, account.id, own, { person_id: pupil.id });
  const stranger = await makeTeacher(db, account.id, strangers);
  const found = (people: string) =>
    service.get(`/v1/course-classes?sort=created-at&filter[teacher]=${people}`, {
      as: teacher.token,
    });
  assert.deepEqual(ids(await found("me")), [own]);
  assert.deepEqual(ids(await found(stranger.id)), []);
  assert.deepEqual(ids(await found(`${stranger.id},${pupil.id},${teacher.id}`)), [own, pupils]);

  const member = await makePerson(db, account.id);
  const by = (person: string) =>
    service.get(`/v1/course-classes?filter[teacher]=${person}`, { as: member.token });
  assert.deepEqual(ids(await by("me")), []);
  for (const people of [teacher.id, `me,${teacher.id}`])
    assert.equal((await by(people)).status, 400, people);
});

test("204 · a deletion removes sessions, enrollments and attendances, and is the only event", async () => {
  const id = await make();
  const enrollment_id = await makeEnrollment(db, account.id, id);
  const inClass = { course_id: course, class_id: id };
  const session_id = await makeRow(db, "course_sessions", account.id, {
    ...inClass,
    date: "2026-03-01",
  });
  await makeRow(db, "course_attendances", account.id, {
    ...inClass,
    session_id,
    enrollment_id,
    date: "2026-03-01",
    status: "present",
  });
  const told = await eventsOf(async () => {
    assert.equal((await service.delete(`/v1/course-classes/${id}`)).status, 204);
  });
  assert.deepEqual(told, ["course-class.deleted"]);
  const [left] = await db<{ rows: number }[]>`
    select (select count(*) from course_sessions where class_id = ${id})::int
      + (select count(*) from course_enrollments where class_id = ${id})::int
      + (select count(*) from course_attendances where class_id = ${id})::int as rows`;
  assert.equal(left?.rows, 0);
});
