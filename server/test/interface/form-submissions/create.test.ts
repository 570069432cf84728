import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeCoordinator, makeEnrollment, makeOpenClass } from "../../support/courses.ts";
import { fillIn, makeForm, nameAndEmail, patchForm } from "../../support/forms.ts";
import { makeAssignment, makeEndpoint, makePerson } from "../../support/make.ts";
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
await makeEndpoint(db, account.id, {
  events: ["form-submission.created", "form-submission.updated"],
});

const refused = (answer: Answer) => [answer.status, codes(answer)[0], pointers(answer)[0]];
const at = (key: string) => `/data/attributes/answers/${key}`;

const every = [
  ...nameAndEmail,
  { key: "phone", type: "phone", label: "Phone" },
  { key: "born", type: "date", label: "Born", "max": "2020-12-31", "maps-to": "birthdate" },
  { key: "seats", type: "number", label: "Seats", min: 1, max: 4 },
  { key: "vegan", type: "boolean", label: "Vegan" },
  { key: "photos", type: "consent", label: "Photos", required: true },
  { key: "story", type: "long-text", label: "Story", "max-length": 20 },
  { key: "home", type: "address", label: "Home" },
  { key: "part", type: "heading", label: "Part two" },
  { key: "from", type: "hidden", label: "From" },
  {
    key: "days",
    type: "multi-select",
    label: "Days",
    options: [
      { value: "sat", label: "Saturday" },
      { value: "sun", label: "Sunday" },
    ],
  },
  {
    key: "size",
    type: "select",
    label: "Size",
    options: [
      { value: "s", label: "Small" },
      { value: "other", label: "Other" },
    ],
  },
  {
    "key": "which",
    "type": "text",
    "label": "Which",
    "required": true,
    "show-if": { field: "size", equals: "other" },
  },
];

const needed = { "full-name": "Ana Lima", "photos": true };

test("201 · staff enter the answers on a paper; the service cleans them", async () => {
  const form = await makeForm(service, { fields: every });
  const answer = await fillIn(service, form, {
    ...needed,
    "email": " ana@example.org ",
    "phone": "+55 11 98765-4321",
    "born": "1984-05-17",
    "seats": 2,
    "vegan": false,
    "story": "<b>Bom</b> dia\n<script>x",
    "home": { city: "<i>Campinas</i>", country: "BR", street: "" },
    "from": "\u202eflyer",
    "days": ["sun"],
    "size": "s",
    "which": "an answer that is not shown",
  });
  assert.equal(answer.status, 201, answer.text);
  const { attributes } = one(answer);
  assert.deepEqual(attributes["answers"], {
    ...needed,
    "email": "ana@example.org",
    "phone": "+5511987654321",
    "born": "1984-05-17",
    "seats": 2,
    "vegan": false,
    "story": "Bom dia\nx",
    "home": { city: "Campinas", country: "BR" },
    "from": "flyer",
    "days": ["sun"],
    "size": "s",
  });
  assert.partialDeepStrictEqual(attributes, {
    "status": "new",
    "source": "staff",
    "form-version": 1,
    "is-confirmed": false,
    "match": "none",
    "consent": null,
    "spam-score": 0,
    "results": null,
  });
});

const wrongAnswers: readonly [answers: Record<string, unknown>, place: string][] = [
  [{ "full-name": "" }, "full-name"],
  [{ "full-name": "<b></b>" }, "full-name"],
  [{ "full-name": "Ana\nLima" }, "full-name"],
  [{ "full-name": "x".repeat(256) }, "full-name"],
  [{ "full-name": 7 }, "full-name"],
  [{ photos: false }, "photos"],
  [{ photos: "yes" }, "photos"],
  [{ email: "ana" }, "email"],
  [{ phone: "12" }, "phone"],
  [{ born: "2021-01-01" }, "born"],
  [{ born: "1984-02-30" }, "born"],
  [{ seats: 5 }, "seats"],
  [{ seats: "2" }, "seats"],
  [{ story: "x".repeat(21) }, "story"],
  [{ home: { planet: "Earth" } }, "home/planet"],
  [{ part: "text" }, "part"],
  [{ unknown: "text" }, "unknown"],
  [{ days: ["mon"] }, "days/0"],
  [{ days: ["sun", "sun"] }, "days"],
  [{ size: "xl" }, "size"],
  [{ size: "other" }, "which"],
];

