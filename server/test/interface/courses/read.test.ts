import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { ids, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const teacher = await makePerson(db, account.id, { fullName: "Tess Teacher" });

test("200 · a course counts its lessons, open classes and active enrollments", async () => {
  const id = await makeCourse(db, account.id, "Counted");
  const make = (table: string, columns: Parameters<typeof makeRow>[3], resource = id) =>
    makeRow(db, table, account.id, { course_id: resource, ...columns });
  for (const number of [1, 2, 3, 4]) await make("course_lessons", { name: "Lesson", number });
  for (const status of "draft open open in-progress finished cancelled".split(" "))
    await make("course_classes", { name: status, status });
  for (const status of "requested waitlisted active active active completed failed withdrawn".split(
    " ",
  ))
    await make("course_enrollments", { person_id: teacher.id, status });
  const another = await makeCourse(db, account.id, "Not counted");
  await make("course_lessons", { name: "Theirs", number: 1 }, another);
  const counts = { "lessons-count": 4, "open-classes-count": 2, "enrolled-count": 3 };
  assert.partialDeepStrictEqual(one(await service.get(`/v1/courses/${id}`)).attributes, counts);
});

test("200 · each relationship has the resources of this course and of no other", async () => {
  const id = await makeCourse(db, account.id, "Related");
  const another = await makeCourse(db, account.id, "Beside it");
  const make = (table: string, columns: Parameters<typeof makeRow>[3] = {}, resource = id) =>
    makeRow(db, table, account.id, { course_id: resource, ...columns });
  const material = (audience: string, resource = id) =>
    make("course_materials", { title: audience, audience }, resource);
  const [student, staff] = [await material("student"), await material("teacher")];
  const lessonId = await make("course_lessons", { name: "One", number: 1 });
  const classId = await make("course_classes", { name: "Spring" });
  const requirement = await make("course_requirements", {
    kind: "course",
    required_course_id: another,
  });
  const past = await make("course_classes", { name: "Past" });
  const enroll = (class_id: string, status: string) =>
    make("course_enrollments", { class_id, person_id: teacher.id, status });
  const [begun, done] = [await enroll(classId, "active"), await enroll(past, "completed")];
  await material("student", another);
  await material("teacher", another);
  await make("course_requirements", { kind: "course", required_course_id: id }, another);

  const expected: Record<string, [type: string, ...ids: string[]]> = {
    "lessons": ["course-lessons", lessonId],
    "classes": ["course-classes", classId, past],
    "student-materials": ["course-materials", student],
    "teacher-materials": ["course-materials", staff],
    "enrollments": ["course-enrollments", begun, done],
    "requirements": ["course-requirements", requirement],
    "completed-by": ["people", teacher.id],
    "teachers": ["people"],
  };
  const { relationships } = one(await service.get(`/v1/courses/${id}`));
  for (const [name, [type, ...linked]] of Object.entries(expected))
    assert.deepEqual(
      relationships[name]?.data,
      linked.map((each) => ({ type, id: each })),
      name,
    );
});

test("200 · each filter and sort finds its courses and no others", async () => {
  const other = await makeAccount(db);
  const make = (columns: Parameters<typeof makeRow>[3]) =>
    makeRow(db, "courses", other.id, { name: "Course", ...columns });
  const a = await make({ name: "Évangélisation", is_active: false, order: 2 });
  const b = await make({ category: "Basics", order: 1 });
  const c = await make({ is_public: true });
  const person = await makePerson(db, other.id);
  await db`insert into course_teachers values (${other.id}, ${b}, ${person.id})`;
  const open = { course_id: c, name: "A", status: "open" };
  await makeRow(db, "course_classes", other.id, open);
  for (const status of ["draft", "in-progress", "finished", "cancelled"])
    await makeRow(db, "course_classes", other.id, { course_id: b, name: "B", status });
  for (const [query, ...expected] of [
    ["filter[q]=evangelisat", a],
    ["filter[q]=BASICS cour", b],
    ["filter[name]=evangeli", a],
    ["filter[is-active]=false", a],
    ["filter[is-public]=true", c],
    ["filter[category]=bàsics", b],
    [`filter[teacher]=${newId()},${person.id}`, b],
    ["filter[has-open-classes]=true", c],
    ["filter[has-open-classes]=false&sort=id", a, b],
    ["sort=order", b, a, c],
    ["sort=-created-at", c, b, a],
    ["sort=-modified-at", c, b, a],
    ["", b, c, a],
  ] as const) {
    const answer = await service.get(`/v1/courses?${query}`, { as: other.administrator.token });
    assert.deepEqual(ids(answer), expected, query);
  }
});

test("200 · a member sees a course, but none of its people except themselves", async () => {
  const id = await makeCourse(db, account.id, "Open");
  await db`insert into course_teachers values (${account.id}, ${id}, ${teacher.id})`;
  const member = await makePerson(db, account.id);
  for (const [as, shown] of [
    [member.token, []],
    [teacher.token, [teacher.id]],
  ] as const) {
    const answer = await service.get(`/v1/courses/${id}?include=teachers`, { as });
    const included = answer.document.included?.map((each) => each.id);
    assert.deepEqual([answer.status, included], [200, shown]);
    const data = shown.map((each) => ({ type: "people", id: each }));
    assert.deepEqual(one(answer).relationships["teachers"]?.data, data);
  }
});
