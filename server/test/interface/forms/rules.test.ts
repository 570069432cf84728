import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeClass, makeOpenClass, makeCoordinator } from "../../support/courses.ts";
import {
  type Attributes,
  fillIn,
  makeForm,
  makeSubmission,
  nameAndEmail,
  patchForm,
  postForm,
} from "../../support/forms.ts";
import { makeAssignment, makeCourse, makePerson } from "../../support/make.ts";
import {
  type Answer,
  codes,
  ids,
  linkedId,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const admin = account.administrator;

const refused = (answer: Answer) => [answer.status, codes(answer)[0], pointers(answer)[0]];
const readForm = async (id: string, as = admin.token) =>
  one(await service.get(`/v1/forms/${id}`, { as }));

async function makeManager(scope: { scopeType?: string; scopeIds?: string[] } = {}) {
  const person = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: person.id, role: "form-manager", ...scope });
  return person;
}

test("201 · a form begins as the draft of its author, with the defaults and version 1", async () => {
  const answer = await postForm(service, {});
  assert.equal(answer.status, 201, answer.text);
  const form = one(answer);
  assert.partialDeepStrictEqual(form.attributes, {
    "status": "draft",
    "challenge": "pow",
    "retention-days": 365,
    "requires-login": false,
    "confirmation-email": false,
    "version": 1,
    "submissions-count": 0,
    "actions": {
      "create-or-match-person": false,
      "add-to-cell": null,
      "enroll-in-class": null,
      "notify": [],
    },
  });
  assert.equal(linkedId(form, "owner"), admin.id);
  assert.equal(
    one(await postForm(service, {}, { owner: null })).relationships["owner"]?.data,
    null,
  );
});

const text = { key: "one", type: "text", label: "One" };
const size = {
  key: "size",
  type: "select",
  label: "Size",
  options: [
    { value: "s", label: "Small" },
    { value: "other", label: "Other" },
  ],
};

const wrongFields: readonly [told: string, fields: Attributes[], member: string][] = [
  ["a key with capitals", [{ ...text, key: "One" }], "0/key"],
  ["a repeated key", [text, text], "1/key"],
  ["an unknown type", [{ ...text, type: "file" }], "0/type"],
  ["a blank label", [{ ...text, label: " " }], "0/label"],
  ["a label of 301 characters", [{ ...text, label: "x".repeat(301) }], "0/label"],
  ["a help of 501 characters", [{ ...text, help: "x".repeat(501) }], "0/help"],
  ["an unknown member", [{ ...text, placeholder: "Ana" }], "0/placeholder"],
  ["a select without options", [{ ...size, options: undefined }], "0/options"],
  ["options of a text", [{ ...text, options: size.options }], "0/options"],
  ["a repeated option", [{ ...size, options: [size.options[0], size.options[0]] }], "0/options"],
  ["a range of a text", [{ ...text, min: 1 }], "0/min"],
  ["a date as the range of a number", [{ ...text, type: "number", min: "2026-01-01" }], "0/min"],
  ["a day that does not exist", [{ ...text, type: "date", max: "2026-02-30" }], "0/max"],
  ["a range that ends before it begins", [{ ...text, type: "number", min: 5, max: 4 }], "0/max"],
  ["a length of a date", [{ ...text, type: "date", "max-length": 10 }], "0/max-length"],
  ["a required heading", [{ ...text, type: "heading", required: true }], "0/required"],
  ["an attribute that no form writes", [{ ...text, "maps-to": "membership-status" }], "0/maps-to"],
  ["a member of Object", [{ ...text, "maps-to": "constructor" }], "0/maps-to"],
  ["a type that does not fit the attribute", [{ ...text, "maps-to": "email" }], "0/maps-to"],
  ["options that the attribute lacks", [{ ...size, "maps-to": "sex" }], "0/maps-to"],
  [
    "two fields for one attribute",
    [
      { ...text, "maps-to": "full-name" },
      { ...text, key: "two", "maps-to": "full-name" },
    ],
    "1/maps-to",
  ],
  ["an absent custom field", [{ ...text, "maps-to": "custom-properties.none" }], "0/maps-to"],
  ["a condition on itself", [{ ...text, "show-if": { field: "one", equals: "x" } }], "0/show-if"],
  [
    "a condition on a later field",
    [{ ...text, "show-if": { field: "size", equals: "s" } }, size],
    "0/show-if",
  ],
  [
    "a condition that no answer meets",
    [size, { ...text, "show-if": { field: "size", equals: "xl" } }],
    "1/show-if",
  ],
];

