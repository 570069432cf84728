import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { join, makeCell } from "../../support/cells.ts";
import {
  changeEnrollment,
  enroll,
  makeEnrollment,
  makeOpenClass,
  makeSession,
  makeStudent,
  makeTeacher,
} from "../../support/courses.ts";
import { makeEndpoint, makePerson, makeRow, makeToken, type Member } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { to } from "../../support/standings.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-enrollment.updated"] });

let numbers = 0;

/** A member of a cell whom a teacher enrolls by name and number. */
async function enrollKnown() {
  const number = `+5511987${String(650_000 + ++numbers)}`;
  const attributes = {
    "full-name": "Rita Souza",
    "preferred-name": "Rita",
    "birthdate": "1990-05-06",
    "phones": [{ number }],
  };
  const { id } = one(await service.post("/v1/people", document("people", attributes)));
  const cellId = await makeCell(db, account.id, { name: "Far" });
  await join(db, account.id, cellId, id);
  const person: Member = { id, token: await makeToken(db, account.id, id) };

  const { classId, courseId } = await makeOpenClass(db, account.id);
  const teacher = await makeTeacher(db, account.id, classId);
  const newPerson = { "new-person": { "full-name": "Rita Souza", "phone": number } };
  const made = await enroll(service, { classId, as: teacher.token, attributes: newPerson });
  assert.equal(made.status, 201, made.text);
  assert.equal(linkedId(one(made), "person"), id);
  return { cellId, classId, courseId, enrollment: one(made), newPerson, number, person, teacher };
}

const isAccepted = ({ attributes }: { attributes: Record<string, unknown> }): unknown =>
  attributes["is-accepted"];
const accept = (id: string, as?: string) =>
  changeEnrollment(service, id, { "is-accepted": true }, as);
const refused = (answer: Answer) => [answer.status, ...codes(answer)];

test("201 · a known person outside the scope of the caller is enrolled without acceptance", async () => {
  const { classId, enrollment, newPerson, person, teacher } = await enrollKnown();
  assert.equal(isAccepted(enrollment), false);
  const seen = one(await service.get(`/v1/people/${person.id}`, { as: teacher.token }));
  assert.deepEqual(seen.attributes, { "full-name": "Rita Souza", "preferred-name": "Rita" });
  assert.equal(seen.relationships, undefined);

  const session = await makeSession(db, account.id, classId, { date: "2026-03-04" });
  const entries = [{ "enrollment-id": enrollment.id, "status": "present" }];
  const sheet = document(
    "course-attendance-sheets",
    { entries },
    { relationships: { session: to("course-sessions", session) } },
  );
  const report = await service.post("/v1/course-attendance-sheets", sheet, { as: teacher.token });
  assert.equal(report.status, 201, report.text);

  const again = await enroll(service, { classId, as: teacher.token, attributes: newPerson });
  assert.deepEqual(refused(again), [409, "already-exists"]);
});

test("201 · the enrollment is accepted for prospects, for people in scope, by the office and by people themselves", async () => {
  const { classId, courseId, teacher } = await enrollKnown();
  const other = await makeRow(db, "course_classes", account.id, {
    course_id: courseId,
    name: "B",
    status: "open",
  });
  await db`insert into course_class_teachers values (${account.id}, ${other}, ${teacher.id})`;
  const student = await makeStudent(db, account.id, other);
  const prospect = { "new-person": { "full-name": "Nobody Knows" } };
  const { id: personId } = await makePerson(db, account.id);
  const oneself = await makePerson(db, account.id);
  for (const answer of [
    await enroll(service, { classId, as: teacher.token, attributes: prospect }),
    await enroll(service, { classId, as: teacher.token, personId: student.id }),
    await enroll(service, { classId, personId }),
    await enroll(service, { classId, as: oneself.token, personId: oneself.id }),
  ])
    assert.deepEqual([answer.status, isAccepted(one(answer))], [201, true], answer.text);
});

test("200 · lists match the person by name and class, and by nothing that the caller does not see", async () => {
  const { classId, number, person, teacher } = await enrollKnown();
  const found = async (query: string) =>
    ids(await service.get(`/v1/people?${query}`, { as: teacher.token })).includes(person.id);
  for (const query of [
    `filter[course-class]=${classId}`,
    "filter[name]=Rita",
    `filter[id]=${person.id}&sort=birth-month-day`,
    `filter[id]=${person.id}&sort=-modified-at`,
  ])
    assert.equal(await found(query), true, query);
  for (const query of [
    `filter[phone]=${number.slice(1)}`,
    `filter[q]=${number.slice(1)}`,
    "filter[birth-month]=5",
    "filter[membership-status]=prospect",
    "filter[is-active]=true",
    "filter[modified-since]=2020-01-01T00:00:00Z",
  ])
    assert.equal(await found(query), false, query);
});

