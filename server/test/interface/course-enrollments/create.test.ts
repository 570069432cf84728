import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  type Enrolling,
  enroll as post,
  makeOpenClass,
  makeTeacher,
  makeCoordinator,
} from "../../support/courses.ts";
import { makeAccount, makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
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

const enroll = (enrolling: Enrolling): Promise<Answer> => post(service, enrolling);
const enrolled = async (enrolling: Enrolling) => {
  const answer = await enroll(enrolling);
  assert.equal(answer.status, 201, answer.text);
  return one(answer);
};
const refused = (answer: Answer) => [answer.status, ...codes(answer)];
const newPerson = { "new-person": { "full-name": "Ana Lima", "email": "ana@example.org" } };
const teacherOf = (classId: string) => makeTeacher(db, account.id, classId);

test("201 · staff enroll a person, whatever the policy and the dates say", async () => {
  const { classId, courseId } = await makeOpenClass(
    db,
    account.id,
    { enrollment_closes_at: "2020-01-01T00:00:00Z" },
    { enrollment_policy: "closed", price: 4_500, price_currency: "EUR", lessons_to_graduate: 6 },
  );
  const { id: personId } = await makePerson(db, account.id);
  let made: Answer | undefined;
  const events = await eventsOf(async () => {
    made = await enroll({ classId, personId });
  });
  assert.ok(made);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(events, ["course-enrollment.created"]);
  const resource = one(made);
  assert.partialDeepStrictEqual(resource.attributes, {
    "status": "active",
    "source": "staff",
    "payment-status": "pending",
    "paid-amount": null,
    "lessons-required": 6,
    "lessons-attended": 0,
    "progress": 0,
    "is-eligible-to-graduate": false,
    "waitlist-position": null,
    "completed-at": null,
    "requirements-waived": false,
  });
  assert.equal(linkedId(resource, "course"), courseId);
  assert.equal(linkedId(resource, "class"), classId);
  assert.equal(linkedId(resource, "person"), personId);
  assert.equal("new-person" in resource.attributes, false);
  assert.equal(resource.meta, undefined);
});

test("201 · staff send a date, a request and a payment", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { id: personId } = await makePerson(db, account.id);
  const sent = {
    "status": "requested",
    "enrolled-at": "2026-01-05T10:00:00.000Z",
    "payment-status": "paid",
    "paid-amount": 4_500,
  };
  const { attributes } = await enrolled({ classId, personId, attributes: sent });
  assert.partialDeepStrictEqual(attributes, sent);
});

test("422 · a new enrollment is active or requested", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { id: personId } = await makePerson(db, account.id);
  for (const status of ["waitlisted", "completed", "failed", "withdrawn", "cancelled", "gone"]) {
    const answer = await enroll({ classId, personId, attributes: { status } });
    assert.deepEqual(refused(answer), [422, "invalid-attribute"], status);
    assert.deepEqual(pointers(answer), ["/data/attributes/status"]);
  }
});

test("201 · new-person adds a prospect, whose address is never refused", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const teacher = await teacherOf(classId);
  await makePerson(db, account.id, { email: "Ana@example.org" });
  let resource: ReturnType<typeof one> | undefined;
  const events = await eventsOf(async () => {
    resource = await enrolled({ classId, as: teacher.token, attributes: newPerson });
  });
  assert.ok(resource);
  assert.deepEqual(events, ["person.created", "course-enrollment.created"]);
  const person = linkedId(resource, "person");
  assert.partialDeepStrictEqual(one(await service.get(`/v1/people/${person}`)).attributes, {
    "full-name": "Ana Lima",
    "membership-status": "prospect",
    "email": null,
    "other-emails": ["ana@example.org"],
  });
  const seen = await service.get(`/v1/people/${person}`, { as: teacher.token });
  assert.equal(seen.status, 200);
});