test("422 · every fault of a field is reported at its member", async () => {
  for (const [told, fields, member] of wrongFields) {
    const answer = await postForm(service, { fields });
    assert.equal(answer.status, 422, `${told}: ${answer.text}`);
    assert.deepEqual(pointers(answer), [`/data/attributes/fields/${member}`], told);
  }
  for (const fields of [[], Array.from({ length: 61 }, (_, n) => ({ ...text, key: `k${n}` }))])
    assert.deepEqual(pointers(await postForm(service, { fields })), ["/data/attributes/fields"]);
});

test("422 · the faults of several fields are reported together", async () => {
  const fields = [
    { ...text, type: "file" },
    { ...size, options: undefined },
    { ...text, key: "B" },
  ];
  assert.deepEqual(
    new Set(pointers(await postForm(service, { fields }))),
    new Set([
      "/data/attributes/fields/0/type",
      "/data/attributes/fields/1/options",
      "/data/attributes/fields/2/key",
    ]),
  );
});

test("403 · a field maps only to custom fields that the author may write", async () => {
  const definitions = {
    people: {
      "open-field": { type: "string" },
      "staff-field": { type: "string", "write-access": "staff" },
      "secret-field": { type: "string", "read-access": "staff", "write-access": "staff" },
    },
  };
  const defined = await service.patch(`/v1/accounts/${account.id}`, {
    data: { type: "accounts", id: account.id, attributes: { "custom-properties": definitions } },
  });
  assert.equal(defined.status, 200, defined.text);
  const manager = await makeManager();
  const mapped = (name: string) => [{ ...text, "maps-to": `custom-properties.${name}` }];
  const post = (name: string, as?: string) =>
    postForm(service, { fields: mapped(name) }, as ? { as } : {});
  assert.equal((await post("open-field", manager.token)).status, 201);
  const pointer = "/data/attributes/fields/0/maps-to";
  assert.deepEqual(refused(await post("staff-field", manager.token)), [403, "forbidden", pointer]);
  assert.deepEqual(refused(await post("secret-field", manager.token)), [
    422,
    "invalid-attribute",
    pointer,
  ]);
  // The manager can still change a form to which an administrator gave the field.
  const form = one(await post("staff-field")).id;
  const fields = [...mapped("staff-field"), { ...text, key: "two" }];
  const changed = await patchForm(service, form, { fields }, { as: manager.token });
  assert.equal(changed.status, 200, changed.text);
});

test("409 · a slug is unique, and 422 · has the form of an address", async () => {
  assert.equal((await postForm(service, { slug: "a-1" })).status, 201);
  assert.deepEqual(refused(await postForm(service, { slug: "a-1" })), [
    409,
    "already-exists",
    "/data/attributes/slug",
  ]);
  for (const slug of ["A", "-a", "a-", "a--b", "a b", "x".repeat(81), ""])
    assert.equal((await postForm(service, { slug })).status, 422, slug);
});

test("403 · the place of a form is in the scope of its author, or the whole account", async () => {
  const { courseId } = await makeOpenClass(db, account.id);
  const coordinator = await makeCoordinator(db, account.id, courseId);
  const as = coordinator.token;
  assert.equal((await postForm(service, {}, { as, course: courseId })).status, 201);
  assert.equal((await postForm(service, {}, { as })).status, 403);
  const other = await makeCourse(db, account.id);
  assert.equal((await postForm(service, {}, { as, course: other })).status, 403);
  const cell = await makeCell(db, account.id);
  assert.equal((await postForm(service, {}, { cell, course: courseId })).status, 422);
  const form = await makeForm(service, {}, { course: courseId });
  const moved = await patchForm(
    service,
    form,
    {},
    {
      relationships: { course: { data: { type: "courses", id: other } } },
    },
  );
  assert.deepEqual(refused(moved), [422, "read-only-attribute", "/data/relationships/course"]);
});

