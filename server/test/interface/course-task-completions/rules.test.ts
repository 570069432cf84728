import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeEnrollment, makeTeacher } from "../../support/courses.ts";
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
import { json } from "../../../src/store/sql.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const course = await makeCourse(db, account.id);
const class_id = await makeClass(db, account.id, course);
const teacher = await makeTeacher(db, account.id, class_id);
await makeEndpoint(db, account.id);

const to = (type: string, id: string) => ({ data: { type, id } });
const taskWith = (columns: Record<string, string | number | boolean> = {}) =>
  makeRow(db, "course_tasks", account.id, { course_id: course, name: "Read John 3", ...columns });

/** A new student of the class. */
async function enroll(status = "active"): Promise<Member & { enrollment: string }> {
  const person = await makePerson(db, account.id);
  const columns = { person_id: person.id, status };
  return { ...person, enrollment: await makeEnrollment(db, account.id, class_id, columns) };
}

const handIn = (
  task: string,
  enrollment: string,
  attributes: Record<string, unknown> = { text: "My answer" },
  as = account.administrator.token,
) =>
  service.post(
    "/v1/course-task-completions",
    document("course-task-completions", attributes, {
      relationships: {
        task: to("course-tasks", task),
        enrollment: to("course-enrollments", enrollment),
      },
    }),
    { as },
  );
const change = (id: string, attributes: Record<string, unknown>, by: Member = teacher) =>
  service.patch(
    `/v1/course-task-completions/${id}`,
    document("course-task-completions", attributes, { id }),
    { as: by.token },
  );
const assertRefused = (answer: Answer, status: number, code: string, pointer: string) =>
  assert.deepEqual([answer.status, codes(answer), pointers(answer)], [status, [code], [pointer]]);

test("201 · a student hands in, and a teacher reviews", async () => {
  const student = await enroll();
  const task = await taskWith({ points: 10 });
  let id = "";
  const types = await eventsOf(async () => {
    const answer = await handIn(
      task,
      student.enrollment,
      { "text": "My answer", "student-comment": "Hard" },
      student.token,
    );
    assert.equal(answer.status, 201, answer.text);
    ({ id } = one(answer));
    assert.partialDeepStrictEqual(one(answer).attributes, {
      "status": "submitted",
      "was-on-time": null,
      "attempt-count": 1,
      "reviewed-at": null,
    });
    assert.deepEqual(one(answer).relationships["person"]?.data, { type: "people", id: student.id });

    const reviewed = await change(id, {
      "status": "accepted",
      "points-earned": 9,
      "teacher-comment": "Good",
    });
    assert.equal(reviewed.status, 200, reviewed.text);
    assert.ok(one(reviewed).attributes["reviewed-at"]);
    const by = one(reviewed).relationships["reviewed-by"]?.data;
    assert.deepEqual(by, { type: "people", id: teacher.id });
  });
  assert.deepEqual(types, ["course-task-completion.created", "course-task-completion.updated"]);
  const own = await service.get("/v1/course-task-completions", { as: student.token });
  assert.deepEqual(ids(own), [id]);
  assert.equal(many(own)[0]?.attributes["teacher-comment"], "Good");
});

/** The statuses that a review sets after each status. */
const reviews: Record<string, readonly string[]> = {
  submitted: ["accepted", "rejected", "returned"],
  accepted: ["returned"],
  rejected: [],
  returned: [],
};
for (const [from, allowed] of Object.entries(reviews))
  for (const status of Object.keys(reviews)) {
    const expected = allowed.includes(status) || from === status ? 200 : 409;
    test(`${expected} · a review of ${from} work sets ${status}`, async () => {
      const { enrollment } = await enroll();
      const id = await completionOf(await taskWith(), enrollment, from);
      const answer = await change(id, { status });
      assert.equal(answer.status, expected, answer.text);
      if (expected === 200) return assert.equal(one(answer).attributes["status"], status);
      assert.deepEqual(codes(answer), ["invalid-transition"]);
      assert.deepEqual(answer.document.errors?.[0]?.meta, {
        ...answer.document.errors?.[0]?.meta,
        from,
        to: status,
        allowed,
      });
    });
  }

for (const from of ["returned", "rejected"])
  test(`200 · work that was ${from} is handed in again by a change of the work`, async () => {
    const student = await enroll();
    const id = await completionOf(await taskWith(), student.enrollment, from);
    const commented = one(await change(id, { "student-comment": "Soon" }, student));
    assert.partialDeepStrictEqual(commented.attributes, { "status": from, "attempt-count": 1 });
    const again = one(await change(id, { text: "Better" }, student));
    assert.partialDeepStrictEqual(again.attributes, { "status": "submitted", "attempt-count": 2 });
    assert.notEqual(again.attributes["submitted-at"], commented.attributes["submitted-at"]);
  });