test("201 · new-person enrolls the one active person with this name and this address or number", async () => {
  const add = async (attributes: Record<string, unknown>) => {
    const person = document("people", { "full-name": "Rui da Costa", ...attributes });
    return one(await service.post("/v1/people", person)).id;
  };
  const phones = (number: string) => ({ phones: [{ number }] });
  const known = await add({ email: "rui@example.org", ...phones("+5511987651111") });
  const mailed = await add({ "other-emails": ["rui.c@example.org"] });
  const people = [
    known,
    mailed,
    await add(phones("+5511987650000")),
    await add(phones("+5511987650000")),
    await add({ "email": "gone@example.org", "is-active": false }),
  ];
  const enrolledAs = async (person: Record<string, string>) => {
    const { classId } = await makeOpenClass(db, account.id);
    const attributes = { "new-person": { "full-name": "RUI Costa", ...person } };
    return linkedId(await enrolled({ classId, attributes }), "person");
  };
  assert.equal(await enrolledAs({ email: "RUI@example.org" }), known);
  assert.equal(await enrolledAs({ "full-name": "Costa Rui", "phone": "+5511987651111" }), known);
  assert.equal(await enrolledAs({ email: "no@example.org", phone: "+5511987651111" }), known);
  assert.equal(await enrolledAs({ email: "rui.c@example.org" }), mailed);
  for (const person of [
    {},
    { phone: "+5511987650000" },
    { email: "gone@example.org" },
    { email: "ui@example.org" },
    { email: "r_i@example.org" },
    { "full-name": "Rita Costa", "email": "rui@example.org" },
  ])
    assert.ok(!people.includes(await enrolledAs(person)), JSON.stringify(person));
});

test("409 · new-person that is enrolled already is reported at new-person, without a new person", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { token: as } = await teacherOf(classId);
  await makePerson(db, account.id, { fullName: "Eva Reis", email: "eva@example.org" });
  const attributes = { "new-person": { "full-name": "Eva Reis", "email": "eva@example.org" } };
  const answers: Answer[] = [];
  const events = await eventsOf(async () => {
    answers.push(await enroll({ classId, as, attributes }));
    answers.push(await enroll({ classId, as, attributes }));
  });
  const [first, second] = answers;
  assert.ok(first && second);
  assert.equal(first.status, 201, first.text);
  assert.deepEqual(refused(second), [409, "already-exists"]);
  assert.deepEqual(pointers(second), ["/data/attributes/new-person"]);
  assert.deepEqual(events, ["course-enrollment.created"]);
});

test("422 · an enrollment names one person", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { id: personId } = await makePerson(db, account.id);
  const none = await enroll({ classId });
  assert.deepEqual(refused(none), [422, "missing-relationship"]);
  assert.deepEqual(pointers(none), ["/data/relationships/person"]);
  const both = await enroll({ classId, personId, attributes: newPerson });
  assert.deepEqual(refused(both), [422, "invalid-attribute"]);
  assert.deepEqual(pointers(both), ["/data/attributes/new-person"]);
  const nameless = { "new-person": { email: "ana@example.org" } };
  assert.equal((await enroll({ classId, attributes: nameless })).status, 422);
});

test("201 · a person enrolls by the policy of the course", async () => {
  for (const [enrollment_policy, status] of [
    ["open", "active"],
    ["request", "requested"],
  ] as const) {
    const { classId } = await makeOpenClass(db, account.id, {}, { enrollment_policy });
    const { id: personId, token: as } = await makePerson(db, account.id);
    const { attributes, id } = await enrolled({ classId, personId, as });
    assert.partialDeepStrictEqual(attributes, { status, "source": "self" });
    assert.deepEqual(ids(await service.get("/v1/course-enrollments", { as })), [id]);
  }
});

test("409 · people cannot enroll themselves while the enrollment is closed; staff can", async () => {
  const closed = [
    [{}, { enrollment_policy: "closed" }],
    [{ enrollment_opens_at: "2999-01-01T00:00:00Z" }, {}],
    [{ enrollment_closes_at: "2020-01-01T00:00:00Z" }, {}],
  ] as const;
  for (const [columns, course] of closed) {
    const { classId } = await makeOpenClass(db, account.id, columns, course);
    const { id: personId, token: as } = await makePerson(db, account.id);
    assert.deepEqual(refused(await enroll({ classId, personId, as })), [409, "enrollment-closed"]);
    await enrolled({ classId, personId });
  }
});

test("403 · people enroll only themselves, and send only self-editable fields", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const { id: personId, token: as } = await makePerson(db, account.id);
  const other = await makePerson(db, account.id);
  const notOneself = await enroll({ classId, personId: other.id, as });
  assert.deepEqual(refused(notOneself), [403, "forbidden"]);
  assert.deepEqual(pointers(notOneself), ["/data/relationships/person/data"]);
  assert.equal((await enroll({ classId, personId: newId(), as })).status, 403);
  assert.equal((await enroll({ classId, as, attributes: newPerson })).status, 403);
  for (const [name, value] of Object.entries({
    "status": "active",
    "enrolled-at": "2026-01-05T10:00:00Z",
    "payment-status": "paid",
    "paid-amount": 1,
    "requirements-waived": true,
    "graduation-waived": true,
    "waiver-note": "Please",
  })) {
    const answer = await enroll({ classId, personId, as, attributes: { [name]: value } });
    assert.deepEqual(refused(answer), [403, "forbidden"], name);
    assert.deepEqual(pointers(answer), [`/data/attributes/${name}`]);
  }
});

