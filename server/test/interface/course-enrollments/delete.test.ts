import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  enroll,
  makeAttendance,
  makeEnrollment,
  makeLesson,
  makeOpenClass,
  makeSession,
} from "../../support/courses.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { eventsOf, ids, one, startService } from "../../support/service.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

/** The deletion of enrollments, and the seats that deletions and merges make free. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const newPerson = async () => (await makePerson(db, account.id)).id;
const statusOf = async (id: string) =>
  one(await service.get(`/v1/course-enrollments/${id}`)).attributes["status"];

test("204 · deleting an enrollment deletes its attendances and completions, and no others", async () => {
  const { classId: class_id, courseId: course_id } = await makeOpenClass(db, account.id);
  const lesson_id = await makeLesson(db, account.id, course_id, 1);
  const session = await makeSession(db, account.id, class_id, { lesson_id, status: "held" });
  const task_id = await makeRow(db, "course_tasks", account.id, { course_id, name: "Read" });
  const student = async () => {
    const person_id = await newPerson();
    const enrollment_id = await makeEnrollment(db, account.id, class_id, { person_id });
    const own = { enrollment_id, person_id };
    const attendance = await makeAttendance(db, account.id, session, own);
    const columns = { ...own, course_id, class_id, task_id };
    const completion = await makeRow(db, "course_task_completions", account.id, columns);
    return { attendance, completion, enrollment: enrollment_id };
  };
  const gone = await student();
  const stays = await student();
  const events = await eventsOf(async () => {
    const answer = await service.delete(`/v1/course-enrollments/${gone.enrollment}`);
    assert.equal(answer.status, 204, answer.text);
  });
  assert.deepEqual(events, ["course-enrollment.deleted"]);
  for (const [type, id] of [
    ["course-enrollments", stays.enrollment],
    ["course-attendances", stays.attendance],
    ["course-task-completions", stays.completion],
  ] as const)
    assert.deepEqual(ids(await service.get(`/v1/${type}?filter[class]=${class_id}`)), [id], type);
  const counts = one(await service.get(`/v1/course-sessions/${session}`)).attributes;
  assert.partialDeepStrictEqual(counts["attendance-counts"], { present: 1 });
});

test("204 · the deletion of an enrollment without a seat admits no person", async () => {
  for (const status of ["requested", "waitlisted", "withdrawn", "cancelled"]) {
    const { classId } = await makeOpenClass(db, account.id, { seats: 1 });
    const seated = await makeEnrollment(db, account.id, classId);
    const deleted = await makeEnrollment(db, account.id, classId, { status });
    const waiting = await makeEnrollment(db, account.id, classId, { status: "waitlisted" });
    assert.equal((await service.delete(`/v1/course-enrollments/${deleted}`)).status, 204);
    assert.deepEqual([await statusOf(seated), await statusOf(waiting)], ["active", "waitlisted"]);
  }
});

test("204 · the deletion of an enrollment with any kind of seat passes the seat", async () => {
  for (const status of ["active", "completed", "failed"]) {
    const { classId } = await makeOpenClass(db, account.id, { seats: 1 });
    const seated = await makeEnrollment(db, account.id, classId, { status });
    const waiting = await makeEnrollment(db, account.id, classId, { status: "waitlisted" });
    const events = await eventsOf(() => service.delete(`/v1/course-enrollments/${seated}`));
    assert.deepEqual(events, ["course-enrollment.deleted", "course-enrollment.updated"]);
    assert.equal(await statusOf(waiting), "active", status);
  }
});

/** A class whose two seats are taken by two people who are one. */
async function takenTwice() {
  const { classId } = await makeOpenClass(db, account.id, { seats: 2 });
  const [kept, removed] = [await newPerson(), await newPerson()];
  for (const person_id of [kept, removed])
    await makeEnrollment(db, account.id, classId, { person_id });
  return { classId, kept, removed };
}

test("201 · the merge of two people with a seat each passes one to the person who waited longest", async () => {
  const { classId, kept, removed } = await takenTwice();
  const waiting = [];
  for (const status of ["waitlisted", "waitlisted"])
    waiting.push(await makeEnrollment(db, account.id, classId, { status }));
  const events = await eventsOf(async () => {
    const answer = await merge(service, kept, [removed]);
    assert.equal(answer.status, 201, answer.text);
  });
  assert.deepEqual(events, ["person.merged", "course-enrollment.updated"]);
  assert.deepEqual(await Promise.all(waiting.map(statusOf)), ["active", "waitlisted"]);
});

test("201 · the merge of a waiting person with one who has a seat passes no seat", async () => {
  const { classId } = await makeOpenClass(db, account.id, { seats: 1 });
  const [kept, removed] = [await newPerson(), await newPerson()];
  const waits = { person_id: kept, status: "waitlisted" };
  await makeEnrollment(db, account.id, classId, waits);
  const seated = await makeEnrollment(db, account.id, classId, { person_id: removed });
  const other = await makeEnrollment(db, account.id, classId, { status: "waitlisted" });
  assert.equal((await merge(service, kept, [removed])).status, 201);
  const path = `/v1/course-enrollments?filter[class]=${classId}&filter[person]=${kept}`;
  assert.deepEqual(ids(await service.get(path)), [seated]);
  const attributes = one(await service.get(`/v1/course-enrollments/${other}`)).attributes;
  assert.partialDeepStrictEqual(attributes, { "status": "waitlisted", "waitlist-position": 1 });
});

for (const [what, end] of [
  ["merged", (kept: string, removed: string) => merge(service, kept, [removed])],
  ["deleted", (_: string, removed: string) => service.delete(`/v1/people/${removed}`)],
] as const)
  test(`201 · a person who enrolls while a student is ${what} gets the seat`, async () => {
    const { classId, kept, removed } = await takenTwice();
    const personId = await newPerson();
    let enrolling: ReturnType<typeof enroll> | undefined;
    const ended = await meanwhile(
      db,
      (tx) => tx`select from people where id in (${kept}, ${removed}) for update`,
      () => end(kept, removed),
      async () => {
        enrolling = enroll(service, { classId, personId });
        await Promise.race([enrolling, untilWaiting(db, 2)]);
      },
    );
    assert.ok(ended.status < 300, ended.text);
    assert.ok(enrolling);
    const enrolled = await enrolling;
    assert.equal(enrolled.status, 201, enrolled.text);
    assert.equal(await statusOf(one(enrolled).id), "active");
  });
