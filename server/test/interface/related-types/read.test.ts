import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAccount, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { ids, many, one, startService } from "../../support/service.ts";

/** Types that courses and people relate to. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const person = await makePerson(db, account.id);
const course = await makeCourse(db, account.id);
const next = await makeCourse(db, account.id, "Next");
const make = (table: string, columns: Parameters<typeof makeRow>[3]) =>
  makeRow(db, table, account.id, columns);

const lesson = await make("course_lessons", { course_id: course, name: "One", number: 1 });
const second = await make("course_lessons", { course_id: course, name: "Two", number: 12 });
const third = await make("course_lessons", { course_id: course, name: "Three", number: 3 });
const classId = await make("course_classes", { course_id: course, name: "Spring", status: "open" });
await db`insert into course_class_teachers values (${account.id}, ${classId}, ${person.id})`;
const material = await make("course_materials", {
  course_id: course,
  title: "Reader",
  audience: "student",
});
await make("course_requirements", {
  course_id: course,
  kind: "course",
  required_course_id: next,
});
const enrollment = await make("course_enrollments", {
  course_id: course,
  class_id: classId,
  person_id: person.id,
  status: "active",
});
const cell = await make("cells", { name: "North" });
const child = await make("cells", { name: "Below", parent_id: cell });
const membership = await make("cell_memberships", {
  cell_id: cell,
  person_id: person.id,
  cell_role: "host",
});

test("200 · page[after] compares numbers as numbers", async () => {
  const seen: string[] = [];
  for (let path: string | null = "/v1/course-lessons?page[size]=1&page[after]="; path !== null; ) {
    const answer = await service.get(path);
    assert.equal(answer.status, 200, answer.text);
    seen.push(...ids(answer));
    path = answer.document.links?.["next"] ?? null;
  }
  assert.deepEqual(seen, [lesson, third, second]);
});

test("200 · each filter finds its rows and no others", async () => {
  const beside = { course_id: next };
  const someone = await makePerson(db, account.id);
  const otherClass = await make("course_classes", { ...beside, name: "Autumn", status: "draft" });
  const otherMaterial = await make("course_materials", {
    ...beside,
    title: "Notes",
    audience: "teacher",
  });
  const otherEnrollment = await make("course_enrollments", {
    ...beside,
    class_id: otherClass,
    person_id: someone.id,
    status: "completed",
  });
  const otherCell = await make("cells", { name: "South" });
  const otherMembership = await make("cell_memberships", {
    cell_id: otherCell,
    person_id: someone.id,
    status: "left",
  });
  const both = (these: string[]) => these.toSorted();
  for (const [path, found] of [
    [`course-materials?filter[course]=${next}`, [otherMaterial]],
    [`course-materials?filter[audience]=student`, [material]],
    [`course-materials?filter[audience]=student,teacher`, both([material, otherMaterial])],
    [`course-enrollments?filter[course]=${next}`, [otherEnrollment]],
    [`course-enrollments?filter[class]=${otherClass}`, [otherEnrollment]],
    [`course-enrollments?filter[person]=${someone.id}`, [otherEnrollment]],
    [`course-enrollments?filter[status]=completed`, [otherEnrollment]],
    [`course-enrollments?filter[status]=active,completed`, both([enrollment, otherEnrollment])],
    [`course-enrollments?filter[course]=${course}&filter[status]=completed`, []],
    [`cell-memberships?filter[cell]=${otherCell}`, [otherMembership]],
    [`cell-memberships?filter[person]=${someone.id}`, [otherMembership]],
    [`cell-memberships?filter[status]=left`, [otherMembership]],
    [`cell-memberships?filter[cell-role]=leader`, []],
  ] as const) {
    const answer = await service.get(`/v1/${path}`);
    assert.deepEqual(ids(answer), found, path);
    assert.equal(answer.document.meta?.["total"], found.length, path);
  }
});

test("200 · each relationship has its resources", async () => {
  const linked = async (type: string, id: string) => {
    const { relationships } = one(await service.get(`/v1/${type}/${id}`));
    return Object.fromEntries(
      Object.entries(relationships).map(([name, { data }]) => [name, data]),
    );
  };
  const to = (type: string, id: string) => ({ type, id });
  const author = { "created-by": null, "modified-by": null };
  const ofCourse = { ...author, course: to("courses", course) };
  assert.deepEqual(await linked("course-materials", material), {
    ...ofCourse,
    class: null,
    lesson: null,
    attachments: [],
  });
  assert.partialDeepStrictEqual(await linked("course-enrollments", enrollment), {
    ...ofCourse,
    class: to("course-classes", classId),
    person: to("people", person.id),
  });
  assert.partialDeepStrictEqual(await linked("cells", child), {
    ...author,
    parent: to("cells", cell),
    children: [],
    memberships: [],
  });
  assert.deepEqual(await linked("cell-memberships", membership), {
    ...author,
    cell: to("cells", cell),
    person: to("people", person.id),
  });
});

test("200 · lessons are sorted by number, cells by name", async () => {
  const own = await makeAccount(db);
  const as = own.administrator.token;
  const taught = await makeCourse(db, own.id);
  const of = (table: string, columns: Parameters<typeof makeRow>[3]) =>
    makeRow(db, table, own.id, columns);
  const names = ["b", "Á", "C"];
  for (const [position, name] of names.entries()) {
    await of("course_lessons", { course_id: taught, name, number: 10 - position });
    await of("cells", { name });
  }
  for (const [path, sorted] of [
    ["course-lessons", "CÁb"],
    ["course-lessons?sort=-number", "bÁC"],
    ["course-lessons?sort=created-at,id", "bÁC"],
    ["cells", "ÁbC"],
    ["cells?sort=-name", "CbÁ"],
  ] as const) {
    const answer = await service.get(`/v1/${path}`, { as });
    assert.equal(
      many(answer)
        .map(({ attributes }) => attributes["name"])
        .join(""),
      sorted,
      path,
    );
  }
});

test("200 · a member reads lessons, requirements and their own rows", async () => {
  const member = await makePerson(db, account.id);
  const as = member.token;
  const own = await make("course_enrollments", { course_id: course, person_id: member.id });
  const part = await make("cell_memberships", { cell_id: cell, person_id: member.id });
  const total = async (type: string) => {
    const answer = await service.get(`/v1/${type}`, { as });
    return answer.status === 200 ? answer.document.meta?.["total"] : answer.status;
  };
  const everybody = async (type: string) =>
    (await service.get(`/v1/${type}`)).document.meta?.["total"];
  for (const type of ["course-lessons", "course-requirements"])
    assert.equal(await total(type), await everybody(type), type);
  for (const [type, theirs] of [
    ["course-enrollments", own],
    ["cell-memberships", part],
  ] as const) {
    assert.deepEqual(ids(await service.get(`/v1/${type}`, { as })), [theirs]);
    assert.equal(await total(type), 1, type);
    assert.ok(Number(await everybody(type)) > 1, type);
  }
  assert.equal((await service.get(`/v1/course-enrollments/${enrollment}`, { as })).status, 404);
  assert.equal((await service.get(`/v1/cell-memberships/${membership}`, { as })).status, 404);
});

test("200 · a teacher reads the enrollments of their own classes", async () => {
  const teacher = await makePerson(db, account.id);
  const taught = await make("course_classes", { course_id: course, name: "Taught" });
  await db`insert into course_class_teachers values (${account.id}, ${taught}, ${teacher.id})`;
  const enrolled = await make("course_enrollments", {
    course_id: course,
    class_id: taught,
    person_id: person.id,
  });
  const as = teacher.token;
  assert.deepEqual(ids(await service.get("/v1/course-enrollments", { as })), [enrolled]);
  assert.equal((await service.get(`/v1/course-enrollments/${enrollment}`, { as })).status, 404);
  await db`delete from course_class_teachers where person_id = ${teacher.id}`;
  assert.deepEqual(ids(await service.get("/v1/course-enrollments", { as })), []);
});

test("200 · a leader reads all memberships of the cell while they lead it, and members their own", async () => {
  const led = await make("cells", { name: "Led" });
  const belongs = await make("cell_memberships", { cell_id: led, person_id: person.id });
  for (const [cell_role, leads] of [
    ["leader", true],
    ["co-leader", true],
    ["trainee", false],
    ["participant", false],
  ] as const) {
    const { id, token: as } = await makePerson(db, account.id);
    const own = await make("cell_memberships", { cell_id: led, person_id: id, cell_role });
    const memberships = async () => ids(await service.get("/v1/cell-memberships?sort=id", { as }));
    assert.deepEqual(ids(await service.get("/v1/cells", { as })), [led]);
    assert.equal((await service.get(`/v1/cells/${cell}`, { as })).status, 404);
    if (leads) {
      assert.ok((await memberships()).includes(belongs));
      assert.ok(!(await memberships()).includes(membership));
    } else assert.deepEqual(await memberships(), [own]);
    await db`update cell_memberships set status = 'left' where id = ${own}`;
    assert.deepEqual(ids(await service.get("/v1/cells", { as })), []);
    assert.deepEqual(await memberships(), [own]);
  }
});
