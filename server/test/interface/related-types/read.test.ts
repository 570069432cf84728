import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { ids, one, startService } from "../../support/service.ts";

/** Types that courses and people relate to: read and followed, and written by nobody yet. */

const service = await startService();
after(() => service.stop());
const { church, db } = service;
const person = await makePerson(db, church.id);
const course = await makeCourse(db, church.id);
const next = await makeCourse(db, church.id, "Next");
const make = (table: string, columns: Parameters<typeof makeRow>[3]) =>
  makeRow(db, table, church.id, columns);

const lesson = await make("course_lessons", { course_id: course, name: "One", number: 1 });
const second = await make("course_lessons", { course_id: course, name: "Two", number: 12 });
const third = await make("course_lessons", { course_id: course, name: "Three", number: 3 });
const classId = await make("course_classes", { course_id: course, name: "Spring", status: "open" });
await db`insert into course_class_teachers values (${church.id}, ${classId}, ${person.id})`;
const material = await make("course_materials", {
  course_id: course,
  title: "Reader",
  audience: "student",
});
const requirement = await make("course_requirements", {
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

const all: [string, string, Record<string, unknown>][] = [
  ["course-lessons", lesson, { name: "One", number: 1 }],
  ["course-classes", classId, { name: "Spring", status: "open" }],
  ["course-materials", material, { title: "Reader", audience: "student" }],
  ["course-requirements", requirement, { kind: "course" }],
  ["course-enrollments", enrollment, { status: "active" }],
  ["cells", cell, { name: "North" }],
  ["cell-memberships", membership, { "cell-role": "host", "status": "active" }],
];

for (const [type, id, attributes] of all) {
  test(`200 · ${type} are read, listed, and every link leads somewhere`, async () => {
    const answer = await service.get(`/v1/${type}/${id}`);
    assert.equal(answer.status, 200);
    assert.partialDeepStrictEqual(one(answer).attributes, attributes);
    assert.ok(ids(await service.get(`/v1/${type}`)).includes(id));
    assert.deepEqual(ids(await service.get(`/v1/${type}?filter[id]=${id}`)), [id]);
    const { links, relationships } = one(answer);
    const every = Object.values(relationships).flatMap((each) => Object.values(each.links ?? {}));
    for (const link of [...every, ...Object.values(links)])
      assert.equal((await service.get(link)).status, 200, link);
  });

  test(`405 · ${type} are not written`, async () => {
    for (const [method, path] of [
      ["POST", ""],
      ["PATCH", `/${id}`],
      ["DELETE", `/${id}`],
      ["PUT", `/${id}`],
    ] as const) {
      const answer = await service.request(method, `/v1/${type}${path}`);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
}

test("200 · each is found by what it belongs to", async () => {
  for (const [path, found] of [
    [`course-lessons?filter[course]=${course}`, [lesson, third, second]],
    [`course-classes?filter[teacher]=${person.id}&filter[status]=open`, [classId]],
    [`course-classes?filter[status]=draft`, []],
    [`course-materials?filter[audience]=teacher`, []],
    [`course-requirements?filter[course]=${next}`, []],
    [`course-enrollments?filter[person]=${person.id}&filter[class]=${classId}`, [enrollment]],
    [`cell-memberships?filter[cell]=${cell}&filter[cell-role]=host,leader`, [membership]],
    [`cells/${cell}/children`, [child]],
  ] as const)
    assert.deepEqual(ids(await service.get(`/v1/${path}`)), found, path);
});

test("200 · page[after] goes through numbers as numbers", async () => {
  const seen: string[] = [];
  for (let path: string | null = "/v1/course-lessons?page[size]=1&page[after]="; path !== null; ) {
    const answer = await service.get(path);
    assert.equal(answer.status, 200, answer.text);
    seen.push(...ids(answer));
    path = answer.document.links?.["next"] ?? null;
  }
  assert.deepEqual(seen, [lesson, third, second]);
});
