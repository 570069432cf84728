import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeSession,
  makeTeacher,
} from "../../support/courses.ts";
import { makeCourse } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id);
const classId = await makeClass(db, account.id, course);
const lesson = await makeLesson(db, account.id, course, 1);
const otherLesson = await makeLesson(db, account.id, await makeCourse(db, account.id, "Other"), 1);

const to = (type: string, id: string | null) => ({ data: id === null ? null : { type, id } });
const create = (
  attributes: Record<string, unknown>,
  links: Record<string, unknown> = {},
  as?: string,
) =>
  service.post(
    "/v1/course-sessions",
    document("course-sessions", attributes, {
      relationships: { class: to("course-classes", classId), ...links },
    }),
    as ? { as } : {},
  );
const change = (
  id: string,
  attributes: Record<string, unknown>,
  links: Record<string, unknown> = {},
) =>
  service.patch(
    `/v1/course-sessions/${id}`,
    document("course-sessions", attributes, { id, relationships: links }),
  );
const progressOf = async (enrollment: string) => {
  const [row] = await db<{ lessons_attended: number; status: string }[]>`
    select lessons_attended, status from course_enrollments where id = ${enrollment}`;
  return row;
};

test("201 · a session has the course of its class, and causes no event", async () => {
  const { id: teacher } = await makeTeacher(db, account.id, classId);
  const told = await eventsOf(async () => {
    const answer = await create(
      { "date": "2027-03-02", "starts-at": 1_140, "ends-at": 1_230 },
      { lesson: to("course-lessons", lesson), teacher: to("people", teacher) },
    );
    assert.equal(answer.status, 201, answer.text);
    const session = one(answer);
    assert.partialDeepStrictEqual(session.attributes, {
      "date": "2027-03-02",
      "starts-at": 1_140,
      "ends-at": 1_230,
      "status": "planned",
      "attendance-counts": {
        "present": 0,
        "late": 0,
        "excused": 0,
        "absent": 0,
        "online": 0,
        "not-applicable": 0,
      },
    });
    const linked = ["class", "course", "lesson", "teacher"].map((name) => linkedId(session, name));
    assert.deepEqual(linked, [classId, course, lesson, teacher]);
    assert.equal((await change(session.id, { status: "held" })).status, 200);
    assert.equal((await service.delete(`/v1/course-sessions/${session.id}`)).status, 204);
  });
  assert.deepEqual(told, []);
});

test("422 · a lesson of another course, absent targets and times in the wrong order", async () => {
  const date = { date: "2027-03-02" };
  const id = await makeSession(db, account.id, classId);
  for (const strange of [otherLesson, newId()]) {
    const link = { lesson: to("course-lessons", strange) };
    for (const answer of [await create(date, link), await change(id, {}, link)])
      assert.deepEqual(
        [answer.status, ...pointers(answer)],
        [422, "/data/relationships/lesson/data"],
      );
    const route = `/v1/course-sessions/${id}/relationships/lesson`;
    const linked = await service.patch(route, link.lesson);
    assert.deepEqual([linked.status, ...pointers(linked)], [422, "/data"]);
  }
  const absent = await create(date, { class: to("course-classes", newId()) });
  assert.deepEqual([absent.status, ...pointers(absent)], [422, "/data/relationships/class/data"]);
  const stranger = await create(date, { teacher: to("people", newId()) });
  assert.deepEqual(
    [stranger.status, ...pointers(stranger)],
    [422, "/data/relationships/teacher/data"],
  );
  const times = await create({ ...date, "starts-at": 600, "ends-at": 600 });
  assert.deepEqual([times.status, ...pointers(times)], [422, "/data/attributes/ends-at"]);
  const late = await change(id, { "starts-at": 700, "ends-at": 600 });
  assert.deepEqual([late.status, ...pointers(late)], [422, "/data/attributes/ends-at"]);
});