test("200 · work can change while it is submitted, which is no new attempt", async () => {
  const student = await enroll();
  const id = await completionOf(await taskWith(), student.enrollment, "submitted");
  const changed = one(await change(id, { text: "Better", url: "https://example.org" }, student));
  assert.partialDeepStrictEqual(changed.attributes, { "status": "submitted", "attempt-count": 1 });
});

test("403 · a student does not change accepted work, and repeating it is no change", async () => {
  const student = await enroll();
  const id = await completionOf(await taskWith(), student.enrollment, "accepted");
  const refused = await change(id, { text: "Better" }, student);
  assertRefused(refused, 403, "forbidden", "/data/attributes/text");
  assert.equal((await change(id, { text: "My answer" }, student)).status, 200);
});

test("403 · a student writes no review", async () => {
  const student = await enroll();
  const task = await taskWith({ points: 10 });
  for (const [name, value] of [
    ["status", "accepted"],
    ["points-earned", 10],
    ["teacher-comment", "Excellent"],
  ] as const) {
    const pointer = `/data/attributes/${name}`;
    const created = await handIn(
      task,
      student.enrollment,
      { text: "A", [name]: value },
      student.token,
    );
    assertRefused(created, 403, "forbidden", pointer);
  }
  const id = one(await handIn(task, student.enrollment, { text: "A" }, student.token)).id;
  for (const attributes of [{ status: "accepted" }, { "points-earned": 10 }]) {
    const [name] = Object.keys(attributes);
    const changed = await change(id, attributes, student);
    assertRefused(changed, 403, "forbidden", `/data/attributes/${name}`);
  }
  const removed = await service.delete(`/v1/course-task-completions/${id}`, { as: student.token });
  assert.equal(removed.status, 403);
});

test("201 · a reviewer enters accepted work that was done on paper", async () => {
  const { enrollment } = await enroll();
  const answer = await handIn(await taskWith(), enrollment, { status: "accepted" }, teacher.token);
  assert.equal(answer.status, 201, answer.text);
  assert.ok(one(answer).attributes["reviewed-at"]);
  const refused = await handIn(
    await taskWith(),
    enrollment,
    { text: "A", status: "returned" },
    teacher.token,
  );
  assertRefused(refused, 409, "invalid-transition", "/data/attributes/status");
});

test("422 · work has what the task asks for", async () => {
  const { enrollment, ...student } = await enroll();
  for (const [submission_type, attributes] of [
    ["text", { url: "https://example.org" }],
    ["url", { text: "A" }],
  ] as const) {
    const task = await taskWith({ submission_type });
    const answer = await handIn(task, enrollment, attributes, student.token);
    assertRefused(answer, 422, "missing-attribute", `/data/attributes/${submission_type}`);
  }
  for (const submission_type of ["none", "file"])
    assert.equal((await handIn(await taskWith({ submission_type }), enrollment, {})).status, 201);
  const id = await completionOf(await taskWith(), enrollment, "returned");
  const emptied = await change(id, { text: null }, { ...student });
  assertRefused(emptied, 422, "missing-attribute", "/data/attributes/text");
});

test("422 · points are at most those of the task", async () => {
  const { enrollment } = await enroll();
  const refused = async (task: string, points: number) => {
    const id = await completionOf(task, enrollment, "submitted");
    const answer = await change(id, { "points-earned": points });
    assertRefused(answer, 422, "invalid-attribute", "/data/attributes/points-earned");
    return id;
  };
  await refused(await taskWith(), 1);
  const id = await refused(await taskWith({ points: 10 }), 11);
  assert.equal((await change(id, { "points-earned": 10 })).status, 200);
});

test("422 · the enrollment belongs to the course of the task", async () => {
  const { enrollment } = await enroll();
  const elsewhere = await makeRow(db, "course_tasks", account.id, {
    course_id: await makeCourse(db, account.id),
    name: "Pray",
  });
  const answer = await handIn(elsewhere, enrollment);
  assertRefused(answer, 422, "invalid-relationship", "/data/relationships/enrollment/data");
});

test("409 · only an active or completed enrollment hands in", async () => {
  const task = await taskWith();
  for (const [status, expected] of [
    ["active", 201],
    ["completed", 201],
    ["requested", 409],
    ["waitlisted", 409],
    ["cancelled", 409],
    ["withdrawn", 409],
    ["failed", 409],
  ] as const) {
    const { enrollment } = await enroll(status);
    const answer = await handIn(task, enrollment);
    assert.equal(answer.status, expected, answer.text);
    if (expected === 409) assert.deepEqual(codes(answer), ["enrollment-not-active"]);
  }
  const student = await enroll("withdrawn");
  const id = await completionOf(task, student.enrollment, "returned");
  assert.deepEqual(codes(await change(id, { text: "B" }, student)), ["enrollment-not-active"]);
  assert.equal((await change(id, { "teacher-comment": "Pity" })).status, 200);
});

test("409 · a second completion of a task names the first", async () => {
  const { enrollment } = await enroll();
  const task = await taskWith();
  const { id } = one(await handIn(task, enrollment));
  const answer = await handIn(task, enrollment);
  assertRefused(answer, 409, "already-exists", "/data/relationships/task/data");
  assert.equal(answer.document.errors?.[0]?.meta?.["id"], id);
});