test("403 · an author names only cells and classes in which they may place people", async () => {
  const cell = await makeCell(db, account.id);
  const { classId } = await makeOpenClass(db, account.id);
  const manager = await makeManager();
  const post = (actions: Attributes, as = manager.token) =>
    postForm(service, { actions: { "create-or-match-person": true, ...actions } }, { as });
  const at = (name: string) => `/data/attributes/actions/${name}`;
  assert.deepEqual(refused(await post({ "add-to-cell": cell })), [
    403,
    "forbidden",
    at("add-to-cell"),
  ]);
  assert.deepEqual(refused(await post({ "enroll-in-class": classId })), [
    403,
    "forbidden",
    at("enroll-in-class"),
  ]);
  // An absent cell gets the same answer as a hidden one.
  assert.equal((await post({ "add-to-cell": admin.id })).status, 403);
  // A participant of the cell has no rights there.
  const participant = await makeMember(db, account.id, cell);
  await makeAssignment(db, account.id, { personId: participant.id, role: "form-manager" });
  assert.equal((await post({ "add-to-cell": cell }, participant.token)).status, 403);
  assert.equal((await post({ "add-to-cell": cell }, admin.token)).status, 201);
  assert.deepEqual(refused(await post({ "add-to-cell": admin.id }, admin.token)), [
    422,
    "invalid-attribute",
    at("add-to-cell"),
  ]);
});

test("422 · placing people needs create-or-match-person, and notify names people whom the author sees", async () => {
  const cell = await makeCell(db, account.id);
  const alone = await postForm(service, { actions: { "add-to-cell": cell } });
  assert.deepEqual(pointers(alone), ["/data/attributes/actions/add-to-cell"]);
  const other = await makePerson(db, account.id);
  const manager = await makeManager();
  const post = (notify: string[], as: string) => postForm(service, { actions: { notify } }, { as });
  assert.equal((await post([manager.id], manager.token)).status, 201);
  assert.deepEqual(pointers(await post([manager.id, other.id], manager.token)), [
    "/data/attributes/actions/notify/1",
  ]);
  const eleven = Array.from({ length: 11 }, () => other.id);
  assert.equal((await post(eleven, admin.token)).status, 422);
});

test("200 · a deleted cell, class and person leave the actions of a form", async () => {
  const cell = await makeCell(db, account.id);
  const course = await makeCourse(db, account.id);
  const classId = await makeClass(db, account.id, course);
  const person = await makePerson(db, account.id);
  const actions = {
    "create-or-match-person": true,
    "add-to-cell": cell,
    "enroll-in-class": classId,
    "notify": [person.id],
  };
  const form = await makeForm(service, { actions }, { owner: person.id });
  assert.deepEqual((await readForm(form)).attributes["actions"], actions);
  for (const path of [`cells/${cell}`, `course-classes/${classId}`, `people/${person.id}`])
    assert.equal((await service.delete(`/v1/${path}`)).status, 204, path);
  const left = await readForm(form);
  assert.deepEqual(left.attributes["actions"], {
    "create-or-match-person": true,
    "add-to-cell": null,
    "enroll-in-class": null,
    "notify": [],
  });
  assert.equal(left.relationships["owner"]?.data, null);
  const same = await patchForm(service, form, { actions: left.attributes["actions"] });
  assert.equal(one(same).attributes["modified-at"], left.attributes["modified-at"]);
});

test("200 · a merge passes forms and mails about them to the kept person", async () => {
  const [kept, removed] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const form = await makeForm(
    service,
    { actions: { notify: [removed.id] } },
    { owner: removed.id },
  );
  const submission = one(
    await fillIn(service, form, { "full-name": "Ana" }, { person: removed.id }),
  ).id;
  const merged = await service.post("/v1/person-merges", {
    data: {
      type: "person-merges",
      relationships: {
        kept: { data: { type: "people", id: kept.id } },
        removed: { data: [{ type: "people", id: removed.id }] },
      },
    },
  });
  assert.equal(merged.status, 201, merged.text);
  const { attributes, relationships } = await readForm(form);
  assert.deepEqual((attributes["actions"] as Attributes)["notify"], [kept.id]);
  assert.deepEqual(relationships["owner"]?.data, { type: "people", id: kept.id });
  const own = one(await service.get(`/v1/form-submissions/${submission}`));
  assert.equal(linkedId(own, "person"), kept.id);
});

