import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Actor } from "../../../src/access/actor.ts";
import { NIL_ID } from "../../../src/base/ids.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { writeContextOf } from "../../../src/jsonapi/routes/write-context.ts";
import { readAnswers } from "../../../src/features/forms/submissions/answers.ts";
import { processConfirmed } from "../../../src/features/forms/submissions/process-confirmed.ts";
import {
  type Received,
  receiveSubmission,
} from "../../../src/features/forms/submissions/receive-submission.ts";
import { findForm } from "../../../src/features/forms/submissions/stored-form.ts";
import { approveRequest } from "../../../src/features/courses/enrollment-requests/approve-request.ts";
import type { WriteContext } from "../../../src/jsonapi/definition/resource.ts";
import { definitionOf } from "../../../src/jsonapi/definition/targets.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { makeOpenClass } from "../../support/courses.ts";
import { type Attributes, makeForm } from "../../support/forms.ts";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import { testServices } from "../../support/queues.ts";
import { eventsOf, ids, linkedId, one, startService } from "../../support/service.ts";

/** The service receives and processes submissions of visitors, who are callers without a person and without rights. */
const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["form-submission.created", "person.created"] });

const visitor: Actor = {
  accountId: account.id,
  accountVersion: 0,
  personId: NIL_ID,
  tokenId: NIL_ID,
  administrativeStatus: "none",
  assignments: [],
};

const asVisitor = <T>(run: (context: WriteContext) => Promise<T>): Promise<T> =>
  inTransaction(db, account.id, (tx) =>
    run(
      writeContextOf(
        { ...testServices(), sendsMail: false },
        tx,
        visitor,
        definitionOf(describedCatalogue, "form-submissions"),
      ),
    ),
  );

const receive = (formId: string, answers: Attributes, received: Partial<Received> = {}) =>
  asVisitor(async (context) => {
    const form = await findForm(context.db, account.id, formId);
    assert.ok(form);
    const read = await readAnswers(context, form.fields, answers);
    return receiveSubmission(context, form, {
      read,
      hasConsent: true,
      source: "public",
      status: "new",
      ...received,
    });
  });
const confirm = (id: string) => asVisitor((context) => processConfirmed(context, id));
const read = async (id: string) => one(await service.get(`/v1/form-submissions/${id}`));
const creates = { "create-or-match-person": true };

test("a submission that is spam has no event and counts for nothing", async () => {
  await makePerson(db, account.id, { email: "known@example.org" });
  const form = await makeForm(service);
  let id = "";
  const told = await eventsOf(async () => {
    id = await receive(
      form,
      { "full-name": "Best Offers", "email": "known@example.org" },
      { status: "spam", spamScore: 90, ipHash: Buffer.from("hash") },
    );
  });
  assert.deepEqual(told, []);
  const submission = await read(id);
  assert.partialDeepStrictEqual(submission.attributes, {
    "status": "spam",
    "source": "public",
    "spam-score": 90,
    "match": "none",
  });
  assert.equal(submission.relationships["created-by"]?.data, null);
  const { attributes } = one(await service.get(`/v1/forms/${form}`));
  assert.equal(attributes["submissions-count"], 0);
});

test("a confirmed submission of an unknown person becomes a prospect and an enrollment", async () => {
  const { classId } = await makeOpenClass(db, account.id);
  const form = await makeForm(service, { actions: { ...creates, "enroll-in-class": classId } });
  const id = await receive(form, { "full-name": "Nova Pessoa", "email": "unknown@example.org" });
  const told = await eventsOf(() => confirm(id));
  assert.deepEqual(told, [
    "person.created",
    "course-enrollment.created",
    "form-submission.updated",
  ]);
  const submission = await read(id);
  assert.partialDeepStrictEqual(submission.attributes, {
    "status": "processed",
    "is-confirmed": true,
    "match": "linked",
  });
  assert.equal(submission.relationships["reviewed-by"]?.data, null);
  const person = linkedId(submission, "person");
  const list = await service.get(`/v1/course-enrollments?filter[person]=${person}`);
  const [enrollment] = list.document.data as { attributes: Attributes }[];
  assert.equal(enrollment?.attributes["source"], "public-form");
  // Another click on the link does nothing more.
  assert.deepEqual(await eventsOf(() => confirm(id)), []);
});

test("a confirmed submission waits for staff if a person may have sent it, or if an action is rejected", async () => {
  const plain = await makeForm(service, { actions: creates });
  const like = await receive(plain, { "full-name": "Rosa", "email": "rosa@example.org" });
  // The person joined after the submission.
  const person = await makePerson(db, account.id, { email: "rosa@example.org" });
  await confirm(like);
  const suggested = await read(like);
  assert.partialDeepStrictEqual(suggested.attributes, {
    "status": "new",
    "is-confirmed": true,
    "match": "suggested",
  });
  assert.deepEqual(suggested.relationships["suggested-people"]?.data, [
    { type: "people", id: person.id },
  ]);

  const { classId } = await makeOpenClass(db, account.id, { seats: 0, waitlist_enabled: false });
  const full = await makeForm(service, { actions: { ...creates, "enroll-in-class": classId } });
  const late = await receive(full, { "full-name": "Late", "email": "late@example.org" });
  await confirm(late);
  assert.partialDeepStrictEqual((await read(late)).attributes, {
    "status": "new",
    "is-confirmed": true,
    "results": null,
  });
  assert.deepEqual(ids(await service.get("/v1/people?filter[q]=late@example.org")), []);

  const message = await makeForm(service);
  const unread = await receive(message, { "full-name": "Writer" });
  await confirm(unread);
  assert.equal((await read(unread)).attributes["status"], "new");
});

test("the service approves a request to enroll, under the conditions of an enrollment", async () => {
  const ask = (place: { classId: string; courseId: string }) =>
    makeRow(db, "course_enrollment_requests", account.id, {
      class_id: place.classId,
      course_id: place.courseId,
      contact: JSON.stringify({ "full-name": "Ana", "email": "ana@example.org" }),
    });
  const approve = (id: string, personId: string | null) =>
    asVisitor((context) => approveRequest(context, { id, personId }));
  const status = async (id: string) =>
    one(await service.get(`/v1/course-enrollment-requests/${id}`)).attributes["status"];
  const open = await makeOpenClass(db, account.id, { seats: 2, waitlist_enabled: false });
  const [first, second, third] = [await ask(open), await ask(open), await ask(open)];
  const person = await makePerson(db, account.id);
  await approve(first, person.id);
  await approve(second, null);
  await assert.rejects(approve(third, null), /class-full/);
  assert.deepEqual(await Promise.all([first, second, third].map(status)), [
    "approved",
    "approved",
    "pending",
  ]);
});
