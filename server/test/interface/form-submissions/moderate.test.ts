import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  sweepConsentHashes,
  sweepSubmissions,
} from "../../../src/features/forms/submissions/sweep.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { enroll, makeClass, makeCoordinator, makeOpenClass } from "../../support/courses.ts";
import { makeForm, makeSubmission, moderate, nameAndEmail } from "../../support/forms.ts";
import { makeAssignment, makeEndpoint, makePerson } from "../../support/make.ts";
import {
  type Answer,
  codes,
  etag,
  eventsOf,
  ids,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { meanwhile, together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["form-submission.created", "person.created"] });

const refused = (answer: Answer) => [answer.status, codes(answer)[0], pointers(answer)[0]];
const processed = { status: "processed" };
const creates = { "create-or-match-person": true };
const peopleCount = async () => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from people where account_id = ${account.id}`;
  return row?.count;
};
const read = async (id: string) => one(await service.get(`/v1/form-submissions/${id}`));

async function makeManager() {
  const person = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: person.id, role: "form-manager" });
  return person;
}

test("200 · processing creates the prospect, the membership and the enrollment together", async () => {
  const cell = await makeCell(db, account.id);
  const { classId } = await makeOpenClass(db, account.id);
  const form = await makeForm(service, {
    fields: [
      ...nameAndEmail,
      { key: "work", type: "text", label: "Work", "maps-to": "occupation" },
      { key: "phone", type: "phone", label: "Phone", "maps-to": "phone" },
    ],
    actions: { ...creates, "add-to-cell": cell, "enroll-in-class": classId },
  });
  const id = await makeSubmission(service, form, {
    "full-name": "Nova Pessoa",
    "email": "nova@example.org",
    "work": "Baker",
    "phone": "+5511922223333",
  });
  const told = await eventsOf(async () => {
    const answer = await moderate(service, id, processed);
    assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual(told, [
    "person.created",
    "cell-membership.created",
    "course-enrollment.created",
    "form-submission.updated",
  ]);
  const submission = await read(id);
  const person = one(await service.get(`/v1/people/${linkedId(submission, "person")}`));
  assert.partialDeepStrictEqual(person.attributes, {
    "full-name": "Nova Pessoa",
    "email": "nova@example.org",
    "occupation": "Baker",
    "membership-status": "prospect",
  });
  assert.equal((person.attributes["phones"] as { number: string }[])[0]?.number, "+5511922223333");
  assert.equal(linkedId(submission, "reviewed-by"), account.administrator.id);
  const results = submission.attributes["results"] as Record<string, string>;
  assert.equal(results["person-created"], true);
  const membership = one(await service.get(`/v1/cell-memberships/${results["cell-membership"]}`));
  assert.equal(membership.attributes["cell-role"], "participant");
  const enrollment = one(
    await service.get(`/v1/course-enrollments/${results["course-enrollment"]}`),
  );
  assert.partialDeepStrictEqual(enrollment.attributes, { status: "active", source: "staff" });
});

test("409 · the sender of two forms is found at the second decision, and linked or added by choice", async () => {
  const forms = [
    await makeForm(service, { actions: creates }),
    await makeForm(service, { actions: creates }),
  ];
  const sent = { "full-name": "Duas Vezes", "email": "twice@example.org" };
  const [first, second, third] = [
    await makeSubmission(service, forms[0] ?? "", sent),
    await makeSubmission(service, forms[1] ?? "", sent),
    await makeSubmission(service, forms[1] ?? "", sent),
  ];
  assert.equal((await moderate(service, first, processed)).status, 200);
  const person = linkedId(await read(first), "person");
  const found = await moderate(service, second, processed);
  assert.deepEqual(refused(found), [409, "person-found", "/data/relationships/person/data"]);
  assert.equal(found.document.errors?.[0]?.meta?.["person"], person);
  assert.equal((await read(second)).attributes["status"], "new");
  // A moderator who cannot read the person learns nothing about it.
  const manager = await makeManager();
  const unseen = await moderate(service, third, processed, { as: manager.token });
  assert.equal(unseen.status, 200, unseen.text);
  assert.notEqual(linkedId(await read(third), "person"), person);

  const chosen = { ...processed, "create-person": true };
  assert.deepEqual(refused(await moderate(service, second, chosen, { person: person ?? "" })), [
    422,
    "invalid-attribute",
    "/data/attributes/create-person",
  ]);
  assert.equal((await moderate(service, second, { "create-person": true })).status, 422);
  const linked = await moderate(service, second, processed, { person: person ?? "" });
  assert.equal(linked.status, 200, linked.text);
  const fourth = await makeSubmission(service, forms[0] ?? "", sent);
  const added = await moderate(service, fourth, chosen);
  assert.equal(added.status, 200, added.text);
  assert.partialDeepStrictEqual(one(added).attributes["results"], { "person-created": true });
  assert.ok(![person, null].includes(linkedId(await read(fourth), "person")));
});

test("409 · two decisions at the same moment about one sender make one person", async () => {
  const sent = { "full-name": "Ao Mesmo Tempo", "phone": "+5511933334444" };
  const fields = [
    ...nameAndEmail,
    { key: "phone", type: "phone", label: "Phone", "maps-to": "phone" },
  ];
  const submissions = await Promise.all(
    [0, 1].map(async () =>
      makeSubmission(service, await makeForm(service, { fields, actions: creates }), sent),
    ),
  );
  const before = (await peopleCount()) ?? 0;
  const answers = await together(
    db,
    account.id,
    submissions.map((id) => () => moderate(service, id, processed)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
  assert.equal(await peopleCount(), before + 1);
});

test("409 · an action that is rejected rejects everything, with its code at /data", async () => {
  const elsewhere = await makeCell(db, account.id);
  const cell = await makeCell(db, account.id);
  const closed = await makeCell(db, account.id, { closed_at: "2026-01-01T00:00:00Z" });
  const participant = await makeMember(db, account.id, elsewhere);
  const member = await makeMember(db, account.id, cell);
  const { classId, courseId } = await makeOpenClass(db, account.id, {
    seats: 1,
    waitlist_enabled: false,
  });
  const full = await makeForm(service, {
    actions: { ...creates, "add-to-cell": cell, "enroll-in-class": classId },
  });
  const late = await makeSubmission(service, full, { "full-name": "Late" });
  // The class becomes full between the submission and the decision.
  assert.equal((await enroll(service, { classId, personId: member.id })).status, 201);
  const finished = await makeClass(db, account.id, courseId, { status: "finished" });
  const before = await peopleCount();
  const assertRefused = async (
    form: string | null,
    code: string,
    { person, status = 409 }: { person?: string; status?: number } = {},
  ) => {
    const id = form === null ? late : await makeSubmission(service, form, { "full-name": "Ana" });
    const answer = await moderate(service, id, processed, person ? { person } : {});
    assert.deepEqual(refused(answer), [status, code, "/data"], answer.text);
    assert.partialDeepStrictEqual((await read(id)).attributes, { status: "new", results: null });
  };
  const formWith = (actions: Record<string, unknown>) =>
    makeForm(service, { actions: { ...creates, ...actions } });
  await assertRefused(null, "class-full");
  await assertRefused(await formWith({ "add-to-cell": closed }), "cell-closed");
  await assertRefused(await formWith({ "enroll-in-class": finished }), "class-not-open");
  const toCell = await formWith({ "add-to-cell": cell });
  await assertRefused(toCell, "participant-elsewhere", { person: participant.id });
  await assertRefused(toCell, "already-exists", { person: member.id });
  const noName = await makeForm(service, { fields: [nameAndEmail[1]!], actions: creates });
  const id = await makeSubmission(service, noName, { email: "nameless@example.org" });
  assert.deepEqual(refused(await moderate(service, id, processed)), [
    422,
    "missing-attribute",
    "/data",
  ]);
  assert.equal(await peopleCount(), before);
  const [left] = await db`
    select from cell_memberships where account_id = ${account.id} and cell_id = ${cell} and person_id <> ${member.id}`;
  assert.equal(left, undefined);
});

test("403 · a moderator without the right for an action does not process the submission", async () => {
  const cell = await makeCell(db, account.id);
  const { classId } = await makeOpenClass(db, account.id);
  const manager = await makeManager();
  for (const actions of [{ "add-to-cell": cell }, { "enroll-in-class": classId }]) {
    const form = await makeForm(service, { actions: { ...creates, ...actions } });
    const id = await makeSubmission(service, form, { "full-name": "Ana" });
    const as = { as: manager.token };
    assert.deepEqual(refused(await moderate(service, id, processed, as)), [
      403,
      "forbidden",
      "/data",
    ]);
    // Nor do moderators let themselves in.
    const self = await moderate(service, id, processed, { ...as, person: manager.id });
    assert.equal(self.status, 403);
    assert.equal((await moderate(service, id, { status: "rejected" }, as)).status, 200);
  }
  const plain = await makeForm(service, { actions: creates });
  const id = await makeSubmission(service, plain, { "full-name": "Ana" });
  assert.equal((await moderate(service, id, processed, { as: manager.token })).status, 200);
});

const described = [
  ...nameAndEmail,
  { key: "work", type: "text", label: "Work", "maps-to": "occupation" },
  { key: "church", type: "text", label: "Church", "maps-to": "previous-church" },
];

test("200 · only accepted changes reach a known person", async () => {
  const form = await makeForm(service, { fields: described, actions: creates });
  const person = await makePerson(db, account.id, { fullName: "Old Name" });
  const answers = { "full-name": "New Name", "work": "Baker", "church": "St. Mark" };
  const id = await makeSubmission(service, form, answers);
  const wrong = await moderate(
    service,
    id,
    { ...processed, "accepted-changes": ["occupation", "email"] },
    { person: person.id },
  );
  assert.deepEqual(refused(wrong), [
    422,
    "invalid-attribute",
    "/data/attributes/accepted-changes/1",
  ]);
  const answer = await moderate(
    service,
    id,
    { ...processed, "accepted-changes": ["occupation"] },
    { person: person.id },
  );
  assert.equal(answer.status, 200, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    match: "linked",
    results: { "person-created": false },
  });
  assert.partialDeepStrictEqual(one(await service.get(`/v1/people/${person.id}`)).attributes, {
    "full-name": "Old Name",
    "occupation": "Baker",
    "previous-church": null,
  });
});

test("200 · an accepted address is set by the caller who accepts it", async () => {
  const form = await makeForm(service, { fields: described, actions: creates });
  const person = await makePerson(db, account.id);
  const answers = { "full-name": "New Name", "email": "accepted@example.org" };
  const id = await makeSubmission(service, form, answers);
  const accepted = { ...processed, "accepted-changes": ["email"] };
  const answer = await moderate(service, id, accepted, { person: person.id });
  assert.equal(answer.status, 200, answer.text);
  const [stored] = await db`
    select email, email_set_by as by from people where account_id = ${account.id} and id = ${person.id}`;
  assert.deepEqual(stored, { email: "accepted@example.org", by: account.administrator.id });
});

test("403 · accepted changes need the right to change that person; 422 · an unseen person is no link", async () => {
  const manager = await makeManager();
  const person = await makePerson(db, account.id);
  const form = await makeForm(service, { fields: described, actions: creates });
  const id = await makeSubmission(service, form, { "full-name": "New", "work": "Baker" });
  const as = manager.token;
  const accepted = { ...processed, "accepted-changes": ["occupation"] };
  const unseen = await moderate(service, id, accepted, { as, person: person.id });
  assert.ok([403, 422].includes(unseen.status), unseen.text);
  const linked = await moderate(service, id, {}, { as, person: person.id });
  assert.deepEqual(refused(linked), [
    422,
    "invalid-relationship",
    "/data/relationships/person/data",
  ]);
  // Nor one's own record, which has its own document.
  assert.deepEqual(refused(await moderate(service, id, accepted, { as, person: manager.id })), [
    403,
    "forbidden",
    "/data/attributes/accepted-changes",
  ]);
  assert.equal(one(await service.get(`/v1/people/${person.id}`)).attributes["occupation"], null);
});

test("422 · changes are accepted only together with processing and a person", async () => {
  const form = await makeForm(service, { fields: described, actions: creates });
  const id = await makeSubmission(service, form, { "full-name": "New", "work": "Baker" });
  const accepted = { "accepted-changes": ["occupation"] };
  for (const attributes of [
    accepted,
    { ...accepted, status: "rejected" },
    { ...accepted, ...processed },
  ])
    assert.deepEqual(pointers(await moderate(service, id, attributes)), [
      "/data/attributes/accepted-changes",
    ]);
});

test("409 · exactly one of two decisions at once counts", async () => {
  const form = await makeForm(service, { actions: creates });
  const decide = async (second: Record<string, unknown>, ...people: string[]) => {
    const id = await makeSubmission(service, form, { "full-name": "Twice" });
    const before = await peopleCount();
    const answers = await together(db, account.id, [
      () => moderate(service, id, processed, people[0] ? { person: people[0] } : {}),
      () => moderate(service, id, second, people[1] ? { person: people[1] } : {}),
    ]);
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    const late = answers.find(({ status }) => status !== 200);
    return { created: ((await peopleCount()) ?? 0) - (before ?? 0), late, statuses };
  };
  const rejects = await decide({ status: "rejected" });
  assert.deepEqual(rejects.statuses, [200, 409]);
  assert.deepEqual(codes(rejects.late!), ["invalid-transition"]);
  const [first, second] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const links = await decide(processed, first.id, second.id);
  assert.deepEqual([links.statuses, links.created], [[200, 409], 0]);
  // The same decision twice is one decision.
  const same = await decide(processed);
  assert.deepEqual([same.statuses, same.created], [[200, 200], 1]);
});

test("409 · a stale version is not moderated", async () => {
  const form = await makeForm(service, { actions: creates });
  const id = await makeSubmission(service, form, { "full-name": "Ana" });
  const version = etag(await service.get(`/v1/form-submissions/${id}`));
  const headers = { "If-Match": version };
  const person = await makePerson(db, account.id);
  assert.equal((await moderate(service, id, {}, { headers, person: person.id })).status, 200);
  const before = await peopleCount();
  const stale = await moderate(service, id, processed, { headers, person: null });
  assert.deepEqual(codes(stale), ["stale-version"]);
  assert.equal(await peopleCount(), before);
});

test("a submission that was spam is announced once it is new, and people are suggested", async () => {
  const form = await makeForm(service);
  await makePerson(db, account.id, { email: "spam@example.org" });
  const id = await makeSubmission(service, form, {
    "full-name": "Ana",
    "email": "spam@example.org",
  });
  await db`
    update form_submissions set status = 'spam', is_announced = false
    where account_id = ${account.id} and id = ${id}`;
  await db`delete from form_submission_suggestions where account_id = ${account.id} and submission_id = ${id}`;
  const count = async () =>
    one(await service.get(`/v1/forms/${form}`)).attributes["submissions-count"];
  assert.equal(await count(), 0);
  const set = (status: string) => eventsOf(() => moderate(service, id, { status }));
  assert.deepEqual(await set("new"), ["form-submission.created"]);
  assert.equal((await read(id)).attributes["match"], "suggested");
  assert.equal(await count(), 1);
  assert.deepEqual(await set("spam"), ["form-submission.updated"]);
  assert.deepEqual(await set("new"), ["form-submission.updated"]);
});

test("200 · a coordinator moderates the forms of the course, and reads no others", async () => {
  const { courseId, classId } = await makeOpenClass(db, account.id);
  const coordinator = await makeCoordinator(db, account.id, courseId);
  const form = await makeForm(
    service,
    { actions: { ...creates, "enroll-in-class": classId } },
    { course: courseId },
  );
  const id = await makeSubmission(service, form, { "full-name": "Ana" });
  const other = await makeSubmission(service, await makeForm(service), { "full-name": "Ana" });
  const as = coordinator.token;
  assert.deepEqual(ids(await service.get("/v1/form-submissions", { as })), [id]);
  assert.equal((await moderate(service, other, { status: "spam" }, { as })).status, 404);
  assert.equal((await moderate(service, id, processed, { as })).status, 200);
});

test("404 · a submission whose time is over while it is decided changes nothing", async () => {
  const form = await makeForm(service, { "retention-days": 30, "actions": creates });
  const id = await makeSubmission(service, form, { "full-name": "Old" });
  await db`
    update form_submissions set submitted_at = now() - interval '30 days'
    where account_id = ${account.id} and id = ${id}`;
  const person = await makePerson(db, account.id);
  const answer = await meanwhile(
    db,
    (tx) =>
      tx`select from people where account_id = ${account.id} and id = ${person.id} for update`,
    () => moderate(service, id, processed, { person: person.id }),
    () => sweepSubmissions(db),
  );
  assert.deepEqual(refused(answer), [404, "not-found", undefined]);
});

test("submissions go after their time, and their records stay", async () => {
  const form = await makeForm(service, { "retention-days": 30, "actions": creates });
  const [kept, old] = [
    await makeSubmission(service, form, { "full-name": "Kept" }),
    await makeSubmission(service, form, { "full-name": "Old" }),
  ];
  const person = linkedId(one(await moderate(service, old, processed)), "person");
  await db`
    update form_submissions set submitted_at = now() - interval '30 days', consent_ip_hash = '\\x01'
    where account_id = ${account.id} and id = ${old}`;
  await sweepConsentHashes(db);
  const [row] = await db<{ hash: unknown }[]>`
    select consent_ip_hash as hash from form_submissions where account_id = ${account.id} and id = ${old}`;
  assert.equal(row?.hash, null);
  await sweepSubmissions(db);
  const list = await service.get(`/v1/form-submissions?filter[form]=${form}`);
  assert.deepEqual(ids(list), [kept]);
  assert.equal((await service.get(`/v1/people/${person}`)).status, 200);
});
