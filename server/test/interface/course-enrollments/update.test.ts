import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  changeEnrollment,
  makeClass,
  makeEnrollment,
  makeOpenClass,
  makeTeacher,
  makeCoordinator,
} from "../../support/courses.ts";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import { codes, eventsOf, ids, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-enrollment.updated"] });
const { classId, courseId } = await makeOpenClass(db, account.id);
const teacher = await makeTeacher(db, account.id, classId);
const coordinator = await makeCoordinator(db, account.id, courseId);
const change = (id: string, attributes: Record<string, unknown>, as?: string) =>
  changeEnrollment(service, id, attributes, as);
const waived = { "graduation-waived": true, "waiver-note": "By exam" };

test("200 · 403 · each status is set by the callers of its row", async () => {
  const rows = [
    ["requested", "active", "coordinator teacher"],
    ["requested", "waitlisted", "coordinator teacher"],
    ["requested", "cancelled", "coordinator teacher student"],
    ["waitlisted", "active", "coordinator teacher"],
    ["waitlisted", "cancelled", "coordinator teacher student"],
    ["active", "withdrawn", "coordinator teacher student"],
    ["active", "failed", "coordinator"],
    ["active", "completed", "coordinator"],
    ["completed", "active", "coordinator"],
    ["failed", "active", "coordinator"],
  ] as const;
  for (const [from, to, allowed] of rows) {
    const student = await makePerson(db, account.id);
    const columns = { person_id: student.id, status: from, graduation_waived: true };
    const id = await makeEnrollment(db, account.id, classId, { ...columns, waiver_note: "Exam" });
    const found: string[] = [];
    for (const [name, { token }] of Object.entries({ coordinator, teacher, student })) {
      await db`update course_enrollments set status = ${from} where id = ${id}`;
      const answer = await change(id, { status: to }, token);
      if (answer.status === 200) found.push(name);
      else assert.deepEqual([answer.status, pointers(answer)], [403, ["/data/attributes/status"]]);
    }
    assert.equal(found.join(" "), allowed, `${from} ${to}`);
  }
});

test("200 · each change emits one event of its type", async () => {
  const id = await makeEnrollment(db, account.id, classId);
  for (const [attributes, events] of [
    [{ status: "completed", ...waived }, ["course-enrollment.completed"]],
    [{ status: "active" }, ["course-enrollment.updated"]],
    [{ status: "active" }, []],
    [{ "paid-amount": 500 }, ["course-enrollment.updated"]],
    [{ "status": "withdrawn", "withdrawn-reason": "Moved" }, ["course-enrollment.withdrawn"]],
  ] as const)
    assert.deepEqual(
      await eventsOf(async () => {
        const answer = await change(id, attributes);
        assert.equal(answer.status, 200, answer.text);
      }),
      events,
    );
});

test("200 · completed-at follows the status", async () => {
  const id = await makeEnrollment(db, account.id, classId);
  const done = one(await change(id, { status: "completed", ...waived }));
  assert.ok(done.attributes["completed-at"]);
  const back = one(await change(id, { status: "active" }));
  assert.equal(back.attributes["completed-at"], null);
});

test("409 · a person who is not eligible does not graduate; meta.missing says why", async () => {
  const own = await makeOpenClass(db, account.id);
  const lesson = (number: number, is_mandatory: boolean) =>
    makeRow(db, "course_lessons", account.id, {
      course_id: own.courseId,
      name: "Lesson",
      number,
      is_mandatory,
    });
  const mandatory = await lesson(1, true);
  await lesson(2, false);
  const task = await makeRow(db, "course_tasks", account.id, {
    course_id: own.courseId,
    name: "Read",
    is_mandatory: true,
  });
  const id = await makeEnrollment(db, account.id, own.classId);
  const answer = await change(id, { status: "completed" });
  assert.deepEqual([answer.status, ...codes(answer)], [409, "not-eligible-to-graduate"]);
  assert.partialDeepStrictEqual(answer.document.errors?.[0]?.meta, {
    missing: { "lessons": 2, "mandatory-lessons": [mandatory], "tasks": [task] },
  });
});

test("422 · a waiver needs a note, and only a withdrawn enrollment has a reason", async () => {
  const id = await makeEnrollment(db, account.id, classId);
  const waiver = await change(id, { "status": "completed", "graduation-waived": true });
  assert.deepEqual(pointers(waiver), ["/data/attributes/waiver-note"]);
  const reason = await change(id, { "withdrawn-reason": "Moved" });
  assert.deepEqual([reason.status, pointers(reason)], [422, ["/data/attributes/withdrawn-reason"]]);
});

test("403 · a teacher changes no waiver, and a student nothing but the status", async () => {
  const student = await makePerson(db, account.id);
  const id = await makeEnrollment(db, account.id, classId, { person_id: student.id });
  assert.equal((await change(id, waived, teacher.token)).status, 403);
  for (const attributes of [
    { "paid-amount": 1 },
    { "enrolled-at": "2026-01-05T10:00:00Z" },
    waived,
  ])
    assert.equal((await change(id, attributes, student.token)).status, 403);
});

test("409 · a failed enrollment does not return beside a newer one", async () => {
  const { id: person_id } = await makePerson(db, account.id);
  const failed = await makeEnrollment(db, account.id, classId, { person_id, status: "failed" });
  const newer = await makeEnrollment(db, account.id, classId, { person_id });
  const answer = await change(failed, { status: "active" });
  assert.deepEqual([answer.status, ...codes(answer)], [409, "already-exists"]);
  assert.equal(answer.document.errors?.[0]?.meta["id"], newer);
});

test("404 · 403 · strangers see no enrollment, and only approvers delete one", async () => {
  const id = await makeEnrollment(db, account.id, classId);
  const path = `/v1/course-enrollments/${id}`;
  const stranger = await makePerson(db, account.id);
  assert.equal((await change(id, { status: "withdrawn" }, stranger.token)).status, 404);
  assert.equal((await change(newId(), { status: "withdrawn" })).status, 404);
  assert.equal((await service.delete(path, { as: teacher.token })).status, 403);
  assert.equal((await service.delete(path, { as: coordinator.token })).status, 204);
  assert.equal((await service.get(path)).status, 404);
});

test("200 · filters and sorts of enrollments", async () => {
  const other = await makeClass(db, account.id, courseId);
  const resource = async (fullName: string, columns: Parameters<typeof makeEnrollment>[3]) => {
    const { id: person_id } = await makePerson(db, account.id, { fullName });
    return makeEnrollment(db, account.id, other, { person_id, ...columns });
  };
  const ana = await resource("ána", { enrolled_at: "2026-03-01T00:00:00Z", progress: 50 });
  const bea = await resource("Bea", {
    enrolled_at: "2026-01-01T00:00:00Z",
    progress: 100,
    is_eligible_to_graduate: true,
    payment_status: "paid",
  });
  const found = async (query: string) =>
    ids(await service.get(`/v1/course-enrollments?filter[class]=${other}&${query}`));
  assert.deepEqual(await found(""), [bea, ana]);
  assert.deepEqual(await found("sort=person"), [ana, bea]);
  assert.deepEqual(await found("sort=-progress"), [bea, ana]);
  assert.deepEqual(await found("filter[eligible]=true"), [bea]);
  assert.deepEqual(await found("filter[payment-status]=paid"), [bea]);
  assert.deepEqual(await found("filter[enrolled-since]=2026-02-01"), [ana]);
});
