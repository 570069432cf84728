import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { ids, one, startService } from "../../support/service.ts";

/** Types that courses and people relate to. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const person = await makePerson(db, account.id);
const course = await makeCourse(db, account.id);
const next = await makeCourse(db, account.id, "Next");
const make = (table: string, columns: Parameters<typeof makeRow>[3]) =>
  makeRow(db, table, account.id, columns);

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