test("422 · every wrong answer is reported at its key, all at once", async () => {
  const form = await makeForm(service, { fields: every });
  for (const [answers, place] of wrongAnswers) {
    const answer = await fillIn(service, form, { ...needed, ...answers });
    assert.equal(answer.status, 422, `${JSON.stringify(answers)} ${answer.text}`);
    assert.deepEqual(pointers(answer), [at(place)], JSON.stringify(answers));
  }
  const several = await fillIn(service, form, { email: "ana", seats: 9, photos: true });
  assert.deepEqual(pointers(several), [at("full-name"), at("email"), at("seats")]);
});

test("422 · all answers together have at most 64 KiB", async () => {
  const fields = ["one", "two", "three", "four"].map((key) => ({
    key,
    type: "long-text",
    label: key,
  }));
  const form = await makeForm(service, { fields });
  const of = (length: number) =>
    Object.fromEntries(fields.map(({ key }) => [key, "x".repeat(length)]));
  const overhead = JSON.stringify(of(0)).length;
  const fits = Math.floor((65_536 - overhead) / 4);
  assert.equal((await fillIn(service, form, of(fits))).status, 201);
  assert.deepEqual(refused(await fillIn(service, form, of(fits + 1))), [
    422,
    "invalid-attribute",
    "/data/attributes/answers",
  ]);
});

test("422 · a form with a privacy notice needs the consent, whose version and time are kept", async () => {
  const form = await makeForm(service, { "privacy-notice": "We keep it for a year." });
  await patchForm(service, form, { "privacy-notice": "We keep it for two years." });
  const answers = { "full-name": "Ana" };
  for (const consent of [undefined, null, false]) {
    const more = consent === undefined ? {} : { consent };
    assert.deepEqual(refused(await fillIn(service, form, answers, more)), [
      422,
      "missing-attribute",
      "/data/attributes/consent",
    ]);
  }
  const wrong = await fillIn(service, form, answers, { consent: { version: 1 } });
  assert.deepEqual(refused(wrong), [422, "invalid-attribute", "/data/attributes/consent"]);
  const given = one(await fillIn(service, form, answers, { consent: true }));
  assert.partialDeepStrictEqual(given.attributes["consent"], { version: 2 });
  assert.ok(
    Date.parse((given.attributes["consent"] as Record<string, string>)["granted-at"] ?? ""),
  );
});

test("201 · a person fills in a form with a log-in, and reads only their own submissions", async () => {
  const form = await makeForm(service, { "requires-login": true });
  const [person, other] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const answers = { "full-name": "Ana" };
  const sent = one(await fillIn(service, form, answers, { as: person.token }));
  assert.partialDeepStrictEqual(sent.attributes, { source: "member", match: "linked" });
  assert.equal(linkedId(sent, "person"), person.id);
  await fillIn(service, form, answers, { as: other.token });
  const list = await service.get("/v1/form-submissions", { as: person.token });
  assert.deepEqual(ids(list), [sent.id]);
  const changed = await service.patch(
    `/v1/form-submissions/${sent.id}`,
    { data: { type: "form-submissions", id: sent.id, attributes: { status: "archived" } } },
    { as: person.token },
  );
  assert.equal(changed.status, 403);
});

test("403 · people fill in no other forms, and none for others", async () => {
  const cell = await makeCell(db, account.id);
  const [member, person] = [
    await makeMember(db, account.id, cell),
    await makePerson(db, account.id),
  ];
  const login = await makeForm(service, { "requires-login": true });
  const open = await makeForm(service);
  const ofCell = await makeForm(service, { "requires-login": true }, { cell });
  const answers = { "full-name": "Ana" };
  const status = async (form: string, as: string, more = {}) =>
    (await fillIn(service, form, answers, { as, ...more })).status;
  assert.equal(await status(open, person.token), 403);
  assert.equal(await status(ofCell, person.token), 403);
  assert.equal(await status(ofCell, member.token), 201);
  assert.equal(await status(login, person.token, { person: member.id }), 403);
  assert.equal(await status(account.id, person.token), 403);
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const paper = await makeForm(service, {}, { cell });
  assert.equal(await status(paper, leader.token), 403);
});

