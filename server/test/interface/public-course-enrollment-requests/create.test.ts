import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { confirm, newConfirmation } from "../../../src/features/visitors/confirmations.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { testServices } from "../../support/queues.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  linkedId,
  many,
  one,
  pointers,
  type Resource,
  startService,
  type TestService,
} from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea, sendAsVisitor, solvedProof } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService(BEHIND_PROXY);
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());

async function makeClass(
  columns: Parameters<typeof makeRow>[3] = {},
  course: Parameters<typeof makeRow>[3] = {},
): Promise<string> {
  const courseId = await makeRow(service.db, "courses", accountId, {
    name: "Foundations",
    is_public: true,
    ...course,
  });
  const row = { course_id: courseId, name: "Tuesdays", status: "open", is_public: true };
  return makeRow(service.db, "course_classes", accountId, { ...row, ...columns });
}

const contact = { "full-name": "Ana Lima", "email": "ana.lima@visitor.example" };

const ask = (classId: string, attributes: Record<string, unknown> = {}) =>
  sendAsVisitor(
    service,
    accountId,
    "course-enrollment-requests",
    document(
      "course-enrollment-requests",
      { contact, consent: true, message: null, ...attributes },
      { relationships: { class: { data: { type: "course-classes", id: classId } } } },
    ),
  );

const requestsFor = async (classId: string): Promise<Resource[]> =>
  many(await service.get(`/v1/course-enrollment-requests?filter[class]=${classId}`));

/** Confirms the address of the only request for a class. */
async function confirmRequest(classId: string): Promise<Resource> {
  const [request] = await requestsFor(classId);
  const subject = { accountId, type: "course-enrollment-requests", id: request?.id ?? "" };
  const token = await newConfirmation(service.db, subject);
  const reception = { ...testServices(), catalogue: describedCatalogue, sendsMail: true };
  const parts = { ...reception, db: service.db, visitorKey: Buffer.alloc(32, 2) };
  assert.equal(await confirm(parts, token), true);
  return one(await service.get(`/v1/course-enrollment-requests/${request?.id}`));
}

test("202 · a visitor gets a receipt, and staff get a pending request", async () => {
  const id = await makeClass();
  const answer = await ask(id, { message: "With my husband" });
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(one(answer).attributes, { status: "received" });
  const [request, ...others] = await requestsFor(id);
  assert.deepEqual(others, []);
  assert.notEqual(request?.id, one(answer).id);
  const { message, source, status } = request?.attributes ?? {};
  assert.deepEqual([message, source, status], ["With my husband", "public", "pending"]);
  assert.deepEqual(request?.attributes["contact"], contact);
});

test("202 · parallel requests from one address are one request", async () => {
  const id = await makeClass();
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal((await requestsFor(id)).length, 1);
});

test("422 · a class that is absent, private or not open is reported in the same way", async () => {
  for (const id of [
    newId(),
    await makeClass({ is_public: false }),
    await makeClass({ status: "in-progress" }),
    await makeClass({}, { is_public: false }),
    await makeClass({}, { is_active: false }),
  ]) {
    const answer = await ask(id);
    assert.deepEqual([answer.status, codes(answer)], [422, ["invalid-relationship"]]);
  }
});

test("409 · a class that takes no requests says so, and a full one with a waiting list takes some", async () => {
  const full = { seats: 1 };
  const withStudent = async (columns: Record<string, unknown>) => {
    const id = await makeClass({ ...full, ...columns } as never);
    const person = await makePerson(service.db, accountId);
    const [row] = await service.db<{ courseId: string }[]>`
      select course_id as "courseId" from course_classes where id = ${id}`;
    await makeRow(service.db, "course_enrollments", accountId, {
      class_id: id,
      course_id: row?.courseId ?? "",
      person_id: person.id,
      status: "active",
    });
    return id;
  };
  for (const id of [
    await makeClass({}, { enrollment_policy: "closed" }),
    await makeClass({ enrollment_opens_at: "2999-01-01" }),
    await makeClass({ enrollment_closes_at: "2026-01-01" }),
    await withStudent({ waitlist_enabled: false }),
  ]) {
    const answer = await ask(id);
    assert.deepEqual([answer.status, codes(answer)], [409, ["requests-closed"]]);
    assert.deepEqual(pointers(answer), ["/data/relationships/class/data"]);
  }
  assert.equal((await ask(await withStudent({ waitlist_enabled: true }))).status, 202);
});

test("422 · with `public-challenge` `pow` a request needs a proof", async () => {
  const id = await makeClass();
  await openPublicArea(service.db, accountId, { "public-challenge": "pow" });
  assert.deepEqual(codes(await ask(id)), ["proof-invalid"]);
  const proof = await solvedProof(service, accountId);
  assert.equal((await ask(id, { proof })).status, 202);
  await openPublicArea(service.db, accountId, { "public-challenge": "none" });
});

test("a confirmed request for an open course enrolls the person of the address, or a prospect", async () => {
  const known = await makePerson(service.db, accountId, { email: "known@church.example" });
  for (const [email, personId] of [
    ["known@church.example", known.id],
    ["new@visitor.example", undefined],
  ] as const) {
    const id = await makeClass({}, { enrollment_policy: "open" });
    await ask(id, { contact: { ...contact, email } });
    const request = await confirmRequest(id);
    assert.equal(request.attributes["status"], "approved");
    assert.equal(request.attributes["is-confirmed"], true);
    const [enrollment] = many(await service.get(`/v1/course-enrollments?filter[class]=${id}`));
    assert.equal(enrollment?.attributes["source"], "public-form");
    assert.equal(enrollment?.attributes["status"], "active");
    const enrolled = enrollment && linkedId(enrollment, "person");
    assert.equal(enrolled, linkedId(request, "person"));
    if (personId !== undefined) assert.equal(enrolled, personId);
  }
});

test("a confirmed request waits for staff if the course asks for approval or the enrollment is rejected", async () => {
  const byStaff = await makeClass({}, { enrollment_policy: "request" });
  const cancelled = await makeClass({}, { enrollment_policy: "open" });
  for (const id of [byStaff, cancelled]) assert.equal((await ask(id)).status, 202);
  await service.db`update course_classes set status = 'cancelled' where id = ${cancelled}`;
  for (const id of [byStaff, cancelled]) {
    const { attributes } = await confirmRequest(id);
    assert.deepEqual([attributes["status"], attributes["is-confirmed"]], ["pending", true]);
  }
});
