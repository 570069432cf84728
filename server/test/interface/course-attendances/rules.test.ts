import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeSession,
  makeTeacher,
} from "../../support/courses.ts";
import { makeCourse, makeEndpoint, makePerson, makeRow, type Member } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  ids,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { meanwhile } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-attendance.recorded"] });

const course = await makeCourse(db, account.id);
const lesson = await makeRow(db, "course_lessons", account.id, {
  course_id: course,
  name: "One",
  number: 1,
});
await db`update courses set graduation_mode = 'manual' where account_id = ${account.id} and id = ${course}`;
const class_id = await makeClass(db, account.id, course);
const teacher = await makeTeacher(db, account.id, class_id);

const to = (type: string, id: string) => ({ data: { type, id } });
const enroll = (status = "active", more: Record<string, string> = {}) =>
  makeEnrollment(db, account.id, class_id, { status, ...more });
const session = (more: Record<string, string> = {}) =>
  makeSession(db, account.id, class_id, { date: "2026-03-03", lesson_id: lesson, ...more });
const record = (
  session_id: string,
  enrollment: string,
  attributes: Record<string, unknown> = { status: "present" },
  by: Member = teacher,
) =>
  service.post(
    "/v1/course-attendances",
    document("course-attendances", attributes, {
      relationships: {
        session: to("course-sessions", session_id),
        enrollment: to("course-enrollments", enrollment),
      },
    }),
    { as: by.token },
  );
const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(
    `/v1/course-attendances/${id}`,
    document("course-attendances", attributes, { id }),
    { as: teacher.token },
  );
const assertRefused = (answer: Answer, status: number, code: string, pointer: string) =>
  assert.deepEqual([answer.status, codes(answer), pointers(answer)], [status, [code], [pointer]]);
const sessionAt = async (id: string) => one(await service.get(`/v1/course-sessions/${id}`));
const progressOf = async (id: string) => {
  const [row] = await db<{ attended: number; status: string }[]>`
    select lessons_attended as attended, status from course_enrollments
    where account_id = ${account.id} and id = ${id}`;
  return row;
};

test("201 · an attendance has the lesson, the class and the person, and sets its session to held", async () => {
  const [held, enrollment] = [await session(), await enroll()];
  const answer = await record(held, enrollment, { status: "late", note: "Bus", minutes: 45 });
  assert.equal(answer.status, 201, answer.text);
  const { attributes, relationships } = one(answer);
  assert.partialDeepStrictEqual(attributes, {
    status: "late",
    note: "Bus",
    minutes: 45,
    date: "2026-03-03",
  });
  assert.ok(attributes["recorded-at"]);
  assert.deepEqual(relationships["lesson"]?.data, { type: "course-lessons", id: lesson });
  assert.deepEqual(relationships["class"]?.data, { type: "course-classes", id: class_id });
  assert.deepEqual(relationships["recorded-by"]?.data, { type: "people", id: teacher.id });
  assert.partialDeepStrictEqual((await sessionAt(held)).attributes, {
    "status": "held",
    "attendance-counts": { present: 0, late: 1 },
  });
  assert.equal((await progressOf(enrollment))?.attended, 1);
});

test("201 · each write is one event, whose subject and snapshot are the session", async () => {
  const [held, enrollment] = [await session(), await enroll()];
  let id = "";
  const types = await eventsOf(async () => {
    ({ id } = one(await record(held, enrollment)));
    await change(id, { status: "absent" });
    await change(id, { status: "absent" });
    await service.delete(`/v1/course-attendances/${id}`, { as: teacher.token });
  });
  assert.deepEqual(
    types,
    Array.from({ length: 3 }, () => "course-attendance.recorded"),
  );
  const events = await db<{ subject: string; snapshot: string }[]>`
    select subject_type as subject, snapshot from webhook_events
    where account_id = ${account.id} and subject_id = ${held}`;
  assert.equal(events.length, 3);
  for (const { snapshot, subject } of events) {
    assert.equal(subject, "course-sessions");
    const { attributes, id: resource } = JSON.parse(snapshot) as {
      id: string;
      attributes: Record<string, unknown>;
    };
    assert.deepEqual([resource, attributes["status"]], [held, "held"]);
  }
});