test("200 · fields and notice make versions, which keep what was asked", async () => {
  const form = await makeForm(service);
  const versions = async () =>
    many(await service.get(`/v1/form-versions?filter[form]=${form}&sort=number`)).map(
      ({ attributes }) => [attributes["number"], attributes["privacy-notice"]],
    );
  for (const attributes of [
    { name: "Welcome" },
    { fields: nameAndEmail },
    { "privacy-notice": "We keep it." },
    { "privacy-notice": "We keep it." },
    { fields: [text] },
  ])
    assert.equal((await patchForm(service, form, attributes)).status, 200);
  assert.equal((await readForm(form)).attributes["version"], 3);
  assert.deepEqual(await versions(), [
    [1, null],
    [2, "We keep it."],
    [3, "We keep it."],
  ]);
  const second = await service.get(`/v1/form-versions?filter[form]=${form}&filter[number]=2`);
  assert.deepEqual(
    (many(second)[0]?.attributes["fields"] as Attributes[] | undefined)?.map(({ key }) => key),
    ["full-name", "email"],
  );
  assert.equal((await service.post("/v1/form-versions", {})).status, 405);
});

test("409 · a form with a submission is never a draft again", async () => {
  const form = await makeForm(service);
  const set = (status: string) => patchForm(service, form, { status });
  for (const status of ["draft", "closed", "draft", "open"])
    assert.equal((await set(status)).status, 200, status);
  await makeSubmission(service, form, { "full-name": "Ana" });
  const answer = await set("draft");
  assert.deepEqual(refused(answer), [409, "invalid-transition", "/data/attributes/status"]);
  assert.deepEqual(answer.document.errors?.[0]?.meta["allowed"], ["closed", "archived"]);
  assert.equal((await set("archived")).status, 200);
  assert.equal((await set("open")).status, 409);
  assert.equal((await set("closed")).status, 200);
});

test("204 · only forms:delete deletes a form, with its submissions and versions", async () => {
  const form = await makeForm(service);
  const submission = await makeSubmission(service, form, { "full-name": "Ana" });
  const manager = await makeManager();
  const path = `/v1/forms/${form}`;
  assert.equal((await service.delete(path, { as: manager.token })).status, 403);
  assert.equal((await service.delete(path)).status, 204);
  assert.equal((await service.get(`/v1/form-submissions/${submission}`)).status, 404);
  assert.deepEqual(ids(await service.get(`/v1/form-versions?filter[form]=${form}`)), []);
});

test("422 · a form closes after it opens, and keeps submissions for 30 to 1,825 days", async () => {
  const times = { "opens-at": "2026-05-02T00:00:00.000Z", "closes-at": "2026-05-01T00:00:00.000Z" };
  assert.deepEqual(pointers(await postForm(service, times)), ["/data/attributes/closes-at"]);
  for (const [name, value] of [
    ["retention-days", 29],
    ["retention-days", 1_826],
    ["max-submissions", 0],
    ["challenge", "provider"],
  ] as const)
    assert.deepEqual(pointers(await postForm(service, { [name]: value })), [
      `/data/attributes/${name}`,
    ]);
});

test("200 · every person reads open forms that ask for a log-in, in the reduced view", async () => {
  const cell = await makeCell(db, account.id);
  const member = await makeMember(db, account.id, cell);
  const person = await makePerson(db, account.id);
  const login = { "requires-login": true };
  const shown = await makeForm(service, login);
  const ofCell = await makeForm(service, login, { cell });
  const hidden = [
    await makeForm(service),
    one(await postForm(service, login)).id,
    await makeForm(service, { status: "archived", ...login }),
  ];
  const status = async (id: string, as: string) =>
    (await service.get(`/v1/forms/${id}`, { as })).status;
  assert.equal(await status(shown, person.token), 200);
  assert.equal(await status(ofCell, person.token), 404);
  assert.equal(await status(ofCell, member.token), 200);
  for (const id of hidden) assert.equal(await status(id, person.token), 404);
  for (const id of [shown, ofCell]) {
    const { attributes, relationships } = await readForm(id, member.token);
    assert.ok(attributes["fields"]);
    assert.equal(attributes["actions"], undefined);
    assert.equal(attributes["submissions-count"], undefined);
    assert.equal(relationships, undefined);
  }
});

test("200 · leaders read the forms of their cell, and secretaries all; neither changes them", async () => {
  const cell = await makeCell(db, account.id);
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const form = await makeForm(service, {}, { cell });
  const other = await makeForm(service);
  const read = async (id: string, as: string) =>
    (await service.get(`/v1/forms/${id}`, { as })).status;
  assert.deepEqual([await read(form, leader.token), await read(other, leader.token)], [200, 404]);
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  assert.equal(await read(other, secretary.token), 200);
  for (const as of [leader.token, secretary.token])
    assert.equal((await patchForm(service, form, { name: "Other" }, { as })).status, 403);
});