test("201 · 409 · of two completions at the same time, one exists", async () => {
  const { enrollment } = await enroll();
  const task = await taskWith();
  const answers = await Promise.all([handIn(task, enrollment), handIn(task, enrollment)]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]));
});

test("409 · work waits for an enrollment that ends at the same time", async () => {
  const { enrollment } = await enroll();
  const task = await taskWith();
  const answer = await meanwhile(
    db,
    (tx) => tx`
      update course_enrollments set status = 'withdrawn' where account_id = ${account.id} and id = ${enrollment}`,
    () => handIn(task, enrollment),
  );
  assert.deepEqual(codes(answer), ["enrollment-not-active"]);
});

const today = "(today_in(account_id))";
for (const [what, due, onTime] of [
  ["without a last day", { criterion: "none" }, null],
  ["on the last day", { criterion: "date", value: "{today}" }, true],
  ["after the last day", { criterion: "date", value: "2026-01-01" }, false],
  ["in a class without a start", { criterion: "class-start-offset", value: 5 }, null],
  ["on the day of the enrollment", { criterion: "enrollment-offset", value: 0 }, true],
  ["a day after the enrollment", { criterion: "enrollment-offset", value: -1 }, false],
] as const)
  test(`201 · work ${what} has was-on-time ${onTime}`, async () => {
    const [row] = await db<{ today: string }[]>`select today_in(${account.id})::text as today`;
    const text = json(due).replace("{today}", row?.today ?? today);
    const { enrollment } = await enroll();
    const answer = await handIn(await taskWith({ due: text }), enrollment);
    assert.equal(one(answer).attributes["was-on-time"], onTime);
  });

test("201 · days from the start of the class are days of the account's time zone", async () => {
  // The class starts at 01:00 on the 2nd in UTC, which is still the 1st in the account.
  await db`
    update accounts set settings = settings || '{"time-zone": "America/Sao_Paulo"}' where id = ${account.id}`;
  const starts = await makeClass(db, account.id, course);
  await db`
    update course_classes
    set starts = (today_in(account_id) - 1 + time '22:00') at time zone time_zone_of(account_id)
    where account_id = ${account.id} and id = ${starts}`;
  const enrollment = await makeEnrollment(db, account.id, starts);
  const onTime = async (value: number) => {
    const task = await taskWith({ due: json({ criterion: "class-start-offset", value }) });
    return one(await handIn(task, enrollment)).attributes["was-on-time"];
  };
  assert.equal(await onTime(1), true);
  assert.equal(await onTime(0), false);
});

test("200 · accepted mandatory work graduates the student, and its events come in order", async () => {
  const short = await makeCourse(db, account.id);
  const own = await makeClass(db, account.id, short);
  const enrollment = await makeEnrollment(db, account.id, own);
  const lesson_id = await makeRow(db, "course_lessons", account.id, {
    course_id: short,
    name: "One",
    number: 1,
  });
  const session_id = await makeRow(db, "course_sessions", account.id, {
    course_id: short,
    class_id: own,
    lesson_id,
    date: "2026-03-03",
  });
  await makeRow(db, "course_attendances", account.id, {
    course_id: short,
    class_id: own,
    session_id,
    lesson_id,
    enrollment_id: enrollment,
    date: "2026-03-03",
    status: "present",
  });
  const task = await makeRow(db, "course_tasks", account.id, {
    course_id: short,
    name: "Read",
    is_mandatory: true,
  });
  const { id } = one(await handIn(task, enrollment));
  const types = await eventsOf(() => change(id, { status: "accepted" }, account.administrator));
  assert.deepEqual(types, ["course-task-completion.updated", "course-enrollment.completed"]);
  const read = one(await service.get(`/v1/course-enrollments/${enrollment}`));
  assert.equal(read.attributes["status"], "completed");
});

test("201 · events name the student, and contain neither the work nor the comments", async () => {
  const { enrollment, ...student } = await enroll();
  const { id } = one(await handIn(await taskWith(), enrollment, { text: "A secret" }));
  await change(id, { "teacher-comment": "Another secret" });
  const events = await db<{ snapshot: string }[]>`
    select snapshot from webhook_events where account_id = ${account.id} and subject_id = ${id}`;
  assert.equal(events.length, 2);
  for (const { snapshot } of events) {
    assert.match(snapshot, new RegExp(student.id));
    assert.doesNotMatch(snapshot, /secret/);
  }
});

async function completionOf(task_id: string, enrollment_id: string, status: string) {
  const [enrollment] = await db<{ person: string }[]>`
    select person_id as person from course_enrollments where account_id = ${account.id} and id = ${enrollment_id}`;
  return makeRow(db, "course_task_completions", account.id, {
    course_id: course,
    class_id,
    task_id,
    enrollment_id,
    person_id: enrollment?.person ?? "",
    status,
    text: "My answer",
  });
}
