import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeClass, makeEnrollment, makeSession, makeTeacher } from "../../support/courses.ts";
import { makeCourse, makePerson, makeRow, type Member } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const course = await makeCourse(db, account.id);
const class_id = await makeClass(db, account.id, course);
const teacher = await makeTeacher(db, account.id, class_id);
const enroll = (status = "active") => makeEnrollment(db, account.id, class_id, { status });
const session = (more: Record<string, string> = {}) => makeSession(db, account.id, class_id, more);

interface Entry {
  "enrollment-id": string;
  "status": string;
  "note"?: string | null;
  "minutes"?: number | null;
}
const entry = (enrollment: string, status = "present", more: Partial<Entry> = {}): Entry => ({
  "enrollment-id": enrollment,
  status,
  ...more,
});
const send = (session_id: string, entries: readonly Entry[], by: Member = teacher) =>
  service.post(
    "/v1/course-attendance-sheets",
    document(
      "course-attendance-sheets",
      { entries },
      { relationships: { session: { data: { type: "course-sessions", id: session_id } } } },
    ),
    { as: by.token },
  );
const rowsOf = async (session_id: string) => {
  const rows = many(await service.get(`/v1/course-attendances?filter[session]=${session_id}`));
  return new Map(rows.map((row) => [linkedId(row, "enrollment"), row.attributes]));
};

test("201 · a sheet sets the rows that it names, and counts those that changed", async () => {
  const [held, ana, ben] = [await session(), await enroll(), await enroll()];
  const first = await send(held, [
    entry(ana, "present", { minutes: 60 }),
    entry(ben, "excused", { note: "Ill", minutes: null }),
  ]);
  assert.equal(first.status, 201, first.text);
  assert.partialDeepStrictEqual(one(first).attributes, { "recorded-count": 2, "changed-count": 2 });
  assert.ok(!("entries" in one(first).attributes));
  const read = one(await service.get(`/v1/course-sessions/${held}`));
  assert.equal(read.attributes["status"], "held");

  const second = one(await send(held, [entry(ana, "late"), entry(ben, "excused")]));
  assert.partialDeepStrictEqual(second.attributes, { "recorded-count": 2, "changed-count": 1 });
  const rows = await rowsOf(held);
  assert.partialDeepStrictEqual(rows.get(ana), { status: "late", minutes: 60, note: null });
  assert.partialDeepStrictEqual(rows.get(ben), { status: "excused", note: "Ill" });

  await send(held, [entry(ana), entry(ben, "present", { note: null })]);
  assert.equal((await rowsOf(held)).get(ben)?.["note"], null);
  const sheets = await service.get(`/v1/course-attendance-sheets?filter[session]=${held}`);
  assert.equal(sheets.document.meta?.["total"], 3);
  assert.ok(ids(sheets).includes(second.id));
});

test("201 · a sheet is one event, and each graduation is one more", async () => {
  const short = await makeCourse(db, account.id);
  const own = await makeClass(db, account.id, short);
  const lesson_id = await makeRow(db, "course_lessons", account.id, {
    course_id: short,
    name: "One",
    number: 1,
  });
  const held = await makeSession(db, account.id, own, { lesson_id });
  const [ana, ben, eva] = [
    await makeEnrollment(db, account.id, own),
    await makeEnrollment(db, account.id, own),
    await makeEnrollment(db, account.id, own),
  ];
  const types = await eventsOf(() =>
    send(held, [entry(ana), entry(ben), entry(eva, "absent")], account.administrator),
  );
  assert.deepEqual(types, [
    "course-attendance.recorded",
    "course-enrollment.completed",
    "course-enrollment.completed",
  ]);
});

