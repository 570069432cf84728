import assert from "node:assert/strict";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { makeAssignment, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  ids,
  many,
  one,
  parameters,
  type Resource,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const course = await makeCourse(db, account.id, "Foundations");
const path = `/v1/courses/${course}`;
const teacher = await makePerson(db, account.id, { fullName: "Tess Teacher" });
await db`insert into course_teachers values (${account.id}, ${course}, ${teacher.id})`;
const lesson = await makeRow(db, "course_lessons", account.id, {
  course_id: course,
  name: "One",
  number: 1,
  created_by: teacher.id,
});

/** People who completed a course, as many as asked for. */
async function complete(courseId: string, many: number): Promise<void> {
  const classId = await makeRow(db, "course_classes", account.id, {
    course_id: courseId,
    name: "Completed",
  });
  await db`
    with person as (
      insert into people (account_id, id, full_name)
      select ${account.id}, gen_random_uuid(), 'Student ' || n from generate_series(1, ${many}) n
      returning id)
    insert into course_enrollments (account_id, id, course_id, class_id, person_id, status)
    select ${account.id}, gen_random_uuid(), ${courseId}, ${classId}, id, 'completed' from person`;
}

test("200 · every document has its own URL as links.self", async () => {
  const body = document("courses", { name: "Somewhere" });
  const made = await service.post("/v1/courses", body);
  const self = `${PUBLIC_URL}/v1/courses/${one(made).id}`;
  const change = document("courses", { summary: "x" }, { id: one(made).id });
  for (const answer of [made, await service.get(self), await service.patch(self, change)]) {
    assert.deepEqual(answer.document.links, { self });
    assert.deepEqual(one(answer).links, { self });
  }
  const author = await service.get(`${self}/created-by`);
  assert.deepEqual(author.document.links, { self: `${self}/created-by` });
  assert.deepEqual(one(author).links, {
    self: `${PUBLIC_URL}/v1/people/${account.administrator.id}`,
  });
});

test("200 · include never repeats primary data", async () => {
  const back = await service.get(`${path}?include=lessons.course,teachers`);
  assert.deepEqual(
    back.document.included?.map(({ type }) => type),
    ["course-lessons", "people"],
  );
  const round = await service.get(`${path}/lessons?include=course.lessons`);
  assert.deepEqual(
    round.document.included?.map(({ type }) => type),
    ["courses"],
  );
});

test("200 · include follows two steps and shows each resource once, with its linkage", async () => {
  const answer = await service.get(`${path}?include=teachers,lessons.created-by`);
  assert.deepEqual(
    answer.document.included?.map(({ type, id }) => `${type} ${id}`).sort(),
    [`course-lessons ${lesson}`, `people ${teacher.id}`].sort(),
  );
  const included = answer.document.included?.find(({ id }) => id === lesson);
  assert.deepEqual(included?.relationships["created-by"]?.data, { type: "people", id: teacher.id });
});

test("200 · included resources have a fixed order, so the ETag of an unchanged document stays", async () => {
  const cell = await makeRow(db, "cells", account.id, { name: "North" });
  await makeRow(db, "cell_memberships", account.id, { cell_id: cell, person_id: teacher.id });
  const everything = `${path}?include=teachers.cells,teachers.created-by,lessons.created-by,classes`;
  const answer = await service.get(everything);
  assert.deepEqual(
    answer.document.included?.map(({ type, id }) => `${type} ${id}`),
    [`cells ${cell}`, `course-lessons ${lesson}`, `people ${teacher.id}`],
  );
  const headers = { "If-None-Match": etag(answer) };
  assert.equal((await service.get(everything, { headers })).status, 304);
});

test("200 · fields limits primary and included resources", async () => {
  const answer = await service.get(
    `${path}?include=teachers&fields[courses]=name,teachers&fields[people]=full-name`,
  );
  assert.deepEqual(one(answer).attributes, { name: "Foundations" });
  assert.deepEqual(Object.keys(one(answer).relationships), ["teachers"]);
  assert.deepEqual(answer.document.included?.[0]?.attributes, { "full-name": "Tess Teacher" });
  assert.equal(answer.document.included?.[0]?.relationships, undefined);
  const bare = await service.get(`${path}?fields[courses]=`);
  assert.deepEqual(one(bare).attributes, {});
});

test("200 · to-many linkage shows up to 200 identifiers, and above that only the total and links", async () => {
  const big = await makeCourse(db, account.id, "Big");
  await complete(big, limits.linkageMax);
  const full = one(await service.get(`/v1/courses/${big}`)).relationships["completed-by"];
  assert.equal((full?.data as unknown[] | undefined)?.length, 200);
  await complete(big, 1);
  const over = one(await service.get(`/v1/courses/${big}`)).relationships["completed-by"];
  assert.equal(over?.data, undefined);
  assert.deepEqual(over?.meta, { total: 201 });
  const linkage = await service.get(over?.links?.["self"] ?? "");
  assert.equal(many(linkage).length, 201);
  assert.equal(new Set(ids(linkage)).size, 201);
  const related = await service.get(`${over?.links?.["related"]}?page[size]=1&page[number]=201`);
  assert.equal(related.document.meta?.["total"], 201);
  assert.equal(many(related).length, 1);
});

test("200 · the limit on linkage applies to each relationship separately", async () => {
  const id = await makeCourse(db, account.id, "Begun");
  await complete(id, limits.linkageMax + 1);
  await db`update course_enrollments set status = 'active' where course_id = ${id}`;
  const few = await db<{ person_id: string }[]>`
    update course_enrollments set status = 'completed' where account_id = ${account.id} and id in (
      select id from course_enrollments where course_id = ${id} limit 3) returning person_id`;
  const { relationships } = one(await service.get(`/v1/courses/${id}`));
  assert.deepEqual(relationships["enrollments"]?.meta, { total: 201 });
  assert.deepEqual(
    ((relationships["completed-by"]?.data ?? []) as { id: string }[]).map((person) => person.id),
    few.map((row) => row.person_id).sort(),
  );
  assert.deepEqual(relationships["completed-by"]?.meta, { total: 3 });
});

test("200 · a course counts its lessons, open classes and active enrollments", async () => {
  const id = await makeCourse(db, account.id, "Counted");
  const another = await makeCourse(db, account.id, "Not counted");
  const make = (table: string, columns: Parameters<typeof makeRow>[3], of = id) =>
    makeRow(db, table, account.id, { course_id: of, ...columns });
  for (const number of [1, 2, 3, 4]) await make("course_lessons", { name: "Lesson", number });
  for (const status of ["draft", "open", "open", "in-progress", "finished", "cancelled"])
    await make("course_classes", { name: status, status });
  for (const status of [
    "requested",
    "waitlisted",
    "active",
    "active",
    "active",
    "completed",
    "failed",
    "withdrawn",
    "cancelled",
  ])
    await make("course_enrollments", { person_id: teacher.id, status });
  await make("course_lessons", { name: "Theirs", number: 1 }, another);
  const counts = { "lessons-count": 4, "open-classes-count": 2, "enrolled-count": 3 };
  assert.partialDeepStrictEqual(one(await service.get(`/v1/courses/${id}`)).attributes, counts);
  const [listed] = many(await service.get(`/v1/courses?filter[id]=${id}`));
  assert.partialDeepStrictEqual(listed?.attributes, counts);
});

test("200 · each relationship has the resources of this course and of no other", async () => {
  const id = await makeCourse(db, account.id, "Related");
  const another = await makeCourse(db, account.id, "Beside it");
  const make = (table: string, columns: Parameters<typeof makeRow>[3] = {}, of = id) =>
    makeRow(db, table, account.id, { course_id: of, ...columns });
  const material = (audience: string, of = id) =>
    make("course_materials", { title: audience, audience }, of);
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
  for (const [name, [type, ...linked]] of Object.entries(expected)) {
    const data = linked.map((each) => ({ type, id: each }));
    assert.deepEqual(relationships[name]?.data, data, name);
    assert.deepEqual(relationships[name]?.meta, { total: data.length });
    const links = relationships[name]?.links;
    const linkage = await service.get(links?.["self"] ?? "");
    assert.deepEqual(
      [linkage.document.data, linkage.document.meta],
      [data, { total: data.length }],
    );
    const related = await service.get(`${links?.["related"]}?sort=id`);
    assert.deepEqual(ids(related), linked, name);
    assert.equal(related.document.meta?.["total"], linked.length);
    const included = await service.get(`/v1/courses/${id}?include=${name}`);
    assert.deepEqual(
      included.document.included?.map((each) => each.id),
      linked,
      name,
    );
  }
});

test("200 · created-by and modified-by have linkage and a related resource, or null", async () => {
  const id = await makeCourse(db, account.id, "Made");
  const at = (name: string) => service.get(`/v1/courses/${id}/${name}`);
  await service.patch(`/v1/courses/${id}`, document("courses", { summary: "x" }, { id }));
  const me = account.administrator.id;
  assert.equal((await at("relationships/created-by")).document.data, null);
  assert.equal((await at("created-by")).document.data, null);
  const linkage = await at("relationships/modified-by");
  assert.deepEqual(linkage.document.data, { type: "people", id: me });
  assert.equal(linkage.document.meta, undefined);
  assert.equal(one(await at("modified-by")).id, me);
});

test("200 · a related list can be filtered, sorted and paged, and its links keep its path", async () => {
  const id = await makeCourse(db, account.id, "Long");
  const make = (name: string, number: number) =>
    makeRow(db, "course_lessons", account.id, { course_id: id, name, number });
  const lessons = [await make("B", 3), await make("C", 2), await make("A", 1)];
  const at = `/v1/courses/${id}/lessons`;
  assert.deepEqual(ids(await service.get(at)), lessons.toReversed());
  const first = await service.get(`${at}?sort=-number&page[size]=2`);
  assert.deepEqual(ids(first), lessons.slice(0, 2));
  assert.deepEqual(first.document.meta, { total: 3, page: 1, size: 2 });
  for (const link of Object.values(first.document.links ?? {}))
    assert.ok(link === null || link.startsWith(`${PUBLIC_URL}${at}?`), String(link));
  assert.deepEqual(ids(await service.get(first.document.links?.["next"] ?? "")), lessons.slice(2));
  const none = await service.get(`${at}?filter[course]=${course}`);
  assert.deepEqual([ids(none), none.document.meta?.["total"]], [[], 0]);
});

test("200 · the linkage route shows 1,000 identifiers and the total", async () => {
  const id = await makeCourse(db, account.id, "Crowded");
  await complete(id, limits.includedMax + 2);
  const answer = await service.get(`/v1/courses/${id}/relationships/completed-by`);
  assert.equal(many(answer).length, 1_000);
  assert.deepEqual(answer.document.meta, { total: 1_002 });
});

test("200 · included resources are always linked, even above the limit on linkage", async () => {
  const id = await makeCourse(db, account.id, "Linked");
  await complete(id, limits.linkageMax + 1);
  const answer = await service.get(`/v1/courses/${id}?include=completed-by&fields[people]=sex`);
  const linkage = one(answer).relationships["completed-by"];
  const included = answer.document.included?.map((each) => each.id);
  assert.equal(included?.length, 201);
  assert.deepEqual(
    ((linkage?.data ?? []) as { id: string }[]).map((each) => each.id),
    included,
  );
  assert.deepEqual(linkage?.meta, { total: 201 });
  const [listed] = many(await service.get(`/v1/courses?filter[id]=${id}&include=completed-by`));
  const inList = listed?.relationships["completed-by"]?.data ?? [];
  assert.equal((inList as unknown[]).length, 201);
});

test("400 · more than 1,000 included resources are rejected, not truncated", async () => {
  const huge = await makeCourse(db, account.id, "Huge");
  await complete(huge, limits.includedMax);
  const most = await service.get(
    `/v1/courses/${huge}?include=completed-by&fields[people]=full-name`,
  );
  assert.equal(most.document.included?.length, 1_000);
  const refused = async (include: string) => {
    const answer = await service.get(`/v1/courses/${huge}?include=${include}`);
    assert.deepEqual([answer.status, ...codes(answer)], [400, "too-many-included"], include);
    assert.deepEqual(parameters(answer), ["include"]);
  };
  await makeRow(db, "course_lessons", account.id, { course_id: huge, name: "One", number: 1 });
  await refused("completed-by,lessons");
  await complete(huge, 1);
  await refused("completed-by");
});

test("400 · include and fields accept only existing names, and include at most two steps", async () => {
  for (const [query, parameter] of [
    ["include=friends", "include"],
    ["include=teachers.friends", "include"],
    ["include=lessons.course.teachers", "include"],
    ["include=teachers..roles", "include"],
    ["include=name", "include"],
    ["include=__proto__", "include"],
    ["include=constructor", "include"],
    ["fields[courses]=names", "fields[courses]"],
    ["fields[courses]=toString", "fields[courses]"],
    ["fields[nonsense]=name", "fields[nonsense]"],
    ["fields[__proto__]=name", "fields[__proto__]"],
    ["fields=name", "fields"],
    ["filter[name]=x", "filter[name]"],
    ["sort=name", "sort"],
    ["page[size]=1", "page[size]"],
  ] as const) {
    const answer = await service.get(`${path}?${query}`);
    assert.equal(answer.status, 400, query);
    assert.deepEqual(parameters(answer), [parameter], query);
  }
});

test("304 · If-None-Match matches the current ETag, a weak form, a list or *", async () => {
  const tag = etag(await service.get(path));
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const answer = await service.get(path, { headers: { "If-None-Match": sent } });
    assert.equal(answer.status, 304);
    assert.equal(answer.text, "");
    assert.equal(etag(answer), tag);
  }
  const changed = await service.get(path, { headers: { "If-None-Match": '"other"' } });
  assert.equal(changed.status, 200);
});