test("403, 422 · before the acceptance the class gives no right on the person and no link to them", async () => {
  const { enrollment, newPerson, person, teacher } = await enrollKnown();
  const as = { as: teacher.token };
  const note = document(
    "notes",
    { text: "Called" },
    { relationships: { about: to("people", person.id) } },
  );
  assert.deepEqual(refused(await service.post("/v1/notes", note, as)), [403, "forbidden"]);
  const { classId } = await makeOpenClass(db, account.id);
  await db`insert into course_class_teachers values (${account.id}, ${classId}, ${teacher.id})`;
  const second = await enroll(service, { classId, as: teacher.token, personId: person.id });
  assert.deepEqual(refused(second), [422, "invalid-relationship"]);
  const described = await enroll(service, { classId, as: teacher.token, attributes: newPerson });
  assert.equal(isAccepted(one(described)), false);
  assert.deepEqual(refused(await accept(enrollment.id, teacher.token)), [403, "forbidden"]);
  const group = `/v1/people/${person.id}/cell-memberships`;
  assert.equal((await service.get(group, as)).status, 404);
});

test("200 · the person or the office accepts an enrollment, and staff then see the reduced view", async () => {
  for (const by of ["person", "office"] as const) {
    const { enrollment, number, person, teacher } = await enrollKnown();
    let answer: Answer | undefined;
    const events = await eventsOf(async () => {
      answer = await accept(enrollment.id, by === "person" ? person.token : undefined);
    });
    assert.ok(answer);
    assert.deepEqual([answer.status, isAccepted(one(answer))], [200, true], answer.text);
    assert.deepEqual(events, ["course-enrollment.updated"]);
    const seen = one(await service.get(`/v1/people/${person.id}`, { as: teacher.token }));
    assert.partialDeepStrictEqual(seen.attributes, { phones: [{ number }] });
    assert.equal(seen.attributes["birthdate"], undefined);
  }
});

test("422 · an accepted enrollment stays accepted", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const id = await makeEnrollment(db, account.id, classId);
  const answer = await changeEnrollment(service, id, { "is-accepted": false });
  assert.deepEqual(refused(answer), [422, "invalid-attribute"]);
  assert.deepEqual(pointers(answer), ["/data/attributes/is-accepted"]);
});

test("201 · staff of a class write notes about all of its accepted people", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const teacher = await makeTeacher(db, account.id, classId);
  const student = await makeStudent(db, account.id, classId);
  await join(db, account.id, await makeCell(db, account.id), student.id);
  const about = { about: to("people", student.id) };
  const note = document("notes", { text: "Called" }, { relationships: about });
  const answer = await service.post("/v1/notes", note, { as: teacher.token });
  assert.equal(answer.status, 201, answer.text);
});

test("403 · rights by class never change a person who has a log-in or a cell", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const role_id = await makeRow(db, "roles", account.id, {
    name: newId(),
    permissions: json(["people:write", "person-details:read", "person-invitations:write"]),
  } as never);
  const assistant = await makePerson(db, account.id);
  await makeRow(db, "role_assignments", account.id, {
    person_id: assistant.id,
    role_id,
    scope_type: "course-class",
    scope_ids: [classId],
  });
  const change = async (email: string | undefined, inCell: boolean) => {
    const { id } = await makePerson(db, account.id, email === undefined ? {} : { email });
    await makeEnrollment(db, account.id, classId, { person_id: id });
    if (inCell) await join(db, account.id, await makeCell(db, account.id), id);
    if (email !== undefined)
      await db`update people set has_login = true where account_id = ${account.id} and id = ${id}`;
    const as = { as: assistant.token };
    assert.equal((await service.get(`/v1/people/${id}`, as)).status, 200);
    return service.patch(
      `/v1/people/${id}`,
      document("people", { occupation: "Baker" }, { id }),
      as,
    );
  };
  assert.equal((await change(undefined, false)).status, 200);
  assert.deepEqual(refused(await change(undefined, true)), [403, "forbidden"]);
  assert.deepEqual(refused(await change("rita@example.org", false)), [403, "forbidden"]);
});
