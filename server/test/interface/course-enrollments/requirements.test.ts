import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { makeCell, join } from "../../support/cells.ts";
import { changeEnrollment, enroll, makeOpenClass } from "../../support/courses.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { codes, one, pointers, startService } from "../../support/service.ts";

/** The requirements of a course, when people enroll. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const require = (courseId: string, kind: string, more: Record<string, unknown> = {}) =>
  makeRow(db, "course_requirements", account.id, { course_id: courseId, kind, ...more } as never);
const enrolledIn = async (course_id: string, person_id: string, status: string) =>
  makeRow(db, "course_enrollments", account.id, { course_id, person_id, status });
const person = async (columns: Record<string, unknown> = {}): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  for (const [name, value] of Object.entries(columns))
    await db`
      update people set ${db(name)} = ${value as string}
      where account_id = ${account.id} and id = ${id}`;
  return id;
};
const yearsAgo = (years: number) => `${new Date().getUTCFullYear() - years}-01-01`;

/** The kinds of unmet requirements, or an empty list for a person who was enrolled. */
async function unmetBy(classId: string, personId: string): Promise<unknown> {
  const answer = await enroll(service, { classId, personId });
  if (answer.status === 201) return [];
  assert.deepEqual([answer.status, ...codes(answer)], [422, "requirements-unmet"], answer.text);
  assert.deepEqual(pointers(answer), ["/data"]);
  const unmet = answer.document.errors?.[0]?.meta["unmet"] as { kind: string }[] | undefined;
  return unmet?.map(({ kind }) => kind);
}

test("422 · each kind of requirement blocks the people who do not meet it", async () => {
  const inCell = async (columns: Parameters<typeof join>[4]) => {
    const id = await person();
    await join(db, account.id, await makeCell(db, account.id), id, columns);
    return id;
  };
  const cases: [string, Record<string, unknown>, met: string[], unmet: string[]][] = [
    [
      "baptized",
      {},
      [await person({ is_baptized: true })],
      [await person({ is_baptized: false }), await person()],
    ],
    [
      "minimum-age",
      { value: json(18) },
      [await person({ birthdate: yearsAgo(18) })],
      [await person({ birthdate: yearsAgo(16) }), await person()],
    ],
    [
      "membership-status",
      { value: json(["member", "attender"]) },
      [await person({ membership_status: "attender" })],
      [await person({ membership_status: "visitor" })],
    ],
    [
      "cell-member",
      {},
      [await inCell({ cell_role: "host" })],
      [await inCell({ cell_role: "visitor" }), await inCell({ status: "left" }), await person()],
    ],
  ];
  for (const [kind, more, met, unmet] of cases) {
    const { classId, courseId } = await makeOpenClass(db, account.id);
    await require(courseId, kind, more);
    for (const id of met) assert.deepEqual(await unmetBy(classId, id), [], kind);
    for (const id of unmet) assert.deepEqual(await unmetBy(classId, id), [kind]);
  }
});

test("422 · a required course is completed, or with corequisite also begun", async () => {
  const required = await makeCourse(db, account.id, "Basics");
  const student = async (status: string) => {
    const id = await person();
    await enrolledIn(required, id, status);
    return id;
  };
  for (const [relation, met] of [
    ["prerequisite", ["completed"]],
    ["corequisite", ["completed", "active"]],
  ] as const) {
    const { classId, courseId } = await makeOpenClass(db, account.id);
    await require(courseId, "course", { required_course_id: required, relation });
    for (const status of ["completed", "active", "waitlisted", "failed", "withdrawn"]) {
      const expected = (met as readonly string[]).includes(status) ? [] : ["course"];
      assert.deepEqual(await unmetBy(classId, await student(status)), expected, status);
    }
  }
});

test("422 · all unmet requirements are listed, and none of another course", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const required = await makeCourse(db, account.id, "Basics");
  const course = await require(courseId, "course", { required_course_id: required });
  const baptism = await require(courseId, "baptized");
  await require(required, "minimum-age", { value: json(99) });
  const answer = await enroll(service, { classId, personId: await person() });
  assert.deepEqual(answer.document.errors?.[0]?.meta["unmet"], [
    {
      "requirement": course,
      "kind": "course",
      "required-course": required,
      "detail": "Has not completed Basics.",
    },
    { requirement: baptism, kind: "baptized", detail: "Is not recorded as baptized." },
  ]);
});

test("201 · unmet requirements that only warn are in data.meta, also in a repeated answer", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const requirement = await require(courseId, "baptized", { enforcement: "warn" });
  const personId = await person();
  const key = newId();
  const send = () =>
    service.request("POST", "/v1/course-enrollments", {
      headers: { "Idempotency-Key": key },
      body: {
        data: {
          type: "course-enrollments",
          relationships: {
            class: { data: { type: "course-classes", id: classId } },
            person: { data: { type: "people", id: personId } },
          },
        },
      },
    });
  for (const answer of [await send(), await send()]) {
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(one(answer).meta, {
      unmet: [{ requirement, kind: "baptized", detail: "Is not recorded as baptized." }],
    });
  }
});

test("201 · a waiver admits the person", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  await require(courseId, "baptized");
  const attributes = { "requirements-waived": true, "waiver-note": "Will be baptized in May" };
  const answer = await enroll(service, { classId, personId: await person(), attributes });
  assert.equal(answer.status, 201, answer.text);
});

test("422 · requirements are checked again when an enrollment leaves requested", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const made = await enroll(service, {
    classId,
    personId: await person(),
    attributes: { status: "requested" },
  });
  const { id } = one(made);
  const warning = await require(courseId, "cell-member", { enforcement: "warn" });
  const blocking = await require(courseId, "baptized");
  for (const status of ["active", "waitlisted"]) {
    const answer = await changeEnrollment(service, id, { status });
    assert.deepEqual([answer.status, ...codes(answer)], [422, "requirements-unmet"]);
    const [error] = answer.document.errors ?? [];
    assert.partialDeepStrictEqual(error?.meta, { unmet: [{ requirement: blocking }] });
  }
  const waived = await changeEnrollment(service, id, {
    "status": "active",
    "requirements-waived": true,
    "waiver-note": "Known for years",
  });
  assert.equal(waived.status, 200, waived.text);
  assert.partialDeepStrictEqual(one(waived).meta, { unmet: [{ requirement: warning }] });
});

test("200 · a request can be cancelled while requirements are unmet", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const attributes = { status: "requested" };
  const made = one(await enroll(service, { classId, personId: await person(), attributes }));
  await require(courseId, "baptized");
  const answer = await changeEnrollment(service, made.id, { status: "cancelled" });
  assert.equal(answer.status, 200, answer.text);
});