test("200 · the ETag depends on the course and on the requested fields", async () => {
  const before = etag(await service.get(path));
  assert.notEqual(etag(await service.get(`${path}?fields[courses]=name`)), before);
  await service.patch(path, document("courses", { summary: "New" }, { id: course }));
  assert.notEqual(etag(await service.get(path)), before);
});

test("304 · a related resource has an ETag of its own version, and so has null", async () => {
  const related = `${path}/created-by`;
  const none = await service.get(related);
  const unchanged = (sent: string) =>
    service.get(related, { headers: { "If-None-Match": sent } }).then(({ status }) => status);
  assert.equal(none.document.data, null);
  assert.equal(await unchanged(etag(none)), 304);

  await db`update courses set created_by = ${teacher.id} where account_id = ${account.id} and id = ${course}`;
  assert.equal(await unchanged(etag(none)), 200);
  const person = etag(await service.get(related));
  assert.equal(await unchanged(person), 304);
  const of = document("people", { occupation: "Baker" }, { id: teacher.id });
  const headers = { "If-Match": person };
  assert.equal((await service.patch(`/v1/people/${teacher.id}`, of, { headers })).status, 200);
  assert.equal(await unchanged(person), 200);
  await db`update courses set created_by = null where account_id = ${account.id} and id = ${course}`;
});