test("201 · a person sends self-editable custom fields, and not the required ones of staff", async () => {
  const own = await makeAccount(db);
  const field = (more: object) => ({ type: "string", label: "x", ...more });
  await db`
    update accounts set custom_properties = ${JSON.stringify({
      "course-enrollments": {
        diet: field({ "self-editable": true }),
        room: field({ required: true }),
      },
    })}::text::jsonb, version = version + 1
    where id = ${own.id}`;
  const { classId } = await makeOpenClass(db, own.id);
  const { id: personId, token: as } = await makePerson(db, own.id);
  const by = own.administrator.token;
  const incomplete = await enroll({ classId, personId, as: by });
  assert.deepEqual(pointers(incomplete), ["/data/attributes/custom-properties/room"]);
  const send = (fields: object) =>
    enroll({ classId, personId, as, attributes: { "custom-properties": fields } });
  const answer = await send({ room: "A" });
  assert.deepEqual(refused(answer), [403, "forbidden"]);
  assert.deepEqual(pointers(answer), ["/data/attributes/custom-properties/room"]);
  const made = one(await send({ diet: "vegan" }));
  assert.deepEqual(made.attributes["custom-properties"], { diet: "vegan" });
  const found = await service.get("/v1/course-enrollments?filter[custom-properties.diet]=vegan", {
    as: by,
  });
  assert.deepEqual(ids(found), [made.id]);
});

test("409 · people cannot enroll in a class that is not open, or of an inactive course", async () => {
  const { id: personId } = await makePerson(db, account.id);
  for (const status of ["draft", "finished", "cancelled"]) {
    const { classId } = await makeOpenClass(db, account.id, { status });
    const answer = await enroll({ classId, personId });
    assert.deepEqual(refused(answer), [409, "class-not-open"], status);
    assert.deepEqual(pointers(answer), ["/data/relationships/class/data"]);
  }
  const running = await makeOpenClass(db, account.id, { status: "in-progress" });
  await enrolled({ ...running, personId });
  const inactive = await makeOpenClass(db, account.id, {}, { is_active: false });
  assert.deepEqual(refused(await enroll({ ...inactive, personId })), [409, "enrollment-closed"]);
});

test("409 · a person has one current enrollment in a class", async () => {
  for (const status of ["requested", "waitlisted", "active", "completed"]) {
    const { classId, courseId } = await makeOpenClass(db, account.id);
    const { id: personId, token } = await makePerson(db, account.id);
    const known = await makeRow(db, "course_enrollments", account.id, {
      course_id: courseId,
      class_id: classId,
      person_id: personId,
      status,
    });
    for (const as of [account.administrator.token, token]) {
      const answer = await enroll({ classId, personId, as });
      assert.deepEqual(refused(answer), [409, "already-exists"], status);
      assert.deepEqual(pointers(answer), ["/data/relationships/person/data"]);
      assert.equal(answer.document.errors?.[0]?.meta["id"], known);
    }
  }
});

test("201 · a person who left, failed or cancelled gets a new enrollment", async () => {
  for (const status of ["withdrawn", "failed", "cancelled"]) {
    const { classId, courseId } = await makeOpenClass(db, account.id);
    const { id: personId } = await makePerson(db, account.id);
    await makeRow(db, "course_enrollments", account.id, {
      course_id: courseId,
      class_id: classId,
      person_id: personId,
      status,
    });
    await enrolled({ classId, personId });
  }
});

test("403 · waivers need course-enrollments:approve at the class; 422 · they need a note", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const teacher = await teacherOf(classId);
  const coordinator = await makeCoordinator(db, account.id, courseId);
  const waiver = { "requirements-waived": true, "waiver-note": "Known for years" };
  const forbidden = await enroll({
    classId,
    as: teacher.token,
    attributes: { ...newPerson, ...waiver },
  });
  assert.deepEqual(refused(forbidden), [403, "forbidden"]);
  assert.deepEqual(pointers(forbidden), ["/data/attributes/requirements-waived"]);
  const as = coordinator.token;
  const without = { ...newPerson, "requirements-waived": true };
  const noted = await enroll({ classId, as, attributes: without });
  assert.deepEqual(refused(noted), [422, "missing-attribute"]);
  assert.deepEqual(pointers(noted), ["/data/attributes/waiver-note"]);
  const { attributes } = await enrolled({ classId, as, attributes: { ...newPerson, ...waiver } });
  assert.partialDeepStrictEqual(attributes, waiver);
});
