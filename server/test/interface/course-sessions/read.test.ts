import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeSession,
  makeTeacher,
} from "../../support/courses.ts";
import { makeCourse } from "../../support/make.ts";
import { ids, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id);
const classId = await makeClass(db, account.id, course);

test("200 · attendances are counted by their status", async () => {
  const session = await makeSession(db, account.id, classId, { status: "held" });
  const statuses = ["present", "present", "late", "excused", "absent", "online", "not-applicable"];
  for (const status of statuses)
    await makeAttendance(db, account.id, session, {
      status,
      enrollment_id: await makeEnrollment(db, account.id, classId),
    });
  assert.deepEqual(
    one(await service.get(`/v1/course-sessions/${session}`)).attributes["attendance-counts"],
    {
      "present": 2,
      "late": 1,
      "excused": 1,
      "absent": 1,
      "online": 1,
      "not-applicable": 1,
    },
  );
});

test("200 · each filter finds its sessions and no others, in the order of their dates", async () => {
  const other = await makeCourse(db, account.id, "Other");
  const ofOther = await makeClass(db, account.id, other);
  const lesson = await makeLesson(db, account.id, other, 1);
  const { id: teacher } = await makeTeacher(db, account.id, ofOther);
  const [last, first, middle] = [
    await makeSession(db, account.id, ofOther, { date: "2027-05-03", status: "cancelled" }),
    await makeSession(db, account.id, ofOther, { date: "2027-05-01", lesson_id: lesson }),
    await makeSession(db, account.id, ofOther, {
      date: "2027-05-02",
      teacher_id: teacher,
      status: "held",
    }),
  ];
  for (const [query, found] of [
    ["", [first, middle, last]],
    ["sort=-date", [last, middle, first]],
    [`filter[course]=${other}`, [first, middle, last]],
    [`filter[lesson]=${lesson}`, [first]],
    [`filter[teacher]=${teacher}`, [middle]],
    ["filter[status]=held,planned", [first, middle]],
    ["filter[from]=2027-05-02", [middle, last]],
    ["filter[to]=2027-05-02", [first, middle]],
  ] as const) {
    const answer = await service.get(`/v1/course-sessions?filter[class]=${ofOther}&${query}`);
    assert.deepEqual(ids(answer), found, query);
  }
  const linked = await service.get(`/v1/course-classes/${ofOther}/sessions`);
  assert.deepEqual(ids(linked), [first, middle, last]);
});