test("200 · a member sees a course, but none of its people except themselves", async () => {
  const member = await makePerson(db, account.id);
  const stranger = await service.get(`${path}?include=teachers`, { as: member.token });
  assert.equal(stranger.status, 200);
  assert.deepEqual(one(stranger).relationships["teachers"]?.data, []);
  assert.deepEqual(stranger.document.included, []);
  const self = await service.get(`${path}?include=teachers`, { as: teacher.token });
  assert.deepEqual(
    self.document.included?.map(({ id }) => id),
    [teacher.id],
  );
});

test("200 · linkage shows only people within the reach of the caller, on reads and writes", async () => {
  const id = await makeCourse(db, account.id, "Seen");
  await db`insert into course_teachers values (${account.id}, ${id}, ${teacher.id})`;
  const enrol = (personId: string) =>
    makeRow(db, "course_enrollments", account.id, {
      course_id: id,
      person_id: personId,
      status: "completed",
    });
  const student = await makePerson(db, account.id);
  const own = await enrol(student.id);
  const all = [own, await enrol(teacher.id)].sort();
  const coordinator = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: coordinator.id,
    role: "course-coordinator",
    scopeType: "course",
    scopeIds: [id],
  });
  const seen = ({ relationships }: Resource) =>
    ["teachers", "completed-by", "enrollments"].map((name) =>
      ((relationships[name]?.data ?? []) as { id: string }[]).map((linked) => linked.id),
    );
  const seenPath = `/v1/courses/${id}`;
  const read = async (as: string) => seen(one(await service.get(seenPath, { as })));
  const change = async (name: string, as: string) =>
    seen(one(await service.patch(seenPath, document("courses", { name }, { id }), { as })));
  const everything = [[teacher.id], [student.id, teacher.id].sort(), all];
  const administrator = account.administrator.token;
  assert.deepEqual(await read(administrator), everything);
  assert.deepEqual(await change("Changed", administrator), everything);
  assert.deepEqual(await read(student.token), [[], [student.id], [own]]);
  assert.deepEqual(await read(coordinator.token), everything);
  assert.deepEqual(await change("Changed again", coordinator.token), everything);
  assert.deepEqual(await read(administrator), everything);
});

test("200 · the total of long linkage counts only resources within the reach of the caller", async () => {
  const id = await makeCourse(db, account.id, "Two classes");
  const instructor = await makePerson(db, account.id);
  const make = (name: string) => makeRow(db, "course_classes", account.id, { course_id: id, name });
  const [taught, another] = [await make("Taught"), await make("Another")];
  await db`insert into course_class_teachers values (${account.id}, ${taught}, ${instructor.id})`;
  await complete(id, limits.linkageMax + 1);
  await db`update course_enrollments set class_id = ${taught} where course_id = ${id}`;
  await makeRow(db, "course_enrollments", account.id, {
    course_id: id,
    class_id: another,
    person_id: teacher.id,
  });
  const totalFor = async (as: string) =>
    one(await service.get(`/v1/courses/${id}`, { as })).relationships["enrollments"]?.meta;
  assert.deepEqual(await totalFor(account.administrator.token), { total: 202 });
  assert.deepEqual(await totalFor(instructor.token), { total: 201 });
});
