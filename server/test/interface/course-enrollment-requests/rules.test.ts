import assert from "node:assert/strict";
import { after, test } from "node:test";
import { scheduledJobs } from "../../../src/catalogue.ts";
import { enroll, makeClass, makeOpenClass, makeTeacher } from "../../support/courses.ts";
import { makeAssignment, makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
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

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-enrollment.created", "person.created"] });

const refused = (answer: Answer) => [answer.status, codes(answer)[0], pointers(answer)[0]];
const contact = { "full-name": "Ana Lima", "email": "ana@example.org", "phone": "+5511987654321" };

/** The public area makes requests. */
const ask = (
  { classId, courseId }: { classId: string; courseId: string },
  columns: Record<string, string | boolean | null> = {},
) =>
  makeRow(db, "course_enrollment_requests", account.id, {
    class_id: classId,
    course_id: courseId,
    contact: JSON.stringify(contact),
    message: "May I come?",
    ...columns,
  });

const decide = (
  id: string,
  attributes: Record<string, unknown>,
  { as, person }: { as?: string; person?: string } = {},
) =>
  service.patch(
    `/v1/course-enrollment-requests/${id}`,
    document("course-enrollment-requests", attributes, {
      id,
      ...(person && { relationships: { person: { data: { type: "people", id: person } } } }),
    }),
    as ? { as } : {},
  );
const read = async (id: string) => one(await service.get(`/v1/course-enrollment-requests/${id}`));
const approved = { status: "approved" };

test("200 · staff of the class read its requests, other people do not, and no person creates one here", async () => {
  const place = await makeOpenClass(db, account.id);
  const id = await ask(place);
  const other = await ask(await makeOpenClass(db, account.id));
  const teacher = await makeTeacher(db, account.id, place.classId);
  const path = "/v1/course-enrollment-requests";
  assert.deepEqual(ids(await service.get(path, { as: teacher.token })), [id]);
  assert.equal((await service.get(`${path}/${other}`, { as: teacher.token })).status, 404);
  const person = await makePerson(db, account.id);
  assert.equal((await service.get(path, { as: person.token })).status, 403);
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  assert.equal(ids(await service.get(path, { as: secretary.token })).length, 2);
  assert.deepEqual(ids(await service.get(`${path}?filter[class]=${place.classId}`)), [id]);
  assert.deepEqual(ids(await service.get(`${path}?filter[course]=${place.courseId}`)), [id]);
  assert.equal((await service.post(path, {})).status, 405);
  assert.equal((await service.delete(`${path}/${id}`)).status, 405);
});

test("200 · an approval enrolls a new prospect, whose address is never refused", async () => {
  await makePerson(db, account.id, { email: contact.email });
  const place = await makeOpenClass(db, account.id);
  const teacher = await makeTeacher(db, account.id, place.classId);
  const id = await ask(place);
  const told = await eventsOf(async () => {
    const answer = await decide(id, approved, { as: teacher.token });
    assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual(told, ["person.created", "course-enrollment.created"]);
  const request = await read(id);
  assert.equal(linkedId(request, "decided-by"), teacher.id);
  const person = linkedId(request, "person");
  assert.partialDeepStrictEqual(one(await service.get(`/v1/people/${person}`)).attributes, {
    "full-name": "Ana Lima",
    "membership-status": "prospect",
    "email": null,
    "other-emails": [contact.email],
  });
  const list = await service.get(`/v1/course-enrollments?filter[person]=${person}`);
  const [enrollment] = list.document.data as { attributes: Record<string, unknown> }[];
  assert.partialDeepStrictEqual(enrollment?.attributes, {
    status: "active",
    source: "public-form",
  });
});

test("200 · an approval can name the person of the contact; nothing else can", async () => {
  const place = await makeOpenClass(db, account.id);
  const id = await ask(place);
  const person = await makePerson(db, account.id);
  assert.equal((await decide(id, {}, { person: person.id })).status, 422);
  assert.equal((await decide(id, { status: "declined" }, { person: person.id })).status, 422);
  const answer = await decide(id, approved, { person: person.id });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(linkedId(one(answer), "person"), person.id);
});

test("409 · a rejected enrollment rejects the approval, which leaves nothing behind", async () => {
  const person = await makePerson(db, account.id);
  const full = await makeOpenClass(db, account.id, { seats: 1, waitlist_enabled: false });
  const id = await ask(full);
  assert.equal((await enroll(service, { classId: full.classId, personId: person.id })).status, 201);
  const finished = {
    ...full,
    classId: await makeClass(db, account.id, full.courseId, { status: "finished" }),
  };
  const [people] = await db`select count(*) from people where account_id = ${account.id}`;
  assert.deepEqual(refused(await decide(id, approved)), [409, "class-full", "/data"]);
  assert.deepEqual(refused(await decide(await ask(finished), approved)), [
    409,
    "class-not-open",
    "/data",
  ]);
  const twice = await decide(id, approved, { person: person.id });
  assert.deepEqual(refused(twice), [409, "already-exists", "/data"]);
  assert.equal((await read(id)).attributes["status"], "pending");
  const [after] = await db`select count(*) from people where account_id = ${account.id}`;
  assert.deepEqual(after, people);
});

test("409 · exactly one of two decisions at once counts", async () => {
  const place = await makeOpenClass(db, account.id);
  const id = await ask(place);
  const answers = await Promise.all([decide(id, approved), decide(id, { status: "declined" })]);
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 409],
  );
  assert.deepEqual(codes(answers.find(({ status }) => status === 409)!), ["invalid-transition"]);
});

test("200 · a reason belongs to a declined request, and a decision is final", async () => {
  const place = await makeOpenClass(db, account.id);
  const id = await ask(place);
  assert.equal((await decide(id, { "decline-reason": "Full" })).status, 422);
  const declined = await decide(id, { "status": "declined", "decline-reason": "Full" });
  assert.equal(one(declined).attributes["decline-reason"], "Full");
  assert.deepEqual(codes(await decide(id, approved)), ["invalid-transition"]);
  assert.equal((await decide(await ask(place), { status: "cancelled" })).status, 200);
});

test("the contact and the message go 90 days after the decision", async () => {
  const place = await makeOpenClass(db, account.id);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  const old = await ask(place, { status: "declined", decided_at: days(91) });
  const young = await ask(place, { status: "declined", decided_at: days(89) });
  await scheduledJobs.find(({ name }) => name === "course-enrollment-request-contacts")?.run(db);
  assert.partialDeepStrictEqual((await read(old)).attributes, { contact: null, message: null });
  assert.ok((await read(young)).attributes["contact"]);
});
