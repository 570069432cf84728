import assert from "node:assert/strict";
import { after, test } from "node:test";
import { changeEnrollment, enroll, makeEnrollment, makeOpenClass } from "../../support/courses.ts";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  linkedId,
  many,
  one,
  startService,
} from "../../support/service.ts";

/** Seats of a class and its waiting list, also under parallel requests. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-enrollment.updated"] });

/** The statuses of the enrollments of a class, by the time at which they were created. */
const statuses = async (classId: string): Promise<unknown[]> => {
  const path = `/v1/course-enrollments?filter[class]=${classId}&sort=created-at,id`;
  return many(await service.get(path)).map(({ attributes }) => attributes["status"]);
};
const count = (all: readonly unknown[], status: string) =>
  all.filter((one) => one === status).length;
const enrollSomebody = async (classId: string) =>
  enroll(service, { classId, personId: (await makePerson(db, account.id)).id });
/** A full class of two seats, and the people who wait, the first one first. */
async function fullClass(waiting: number) {
  const { classId } = await makeOpenClass(db, account.id, { seats: 2 });
  const made: string[] = [];
  for (let position = 0; position < 2 + waiting; position += 1)
    made.push(one(await enrollSomebody(classId)).id);
  return { classId, seated: made.slice(0, 2), waiting: made.slice(2) };
}
const positionsOf = async (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { attributes } = one(await service.get(`/v1/course-enrollments/${id}`));
      return attributes["waitlist-position"];
    }),
  );

test("201 · fifty enrollments at once take exactly the seats, and the others wait in order", async () => {
  const { classId } = await makeOpenClass(db, account.id, { seats: 7 });
  const people = await Promise.all(Array.from({ length: 50 }, () => makePerson(db, account.id)));
  const answers = await Promise.all(
    people.map(({ id: personId, token: as }) => enroll(service, { classId, personId, as })),
  );
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  const all = await statuses(classId);
  assert.deepEqual([count(all, "active"), count(all, "waitlisted")], [7, 43]);
  const path = `/v1/course-enrollments?filter[class]=${classId}&filter[status]=waitlisted`;
  const positions = many(await service.get(`${path}&sort=created-at,id`)).map(
    ({ attributes }) => attributes["waitlist-position"],
  );
  assert.deepEqual(
    positions,
    positions.map((_, index) => index + 1),
  );
});

test("409 · one of two equal enrollments at once is rejected", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { id: personId } = await makePerson(db, account.id);
  const answers = await Promise.all([1, 2].map(() => enroll(service, { classId, personId })));
  assert.deepEqual(answers.map(({ status }) => String(status)).sort(), ["201", "409"]);
  assert.deepEqual(answers.flatMap(codes), ["already-exists"]);
});

test("409 · a full class without a waiting list rejects enrollments", async () => {
  const { classId } = await makeOpenClass(db, account.id, { seats: 1, waitlist_enabled: false });
  for (const status of ["completed", "failed", "active"]) {
    await db`delete from course_enrollments where class_id = ${classId}`;
    await makeEnrollment(db, account.id, classId, { status });
    const answer = await enrollSomebody(classId);
    assert.deepEqual([answer.status, ...codes(answer)], [409, "class-full"], status);
  }
});

test("409 · a request is not accepted while the class is full", async () => {
  const { classId, waiting } = await fullClass(1);
  const requested = await makeEnrollment(db, account.id, classId, { status: "requested" });
  for (const id of [requested, ...waiting]) {
    const answer = await changeEnrollment(service, id, { status: "active" });
    assert.deepEqual([answer.status, ...codes(answer)], [409, "class-full"]);
  }
});

test("200 · two withdrawals at once pass their seats to the two who waited longest", async () => {
  const { seated, waiting } = await fullClass(3);
  assert.deepEqual(await positionsOf(waiting), [1, 2, 3]);
  const events = await eventsOf(async () => {
    const answers = await Promise.all(
      seated.map((id) => changeEnrollment(service, id, { status: "withdrawn" })),
    );
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual(events.sort(), [
    "course-enrollment.updated",
    "course-enrollment.updated",
    "course-enrollment.withdrawn",
    "course-enrollment.withdrawn",
  ]);
  assert.deepEqual(await positionsOf(waiting), [null, null, 1]);
});

test("200 · an enrollment that is withdrawn twice at once frees one seat", async () => {
  const { classId, seated } = await fullClass(3);
  const [id = ""] = seated;
  const answers = await Promise.all(
    [1, 2, 3].map(() => changeEnrollment(service, id, { status: "withdrawn" })),
  );
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const all = await statuses(classId);
  assert.deepEqual([count(all, "active"), count(all, "waitlisted")], [2, 2]);
});

test("204 · deleting an enrollment or its person passes the seat", async () => {
  const { seated, waiting } = await fullClass(2);
  const [first = "", second = ""] = seated;
  const person = linkedId(one(await service.get(`/v1/course-enrollments/${second}`)), "person");
  assert.equal((await service.delete(`/v1/course-enrollments/${first}`)).status, 204);
  assert.deepEqual(await positionsOf(waiting), [null, 1]);
  assert.equal((await service.delete(`/v1/people/${person}`)).status, 204);
  assert.deepEqual(await positionsOf(waiting), [null, null]);
});

test("200 · more seats admit people, and a class that is over admits none", async () => {
  const { classId, seated, waiting } = await fullClass(3);
  const change = (attributes: Record<string, unknown>) =>
    service.patch(
      `/v1/course-classes/${classId}`,
      document("course-classes", attributes, { id: classId }),
    );
  assert.equal((await change({ seats: 3 })).status, 200);
  assert.deepEqual(await positionsOf(waiting), [null, 1, 2]);
  await db`update course_classes set status = 'finished' where id = ${classId}`;
  const gone = await changeEnrollment(service, seated[0] ?? "", { status: "withdrawn" });
  assert.equal(gone.status, 200, gone.text);
  assert.deepEqual(await positionsOf(waiting), [null, 1, 2]);
});

test("4xx · an enrollment and the deletion of its class at once leave nothing half done", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { classId } = await makeOpenClass(db, account.id);
    const [made, deleted] = await Promise.all([
      enrollSomebody(classId),
      service.delete(`/v1/course-classes/${classId}`),
    ]);
    assert.equal(deleted.status, 204, deleted.text);
    assert.ok([201, 422].includes(made.status), made.text);
    assert.deepEqual(await statuses(classId), []);
  }
});