test("200 · 204 · a correction and a deletion count for the progress", async () => {
  const enrollment = await enroll();
  const { id } = one(await record(await session(), enrollment));
  const corrected = one(await change(id, { status: "excused", note: "Ill" }));
  assert.partialDeepStrictEqual(corrected.attributes, { status: "excused", note: "Ill" });
  assert.equal((await progressOf(enrollment))?.attended, 0);
  await change(id, { status: "online" });
  assert.equal((await progressOf(enrollment))?.attended, 1);
  const removed = await service.delete(`/v1/course-attendances/${id}`, { as: teacher.token });
  assert.equal(removed.status, 204);
  assert.equal((await progressOf(enrollment))?.attended, 0);
});

test("201 · the attendance of the last lesson completes the enrollment", async () => {
  const short = await makeCourse(db, account.id);
  const own = await makeClass(db, account.id, short);
  const lesson_id = await makeRow(db, "course_lessons", account.id, {
    course_id: short,
    name: "One",
    number: 1,
  });
  const held = await makeSession(db, account.id, own, { lesson_id });
  const enrollment = await makeEnrollment(db, account.id, own);
  const types = await eventsOf(() =>
    record(held, enrollment, { status: "present" }, account.administrator),
  );
  assert.deepEqual(types, ["course-attendance.recorded", "course-enrollment.completed"]);
  assert.equal((await progressOf(enrollment))?.status, "completed");
});

test("409 · a second attendance of an enrollment names the first", async () => {
  const [held, enrollment] = [await session(), await enroll()];
  const { id } = one(await record(held, enrollment));
  const answer = await record(held, enrollment);
  assertRefused(answer, 409, "already-exists", "/data/relationships/session/data");
  assert.equal(answer.document.errors?.[0]?.meta?.["id"], id);
});

test("422 · the enrollment belongs to the class of the session", async () => {
  const elsewhere = await makeEnrollment(db, account.id, await makeClass(db, account.id, course));
  const answer = await record(
    await session(),
    elsewhere,
    { status: "present" },
    account.administrator,
  );
  assertRefused(answer, 422, "invalid-relationship", "/data/relationships/enrollment/data");
});

for (const [status, expected] of [
  ["active", 201],
  ["completed", 201],
  ["requested", 409],
  ["waitlisted", 409],
  ["cancelled", 409],
] as const)
  test(`${expected} · an enrollment that is ${status} has attendances or not`, async () => {
    const answer = await record(await session(), await enroll(status));
    assert.equal(answer.status, expected, answer.text);
    if (expected === 201) return;
    const pointer = "/data/relationships/enrollment/data";
    assertRefused(answer, 409, "enrollment-not-active", pointer);
  });

for (const status of ["withdrawn", "failed"])
  for (const [date, expected] of [
    ["2026-03-02", 201],
    ["2026-03-03", 201],
    ["2026-03-04", 409],
  ] as const)
    test(`${expected} · an enrollment that ended as ${status} on 3 March attends on ${date}`, async () => {
      await inSaoPaulo();
      // In the time zone of the account, 01:00 of the 4th in UTC is still the 3rd.
      const enrollment = await enroll(status, { status_changed_at: "2026-03-04T01:00:00Z" });
      const answer = await record(await session({ date }), enrollment);
      assert.equal(answer.status, expected, answer.text);
      if (expected === 409) assert.deepEqual(codes(answer), ["enrollment-not-active"]);
    });

test("200 · 400 · a page has up to 1,000 attendances, and 100 by default", async () => {
  const list = (query: string) => service.get(`/v1/course-attendances?${query}`);
  assert.equal((await list("")).document.meta?.["size"], 100);
  const enrollment = await enroll("active");
  for (let recorded = 0; recorded < 101; recorded += 1)
    await makeAttendance(db, account.id, await session(), {
      enrollment_id: enrollment,
      person_id: account.administrator.id,
    });
  for (const path of [
    "/v1/course-attendances?",
    `/v1/course-enrollments/${enrollment}/attendances?`,
  ]) {
    const all = await service.get(`${path}filter[enrollment]=${enrollment}&page[size]=1000`);
    assert.equal(many(all).length, 101);
    assert.equal((await service.get(`${path}page[size]=1001`)).status, 400);
  }
});