test("422 · each wrong entry is named, and nothing is written", async () => {
  const held = await session();
  const elsewhere = await makeEnrollment(db, account.id, await makeClass(db, account.id, course));
  const ana = await enroll();
  const answer = await send(
    held,
    [entry(ana), entry(newId()), entry(elsewhere), entry(ana, "late")],
    account.administrator,
  );
  assert.deepEqual([answer.status, codes(answer)], [422, Array(3).fill("invalid-attribute")]);
  const at = (position: number) => `/data/attributes/entries/${position}`;
  assert.deepEqual(pointers(answer), [at(1), at(2), at(3)]);
  assert.equal((await rowsOf(held)).size, 0);
  const read = one(await service.get(`/v1/course-sessions/${held}`));
  assert.equal(read.attributes["status"], "planned");
});

test("409 · an enrollment that takes no attendance is named, and nothing is written", async () => {
  const held = await session();
  const answer = await send(held, [
    entry(await enroll()),
    entry(await enroll("requested")),
    entry(await enroll("cancelled")),
  ]);
  const code = "enrollment-not-active";
  assert.deepEqual([answer.status, codes(answer)], [409, [code, code]]);
  assert.deepEqual(pointers(answer), ["/data/attributes/entries/1", "/data/attributes/entries/2"]);
  assert.equal((await rowsOf(held)).size, 0);
});

test("409 · a cancelled session takes no sheet", async () => {
  const answer = await send(await session({ status: "cancelled" }), [entry(await enroll())]);
  assert.deepEqual([answer.status, codes(answer)], [409, ["session-cancelled"]]);
});

test("422 · a sheet has 1 to 300 entries", async () => {
  const held = await session();
  const none = await send(held, []);
  const many = await send(
    held,
    Array.from({ length: 301 }, () => entry(newId())),
  );
  for (const answer of [none, many])
    assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/attributes/entries"]]);
});

test("201 · two sheets of a session at the same time are both whole", async () => {
  const held = await session();
  const enrollments = await Promise.all(Array.from({ length: 6 }, () => enroll()));
  const backwards = enrollments.toReversed();
  const answers = await meanwhile(
    db,
    (tx) => tx`
      select from course_sessions where account_id = ${account.id} and id = ${held} for no key update`,
    () =>
      Promise.all([
        send(
          held,
          enrollments.map((one) => entry(one, "present")),
        ),
        send(
          held,
          backwards.map((one) => entry(one, "absent")),
        ),
      ]),
    () => untilWaiting(db, 2),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  const statuses = new Set([...(await rowsOf(held)).values()].map(({ status }) => status));
  assert.equal(statuses.size, 1, "the sheet that came last set every row");
  assert.equal((await rowsOf(held)).size, enrollments.length);
});

test("201 · sheets of two sessions at the same time do not block each other for ever", async () => {
  const [one, other] = [await session(), await session({ date: "2026-03-10" })];
  const enrollments = await Promise.all(Array.from({ length: 6 }, () => enroll()));
  const answers = await meanwhile(
    db,
    (tx) => tx`
      select from course_enrollments where account_id = ${account.id} and id = any(${enrollments}::uuid[])
      order by id for no key update`,
    () =>
      Promise.all([
        send(
          one,
          enrollments.map((each) => entry(each)),
        ),
        send(
          other,
          enrollments.toReversed().map((each) => entry(each)),
        ),
      ]),
    () => untilWaiting(db, 2),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
});

test("201 · a sheet waits for the merge of two students, and writes the person who was kept", async () => {
  const held = await session();
  const [kept, removed] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const enrollment = await makeEnrollment(db, account.id, class_id, { person_id: removed.id });
  const answer = await meanwhile(
    db,
    async (tx) => {
      await tx`select from people where account_id = ${account.id} and id = ${removed.id} for update`;
    },
    () => send(held, [entry(enrollment)]),
    async (tx) => {
      await tx`
        update course_enrollments set person_id = ${kept.id} where account_id = ${account.id} and id = ${enrollment}`;
      await tx`delete from people where account_id = ${account.id} and id = ${removed.id}`;
    },
  );
  assert.equal(answer.status, 201, answer.text);
  const [row] = many(await service.get(`/v1/course-attendances?filter[session]=${held}`));
  assert.deepEqual(row?.relationships["person"]?.data, { type: "people", id: kept.id });
});
