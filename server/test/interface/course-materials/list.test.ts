import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeCoordinator, makeStudent, makeTeacher } from "../../support/courses.ts";
import {
  makeAssignment,
  makeCourse,
  makePerson,
  makeRow,
  type Member,
} from "../../support/make.ts";
import { ids, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

const course = await makeCourse(db, account.id);
const begun = await makeClass(db, account.id, course, { starts: days(-1) });
const teacher = await makeTeacher(db, account.id, begun);
const coming = await makeClass(db, account.id, course, { starts: days(10) });
const undated = await makeClass(db, account.id, course);

const titles = new Map<string, string>();
async function make(title: string, columns: Record<string, string | number | null> = {}) {
  const usual = { course_id: course, audience: "student", publish_status: "unlisted" };
  const id = await makeRow(db, "course_materials", account.id, { ...usual, title, ...columns });
  titles.set(id, title);
  return id;
}
await make("all", { order: 3 });
await make("draft", { publish_status: "draft" });
await make("teachers", { audience: "teacher" });
await make("teachers of the class", { audience: "teacher", class_id: begun });
await make("draft of the class", { publish_status: "draft", class_id: begun });
await make("begun", { class_id: begun, order: 1 });
await make("coming", { class_id: coming });
await make("from the start", { available_from: 0, order: 2 });
await make("in two weeks", { available_from: 14 });
await make("two weeks early", { available_from: -14 });
await make("public", { publish_status: "public", available_from: 3_650 });
await make("public for teachers", { publish_status: "public", audience: "teacher" });
await make("public of a class", { publish_status: "public", class_id: undated });
const elsewhere = await makeCourse(db, account.id);
await make("elsewhere", { course_id: elsewhere });

const everyone = ["public", "public of a class"];
const ofCourse = ["all", ...everyone];

/** The titles that a person sees in the list, one by one, and through the course. */
async function seenBy({ token: as }: Member): Promise<string[]> {
  const list = await service.get("/v1/course-materials", { as });
  assert.equal(list.document.meta?.["total"], ids(list).length);
  const seen = new Set(ids(list));
  for (const [id, title] of titles) {
    const { status } = await service.get(`/v1/course-materials/${id}`, { as });
    assert.equal(status, seen.has(id) ? 200 : 404, title);
  }
  const { relationships } = one(await service.get(`/v1/courses/${course}`, { as }));
  const linked = ["student-materials", "teacher-materials"].flatMap(
    (name) => (relationships[name]?.data as { id: string }[] | undefined) ?? [],
  );
  const inCourse = [...seen].filter((id) => titles.get(id) !== "elsewhere");
  assert.deepEqual(new Set(linked.map(({ id }) => id)), new Set(inCourse));
  return [...seen].map((id) => titles.get(id) ?? "").sort();
}

const cases: readonly [who: string, person: () => Promise<Member>, sees: readonly string[]][] = [
  ["a person outside the course", () => makePerson(db, account.id), everyone],
  [
    "a student of a class that began",
    () => makeStudent(db, account.id, begun),
    [...ofCourse, "begun", "from the start", "two weeks early"],
  ],
  [
    "a student who completed the class",
    () => makeStudent(db, account.id, begun, "completed"),
    [...ofCourse, "begun", "from the start", "two weeks early"],
  ],
  [
    "a student of a class that begins in ten days",
    () => makeStudent(db, account.id, coming),
    [...ofCourse, "coming", "two weeks early"],
  ],
  ["a student of a class without a start", () => makeStudent(db, account.id, undated), ofCourse],
  ...["requested", "waitlisted", "withdrawn", "failed", "cancelled"].map(
    (status): (typeof cases)[number] => [
      `a person whose enrollment is ${status}`,
      () => makeStudent(db, account.id, begun, status),
      everyone,
    ],
  ),
  [
    "a teacher of the class",
    async () => teacher,
    [
      ...ofCourse,
      "begun",
      "draft of the class",
      "from the start",
      "in two weeks",
      "public for teachers",
      "teachers",
      "teachers of the class",
      "two weeks early",
    ],
  ],
  [
    "a coordinator of the course",
    () => makeCoordinator(db, account.id, course),
    [...titles.values()].filter((title) => title !== "elsewhere"),
  ],
  [
    "a coordinator of another course",
    () => makeCoordinator(db, account.id, elsewhere),
    ["elsewhere", ...everyone],
  ],
];
for (const [who, person, sees] of cases)
  test(`200 · ${who} sees the materials for them`, async () => {
    assert.deepEqual(await seenBy(await person()), [...sees].sort());
  });

test("200 · a role at a class reads the materials of the course, without teaching the class", async () => {
  const person = await makePerson(db, account.id);
  const scope = { scopeType: "course-class", scopeIds: [begun] };
  await makeAssignment(db, account.id, { personId: person.id, role: "teacher", ...scope });
  assert.deepEqual(await seenBy(person), await seenBy(teacher));
});

const found = async (query: string) => {
  const answer = await service.get(`/v1/course-materials?${query}`);
  return ids(answer).map((id) => titles.get(id));
};

test("200 · filters by course, class, audience and publish-status", async () => {
  assert.deepEqual(await found(`filter[course]=${elsewhere}`), ["elsewhere"]);
  assert.deepEqual(
    new Set(await found(`filter[class]=${coming},${undated}`)),
    new Set(["coming", "public of a class"]),
  );
  const drafts = `filter[publish-status]=draft&filter[class]=${begun}`;
  assert.deepEqual(await found(drafts), ["draft of the class"]);
  const forTeachers = `filter[audience]=teacher&filter[publish-status]=public`;
  assert.deepEqual(await found(forTeachers), ["public for teachers"]);
});

test("200 · the filter lesson", async () => {
  const lesson = { course_id: course, name: "One", number: 1 };
  const lesson_id = await makeRow(db, "course_lessons", account.id, lesson);
  await make("of the lesson", { lesson_id, audience: "teacher", publish_status: "draft" });
  assert.deepEqual(await found(`filter[lesson]=${lesson_id}`), ["of the lesson"]);
});

test("200 · sorted by order, with the materials that have none last, and without their content", async () => {
  const answer = await service.get(`/v1/course-materials?filter[course]=${course}&page[size]=3`);
  assert.deepEqual(
    ids(answer).map((id) => titles.get(id)),
    ["begun", "from the start", "all"],
  );
  assert.ok(many(answer).every(({ attributes }) => !("content" in attributes)));
});