async function inSaoPaulo(): Promise<void> {
  await db`
    update accounts set settings = settings || '{"time-zone": "America/Sao_Paulo"}' where id = ${account.id}`;
}

test("409 · a cancelled session takes no attendance, and rows of it can be deleted", async () => {
  const [cancelled, enrollment] = [await session(), await enroll()];
  const { id } = one(await record(cancelled, enrollment));
  await db`update course_sessions set status = 'cancelled' where account_id = ${account.id} and id = ${cancelled}`;
  const pointer = "/data/relationships/session/data";
  const created = await record(cancelled, await enroll());
  assertRefused(created, 409, "session-cancelled", pointer);
  assertRefused(await change(id, { status: "absent" }), 409, "session-cancelled", pointer);
  assert.equal((await change(id, { status: "present" })).status, 200);
  const removed = await service.delete(`/v1/course-attendances/${id}`, { as: teacher.token });
  assert.equal(removed.status, 204);
  assert.equal((await sessionAt(cancelled)).attributes["status"], "cancelled");
});

test("409 · an attendance waits for an enrollment that is cancelled at the same time", async () => {
  const [held, enrollment] = [await session(), await enroll()];
  const answer = await meanwhile(
    db,
    (tx) => tx`
      update course_enrollments set status = 'cancelled' where account_id = ${account.id} and id = ${enrollment}`,
    () => record(held, enrollment),
  );
  assert.deepEqual(codes(answer), ["enrollment-not-active"]);
});

test("422 · an attendance waits for the deletion of its enrollment", async () => {
  const [held, enrollment] = [await session(), await enroll()];
  const answer = await meanwhile(
    db,
    (tx) =>
      tx`delete from course_enrollments where account_id = ${account.id} and id = ${enrollment}`,
    () => record(held, enrollment, { status: "present" }, account.administrator),
  );
  assertRefused(answer, 422, "invalid-relationship", "/data/relationships/enrollment/data");
});

test("204 · the attendance of a deleted person stays, without the person", async () => {
  const person = await makePerson(db, account.id);
  const enrollment = await enroll("active", { person_id: person.id });
  const held = await session();
  const { id } = one(await record(held, enrollment));
  assert.equal((await service.delete(`/v1/people/${person.id}`)).status, 204);
  const read = one(await service.get(`/v1/course-attendances/${id}?include=enrollment,person`));
  assert.equal(read.relationships["person"]?.data, null);
  assert.deepEqual(read.relationships["enrollment"]?.data, {
    type: "course-enrollments",
    id: enrollment,
  });
  const corrected = await change(id, { status: "absent" });
  assert.equal(corrected.status, 200, corrected.text);
});

test("200 · attendances are filtered by days, and sorted by day and by name", async () => {
  const own = await makeClass(db, account.id, course);
  const attendOn = async (date: string, fullName: string) => {
    const { id: person_id } = await makePerson(db, account.id, { fullName });
    const enrollment = await makeEnrollment(db, account.id, own, { person_id });
    const on = await makeSession(db, account.id, own, { date });
    return one(await record(on, enrollment, { status: "present" }, account.administrator)).id;
  };
  const zoe = await attendOn("2026-03-03", "Zoe");
  const ana = await attendOn("2026-03-10", "Ana");
  const list = async (query: string) =>
    ids(await service.get(`/v1/course-attendances?filter[class]=${own}${query}`));
  assert.deepEqual(await list(""), [ana, zoe]);
  assert.deepEqual(await list("&sort=-person"), [zoe, ana]);
  assert.deepEqual(await list("&filter[from]=2026-03-04"), [ana]);
  assert.deepEqual(await list("&filter[to]=2026-03-03"), [zoe]);
  const all = many(await service.get(`/v1/course-attendances?filter[class]=${own}&include=person`));
  assert.equal(all.length, 2);
});