test("410 · a member is late for a closed form, staff are not; drafts and archived forms take nothing", async () => {
  const login = { "requires-login": true };
  const person = await makePerson(db, account.id);
  const send = (form: string, as?: string) =>
    fillIn(service, form, { "full-name": "Ana" }, as ? { as } : {});
  const pointer = "/data/relationships/form/data";
  for (const attributes of [
    { status: "closed" },
    { "closes-at": "2026-01-01T00:00:00.000Z" },
    { "opens-at": "2999-01-01T00:00:00.000Z" },
  ]) {
    const form = await makeForm(service, { ...login, ...attributes });
    assert.deepEqual(refused(await send(form, person.token)), [410, "form-closed", pointer]);
    assert.equal((await send(form)).status, 201);
  }
  for (const status of ["draft", "archived"]) {
    const form = await makeForm(service, { ...login, status });
    assert.deepEqual(refused(await send(form)), [410, "form-closed", pointer]);
  }
});

test("410 · a form never takes more submissions than its limit, also at once", async () => {
  const form = await makeForm(service, { "requires-login": true, "max-submissions": 2 });
  const people = await Promise.all([1, 2, 3, 4].map(() => makePerson(db, account.id)));
  const answers = await Promise.all(
    people.map(({ token }) => fillIn(service, form, { "full-name": "Ana" }, { as: token })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 201, 410, 410],
  );
  const { attributes } = one(await service.get(`/v1/forms/${form}`));
  assert.equal(attributes["submissions-count"], 2);
});

test("200 · the service suggests people with the address, the number, or the name and birthdate", async () => {
  const fields = [
    ...nameAndEmail,
    { key: "phone", type: "phone", label: "Phone", "maps-to": "phone" },
    { key: "born", type: "date", label: "Born", "maps-to": "birthdate" },
  ];
  const form = await makeForm(service, { fields });
  const made = async (fullName: string, attributes: Record<string, unknown>) => {
    const body = { "full-name": fullName, ...attributes };
    return one(await service.post("/v1/people", { data: { type: "people", attributes: body } })).id;
  };
  const byEmail = await made("Rosa Email", { email: "Rosa.Known@example.org" });
  const byPhone = await made("Rosa Phone", { phones: [{ number: "+5511911112222" }] });
  const byBirth = await made("Lima Rosa", { birthdate: "1990-01-01" });
  await made("Rosa Lima", { birthdate: "1990-01-02" });
  const sent = await fillIn(service, form, {
    "full-name": "Rosa Lima",
    "email": "rosa.known@example.org",
    "phone": "+5511911112222",
    "born": "1990-01-01",
  });
  const { attributes, relationships } = one(sent);
  assert.equal(attributes["match"], "suggested");
  const suggested = relationships["suggested-people"]?.data as { id: string }[];
  assert.deepEqual(suggested.map(({ id }) => id).sort(), [byEmail, byPhone, byBirth].sort());
  // The person of the same name comes first.
  assert.equal(suggested[0]?.id, byBirth);
  assert.deepEqual(attributes["suggested-changes"], {
    "full-name": { from: "Lima Rosa", to: "Rosa Lima" },
    "email": { from: null, to: "rosa.known@example.org" },
    "phone": { from: null, to: "+5511911112222" },
  });
  const matched = await service.get(
    `/v1/form-submissions?filter[match]=suggested&filter[form]=${form}`,
  );
  assert.deepEqual(ids(matched), [one(sent).id]);
  // The answer to the choice of another person compares with that person.
  const chosen = { data: { type: "people", id: byPhone } };
  const { id } = one(sent);
  const linked = one(
    await service.patch(
      `/v1/form-submissions/${id}`,
      document("form-submissions", {}, { id, relationships: { person: chosen } }),
    ),
  );
  const changes = linked.attributes["suggested-changes"] as Record<string, { from: unknown }>;
  assert.equal(changes["full-name"]?.from, "Rosa Phone");
  const unlinked = document(
    "form-submissions",
    {},
    { id, relationships: { person: { data: null } } },
  );
  assert.equal((await service.patch(`/v1/form-submissions/${id}`, unlinked)).status, 200);
  // A deleted person is suggested no longer.
  assert.equal((await service.delete(`/v1/people/${byBirth}`)).status, 204);
  const left = one(await service.get(`/v1/form-submissions/${one(sent).id}`));
  assert.equal((left.relationships["suggested-people"]?.data as unknown[] | undefined)?.length, 2);
  assert.equal(JSON.stringify(left.attributes).includes("Lima Rosa"), false);
});

