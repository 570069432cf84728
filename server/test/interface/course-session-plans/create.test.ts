import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { makeClass, makeLesson, makeSession } from "../../support/courses.ts";
import { makeCourse } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

/** Tuesdays at 19:00 in São Paulo, four of them. */
async function makeTerm(more: Record<string, string | null> = {}) {
  const course = await makeCourse(db, account.id);
  const classId = await makeClass(db, account.id, course, {
    starts: "2027-03-02T22:00:00Z",
    ends: "2027-03-23T23:30:00Z",
    time_zone: "America/Sao_Paulo",
    ...more,
  });
  await setSchedule(classId, [{ "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 }]);
  return { course, classId };
}
const setSchedule = (classId: string, schedule: object[]) =>
  db`update course_classes set schedule = ${json(schedule)}::jsonb where id = ${classId}`;

const plan = (classId: string, as = account.administrator.token): Promise<Answer> =>
  service.post(
    "/v1/course-session-plans",
    document(
      "course-session-plans",
      {},
      {
        relationships: { class: { data: { type: "course-classes", id: classId } } },
      },
    ),
    { as },
  );
const sessionsOf = async (classId: string) =>
  many(await service.get(`/v1/course-sessions?filter[class]=${classId}`)).map((session) => [
    session.attributes["date"],
    linkedId(session, "lesson"),
  ]);

test("201 · a plan creates the sessions of the class and gives them the active lessons in order", async () => {
  const { classId, course } = await makeTerm();
  const third = await makeLesson(db, account.id, course, 30);
  const first = await makeLesson(db, account.id, course, 1);
  await makeLesson(db, account.id, course, 2, { is_active: false });
  const told = await eventsOf(async () => {
    const answer = await plan(classId);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(one(answer).attributes["created-count"], 4);
    assert.equal(linkedId(one(answer), "class"), classId);
    const read = await service.get(`/v1/course-session-plans?filter[class]=${classId}`);
    assert.deepEqual(
      many(read).map(({ id }) => id),
      [one(answer).id],
    );
  });
  assert.deepEqual(told, []);
  assert.deepEqual(await sessionsOf(classId), [
    ["2027-03-02", first],
    ["2027-03-09", third],
    ["2027-03-16", ""],
    ["2027-03-23", ""],
  ]);
  const [session] = many(await service.get(`/v1/course-sessions?filter[class]=${classId}`));
  assert.partialDeepStrictEqual(session?.attributes, {
    "starts-at": 1_140,
    "ends-at": 1_230,
    "status": "planned",
  });
  assert.equal(session && linkedId(session, "created-by"), account.administrator.id);
});

test("201 · a class that meets twice on a day has two sessions, each with a lesson", async () => {
  const { classId, course } = await makeTerm({ ends: "2027-03-09T23:30:00Z" });
  await setSchedule(classId, [
    { "weekday": 2, "starts-at": 1_260, "ends-at": 1_320 },
    { "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 },
  ]);
  const lessons: string[] = [];
  for (const number of [1, 2, 3]) lessons.push(await makeLesson(db, account.id, course, number));
  const [first = "", second = "", third = ""] = lessons;
  // The term ends on the ninth at 20:30, before the second time.
  assert.equal(one(await plan(classId)).attributes["created-count"], 3);
  const planned = many(await service.get(`/v1/course-sessions?filter[class]=${classId}`)).map(
    (session) => [
      session.attributes["date"],
      session.attributes["starts-at"],
      linkedId(session, "lesson"),
    ],
  );
  assert.deepEqual(
    planned.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
    [
      ["2027-03-02", 1_140, first],
      ["2027-03-02", 1_260, second],
      ["2027-03-09", 1_140, third],
    ],
  );
  assert.equal(one(await plan(classId)).attributes["created-count"], 0);
});

test("201 · a second plan adds only missing sessions and changes no other", async () => {
  const { classId, course } = await makeTerm();
  const lessons = [];
  for (const number of [1, 2, 3, 4]) lessons.push(await makeLesson(db, account.id, course, number));
  const [one1 = "", two = "", three = "", four = ""] = lessons;
  // The class had the third lesson in advance, and does not meet on the ninth.
  const at = { starts_at: 1_140, ends_at: 1_230 };
  await makeSession(db, account.id, classId, {
    date: "2027-03-02",
    ...at,
    status: "held",
    lesson_id: three,
  });
  await makeSession(db, account.id, classId, {
    date: "2027-03-09",
    ...at,
    status: "cancelled",
    lesson_id: two,
  });
  const added = await plan(classId);
  assert.equal(one(added).attributes["created-count"], 2);
  const planned = [
    ["2027-03-02", three],
    ["2027-03-09", two],
    ["2027-03-16", one1],
    ["2027-03-23", two],
  ];
  assert.deepEqual(await sessionsOf(classId), planned);
  assert.equal(one(await plan(classId)).attributes["created-count"], 0);
  assert.deepEqual(await sessionsOf(classId), planned);

  await db`update course_classes set ends = '2027-03-31T00:00:00Z' where id = ${classId}`;
  assert.equal(one(await plan(classId)).attributes["created-count"], 1);
  assert.deepEqual(await sessionsOf(classId), [...planned, ["2027-03-30", four]]);
});

test("201 · two plans at once create each session once", async () => {
  const { classId } = await makeTerm();
  const answers = await Promise.all([plan(classId), plan(classId)]);
  const counts = answers.map((answer) => one(answer).attributes["created-count"]);
  assert.deepEqual(new Set(counts), new Set([0, 4]));
  assert.equal((await sessionsOf(classId)).length, 4);
});

test("422 · a class without schedule, starts or ends", async () => {
  for (const missing of ["starts", "ends"]) {
    const { classId } = await makeTerm({ [missing]: null });
    const answer = await plan(classId);
    assert.deepEqual(
      [answer.status, ...codes(answer), ...pointers(answer)],
      [422, "missing-attribute", "/data/relationships/class/data"],
    );
    assert.match(answer.document.errors?.[0]?.detail ?? "", new RegExp(missing));
  }
  const { classId } = await makeTerm();
  await setSchedule(classId, []);
  assert.deepEqual(codes(await plan(classId)), ["missing-attribute"]);
  assert.equal((await plan(newId())).status, 422);
});

test("409 · a plan of more than 500 sessions creates none", async () => {
  const { classId } = await makeTerm({ ends: "2999-01-01T00:00:00Z" });
  const answer = await plan(classId);
  assert.partialDeepStrictEqual(answer.document.errors?.[0], {
    status: "409",
    code: "limit-reached",
    meta: { limit: 500 },
  });
  assert.deepEqual(await sessionsOf(classId), []);
});