test("409 · a class has at most 500 sessions, also when two requests race for the last one", async () => {
  const full = await makeClass(db, account.id, course);
  await db`
    insert into course_sessions (account_id, id, course_id, class_id, date)
    select ${account.id}, history_id(now() + n * interval '1 second'), ${course}, ${full}, '2027-03-02' from generate_series(1, 499) n`;
  const answers = await Promise.all(
    ["2027-03-03", "2027-03-04"].map((date) =>
      create({ date }, { class: to("course-classes", full) }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 1);
  assert.partialDeepStrictEqual(refused[0]?.document.errors?.[0], {
    status: "409",
    code: "limit-reached",
    meta: { limit: 500 },
  });
});

const rows: Record<string, string[]> = {
  planned: ["held", "cancelled"],
  held: ["planned"],
  cancelled: ["planned"],
};

for (const [from, to] of Object.entries(rows))
  test(`status · ${from} becomes ${to.join(", ")}`, async () => {
    for (const status of Object.keys(rows)) {
      const id = await makeSession(db, account.id, classId, { status: from });
      const answer = await change(id, { status });
      if (status === from || to.includes(status)) {
        assert.equal(answer.status, 200, answer.text);
        assert.equal(one(answer).attributes["status"], status);
      } else {
        assert.deepEqual([answer.status, ...codes(answer)], [409, "invalid-transition"], status);
        assert.partialDeepStrictEqual(answer.document.errors?.[0]?.meta, {
          from,
          to: status,
          allowed: to,
        });
      }
    }
  });

test("200 · attendances follow the lesson and the date of their session, and progress is computed again", async () => {
  const second = await makeLesson(db, account.id, course, 2);
  const enrollment_id = await makeEnrollment(db, account.id, classId);
  const sessions = [
    await makeSession(db, account.id, classId, { lesson_id: lesson, status: "held" }),
    await makeSession(db, account.id, classId, { lesson_id: lesson, status: "held" }),
  ];
  const [first = "", again = ""] = sessions;
  const attendance = await makeAttendance(db, account.id, first, { enrollment_id });
  await makeAttendance(db, account.id, again, { enrollment_id });
  const told = await eventsOf(async () => {
    await change(first, { date: "2027-04-01" }, { lesson: to("course-lessons", second) });
  });
  const [row] = await db<{ lesson_id: string; date: string }[]>`
    select lesson_id, date::text from course_attendances where id = ${attendance}`;
  assert.deepEqual({ ...row }, { lesson_id: second, date: "2027-04-01" });
  // Both lessons are attended, so the course is finished.
  assert.deepEqual(
    { ...(await progressOf(enrollment_id)) },
    { lessons_attended: 2, status: "completed" },
  );
  assert.deepEqual(told, ["course-enrollment.completed"]);
  const unlinked = await service.patch(`/v1/course-sessions/${again}/relationships/lesson`, {
    data: null,
  });
  assert.equal(unlinked.status, 200, unlinked.text);
  assert.equal((await progressOf(enrollment_id))?.lessons_attended, 1);
  assert.equal((await service.delete(`/v1/course-sessions/${first}`)).status, 204);
  assert.deepEqual(
    { ...(await progressOf(enrollment_id)) },
    { lessons_attended: 0, status: "completed" },
  );
});

test("200 · a cancelled session loses its attendances in one event, and progress is computed again", async () => {
  const enrollment_id = await makeEnrollment(db, account.id, classId);
  const id = await makeSession(db, account.id, classId, { lesson_id: lesson, status: "held" });
  const attendance = await makeAttendance(db, account.id, id, { enrollment_id });
  assert.equal((await change(id, { status: "planned" })).status, 200);
  assert.equal((await service.get(`/v1/course-attendances/${attendance}`)).status, 200);
  const captured = await eventsOf(async () => {
    const cancelled = one(await change(id, { status: "cancelled", date: "2027-04-08" }));
    assert.partialDeepStrictEqual(cancelled.attributes["attendance-counts"], { present: 0 });
  });
  assert.deepEqual(captured, ["course-attendance.recorded"]);
  assert.equal((await service.get(`/v1/course-attendances/${attendance}`)).status, 404);
  assert.equal((await progressOf(enrollment_id))?.lessons_attended, 0);
  const [row] = await db<{ action: string }[]>`
    select action from journal where account_id = ${account.id} and resource_id = ${attendance} order by id desc limit 1`;
  assert.equal(row?.action, "deleted");
  const other = await makeSession(db, account.id, classId);
  assert.deepEqual(await eventsOf(() => change(other, { status: "cancelled" })), []);
});