test("200 · only readers of a person's details see what would change, and no event does", async () => {
  const manager = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: manager.id, role: "form-manager" });
  await makePerson(db, account.id, { fullName: "Secret Name", email: "secret@example.org" });
  const form = await makeForm(service);
  const sent = await fillIn(
    service,
    form,
    { "full-name": "Ana", "email": "secret@example.org" },
    { as: manager.token },
  );
  assert.equal(sent.text.includes("Secret Name"), false);
  const [event] = await db<{ snapshot: string }[]>`
    select snapshot::text as snapshot from webhook_events
    where account_id = ${account.id} and subject_id = ${one(sent).id}`;
  assert.ok(event?.snapshot.includes("secret@example.org"));
  assert.equal(event?.snapshot.includes("Secret Name"), false);
  assert.ok(
    (await service.get(`/v1/form-submissions/${one(sent).id}`)).text.includes("Secret Name"),
  );
});

test("200 · match follows from the suggested people whom the caller reads, also in filters and events", async () => {
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const coordinator = await makeCoordinator(db, account.id, courseId);
  const { id } = await makePerson(db, account.id, {
    fullName: "Lea Matched",
    email: "lea.matched@example.org",
  });
  const form = await makeForm(service, {}, { course: courseId });
  const answers = { "full-name": "Lea", "email": "lea.matched@example.org" };
  const sent = one(await fillIn(service, form, answers, { as: coordinator.token })).id;
  const seen = async (as?: string) => {
    const by = as === undefined ? {} : { as };
    const path = `/v1/form-submissions/${sent}`;
    const { attributes, relationships } = one(await service.get(path, by));
    const linked = relationships["suggested-people"]?.data as unknown[];
    const related = ids(await service.get(`${path}/suggested-people`, by));
    const included = await service.get(
      `/v1/form-submissions?include=suggested-people&filter[id]=${sent}`,
      by,
    );
    const found = ids(
      await service.get(`/v1/form-submissions?filter[match]=suggested&filter[id]=${sent}`, by),
    );
    const counts = [
      linked.length,
      related.length,
      (included.document.included ?? []).length,
      found.length,
    ];
    assert.equal(new Set(counts).size, 1, `${counts.join()} suggestions`);
    return [
      attributes["match"],
      counts[0],
      Object.keys((attributes["suggested-changes"] as object | undefined) ?? {}),
    ];
  };
  const hidden = ["none", 0, []];
  assert.deepEqual(await seen(coordinator.token), hidden);
  assert.deepEqual(await seen(), ["suggested", 1, ["full-name"]]);
  const enrollment = await makeEnrollment(db, account.id, classId, {
    person_id: id,
    is_accepted: false,
  });
  assert.equal((await service.get(`/v1/people/${id}`, { as: coordinator.token })).status, 200);
  assert.deepEqual(await seen(coordinator.token), hidden);
  await db`
    update course_enrollments set is_accepted = true where account_id = ${account.id} and id = ${enrollment}`;
  assert.deepEqual(await seen(coordinator.token), ["suggested", 1, []]);
});

test("form-submission.updated shows the match as a reader of the account sees it", async () => {
  const { courseId } = await makeOpenClass(db, account.id);
  const coordinator = await makeCoordinator(db, account.id, courseId);
  await makePerson(db, account.id, { email: "max.matched@example.org" });
  const form = await makeForm(service, {}, { course: courseId });
  const answers = { "full-name": "Max", "email": "max.matched@example.org" };
  const { id } = one(await fillIn(service, form, answers, { as: coordinator.token }));
  const body = document("form-submissions", { status: "archived" }, { id });
  const archived = await service.patch(`/v1/form-submissions/${id}`, body, {
    as: coordinator.token,
  });
  assert.deepEqual([archived.status, one(archived).attributes["match"]], [200, "none"]);
  const events = await db<{ match: string }[]>`
    select snapshot::json -> 'attributes' ->> 'match' as match from webhook_events
    where account_id = ${account.id} and subject_id = ${id}`;
  assert.deepEqual(
    events.map(({ match }) => match),
    ["suggested", "suggested"],
  );
});

test("form-submission.created is emitted once, after the submission", async () => {
  const form = await makeForm(service);
  const told = await eventsOf(() => fillIn(service, form, { "full-name": "Ana" }));
  assert.deepEqual(told, ["form-submission.created"]);
  assert.deepEqual(await eventsOf(() => fillIn(service, form, {})), []);
});
