import assert from "node:assert/strict";
import { after, test } from "node:test";
import { json } from "../../../src/store/sql.ts";
import { newId } from "../../../src/base/ids.ts";
import {
  makeAccount,
  makeAssignment,
  makeEndpoint,
  makePerson,
  makeRow,
  type Member,
} from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
await makeEndpoint(db, account.id, { events: ["note.created"] });

const SECRET = "She told me in confidence.";

const newPerson = () => makePerson(db, account.id);
const newCell = (parent: string | null = null) =>
  makeRow(db, "cells", account.id, { name: "North", parent_id: parent });
const join = (cell_id: string, person_id: string, cell_role = "participant") =>
  makeRow(db, "cell_memberships", account.id, { cell_id, person_id, cell_role });
const staff = async (role: string) => {
  const person = await newPerson();
  await makeAssignment(db, account.id, { personId: person.id, role });
  return person;
};

interface Linked {
  type?: string;
  assignee?: string;
}

const write = (
  about: string,
  as: Member,
  attributes: Record<string, unknown> = {},
  { assignee, type = "people" }: Linked = {},
) =>
  service.post(
    "/v1/notes",
    document(
      "notes",
      { text: SECRET, ...attributes },
      {
        relationships: {
          about: { data: { type, id: about } },
          ...(assignee !== undefined && { assignee: { data: { type: "people", id: assignee } } }),
        },
      },
    ),
    { as: as.token },
  );

const change = (
  id: string,
  as: Member,
  attributes: Record<string, unknown>,
  assignee?: string | null,
) =>
  service.patch(
    `/v1/notes/${id}`,
    document("notes", attributes, {
      id,
      ...(assignee !== undefined && {
        relationships: {
          assignee: { data: assignee === null ? null : { type: "people", id: assignee } },
        },
      }),
    }),
    { as: as.token },
  );

const confessor = await makeRow(db, "roles", account.id, {
  name: "Confessor",
  permissions: json(["note-confidential:read"]),
});
/** Lets a person read the confidential notes of a scope, by default those of the account. */
const letRead = (person_id: string, columns: Record<string, string | readonly string[]> = {}) =>
  makeRow(db, "role_assignments", account.id, {
    person_id,
    role_id: confessor,
    scope_type: "account",
    ...columns,
  });

/** Whether a person sees a note: by its id, in the list and its total, and through the filter. */
async function sees(as: Member, id: string): Promise<boolean> {
  const { token } = as;
  const read = await service.get(`/v1/notes/${id}`, { as: token });
  const list = await service.get("/v1/notes?page[size]=100", { as: token });
  const found = await service.get(`/v1/notes?filter[id]=${id}`, { as: token });
  assert.ok([200, 404].includes(read.status), read.text);
  assert.equal(list.document.meta?.["total"], ids(list).length);
  const answers = [read.status === 200, ids(list).includes(id), ids(found).includes(id)];
  assert.equal(new Set(answers).size, 1, "the routes agree");
  return read.status === 200;
}

const administrator = account.administrator;
const secretary = await staff("secretary");
const cell = await newCell();
const [leader, member] = [await newPerson(), await newPerson()];
await join(cell, leader.id, "leader");
await join(cell, member.id);
const otherLeader = await newPerson();
await join(await newCell(), otherLeader.id, "leader");

test("201 · a note is about a person, a household or a cell, and shows its author", async () => {
  const household = await makeRow(db, "households", account.id, { name: "Family Lima" });
  for (const [type, id] of [
    ["people", member.id],
    ["households", household],
    ["cells", cell],
  ] as const) {
    const made = await write(id, secretary, {}, { type });
    assert.equal(made.status, 201, made.text);
    const note = one(made);
    assert.deepEqual(note.relationships["about"]?.data, { type, id });
    assert.deepEqual(note.relationships["author"]?.data, { type: "people", id: secretary.id });
    assert.equal(note.attributes["visibility"], "scope");
    const related = await service.get(`/v1/notes/${note.id}/about`);
    assert.deepEqual([one(related).type, one(related).id], [type, id]);
    const linkage = await service.get(`/v1/notes/${note.id}/relationships/about`);
    assert.deepEqual(linkage.document.data, { type, id });
    const list = await service.get(`/v1/notes?filter[about]=${id}&include=about`);
    assert.ok(ids(list).includes(note.id));
    assert.ok(list.document.included?.some((each) => each.type === type && each.id === id));
  }
});

test("422 · the subject is required, of a known type, and exists", async () => {
  const without = document("notes", { text: "Text" });
  assert.deepEqual(pointers(await service.post("/v1/notes", without)), [
    "/data/relationships/about",
  ]);
  const course = await write(newId(), administrator, {}, { type: "courses" });
  assert.deepEqual(pointers(course), ["/data/relationships/about/data/type"]);
  for (const [type, id] of [
    ["people", newId()],
    ["cells", newId()],
    ["cells", member.id],
    ["people", other.administrator.id],
  ] as const) {
    const absent = await write(id, administrator, {}, { type });
    assert.deepEqual([absent.status, ...codes(absent)], [422, "invalid-relationship"]);
    assert.ok(!absent.text.includes(SECRET), "the error does not repeat the text");
  }
});

test("403 · leaders write notes about people and cells of their scope only, members none", async () => {
  assert.equal((await write(member.id, leader)).status, 201);
  assert.equal((await write(cell, leader, {}, { type: "cells" })).status, 201);
  const household = await makeRow(db, "households", account.id, { name: "Family Lima" });
  const stranger = await newPerson();
  const refused: Promise<Answer>[] = [
    write(stranger.id, leader),
    write(newId(), leader),
    write(household, leader, {}, { type: "households" }),
    write(member.id, otherLeader),
    write(cell, otherLeader, {}, { type: "cells" }),
    write(member.id, member),
  ];
  for (const answer of await Promise.all(refused))
    assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], answer.text);
});

test("200 · confidential: only the author and people with note-confidential:read, full administrators included", async () => {
  const { id } = one(await write(member.id, secretary, { visibility: "confidential" }));
  assert.ok(await sees(secretary, id));
  const pastor = await staff("pastor");
  for (const reader of [administrator, leader, pastor]) assert.ok(!(await sees(reader, id)));
  for (const path of [`/v1/notes/${id}/about`, `/v1/notes/${id}/relationships/author`])
    assert.equal((await service.get(path)).status, 404);
  assert.equal((await change(id, administrator, { text: "Mine" })).status, 404);
  assert.equal((await service.delete(`/v1/notes/${id}`)).status, 404);

  const reader = await newPerson();
  await letRead(reader.id, { valid_until: "2020-01-01" });
  assert.ok(!(await sees(reader, id)), "the assignment has ended");
  await letRead(reader.id);
  assert.ok(await sees(reader, id));
  const assignment = await letRead(administrator.id);
  assert.ok(await sees(administrator, id));
  const another = one(await write(member.id, secretary, { visibility: "confidential" })).id;
  assert.equal((await service.delete(`/v1/notes/${another}`, { as: reader.token })).status, 403);
  assert.equal((await service.delete(`/v1/notes/${another}`)).status, 204);
  await db`delete from role_assignments where account_id = ${account.id} and id = ${assignment}`;

  const [inside, outside] = [await newPerson(), await newPerson()];
  await letRead(inside.id, { scope_type: "cell", scope_ids: [cell] });
  await letRead(outside.id, { scope_type: "cell", scope_ids: [await newCell()] });
  assert.ok(await sees(inside, id));
  assert.ok(!(await sees(outside, id)));
});

test("403 · 404 · a removed leader keeps reading what they wrote and nothing else", async () => {
  const [former, someone, place] = [await newPerson(), await newPerson(), await newCell()];
  const membership = await join(place, former.id, "leader");
  await join(place, someone.id);
  const own = one(await write(someone.id, former)).id;
  const theirs = one(await write(someone.id, secretary)).id;
  assert.ok(await sees(former, theirs));
  await db`
    update cell_memberships set status = 'left', left_on = now(), left_reason = 'other'
    where account_id = ${account.id} and id = ${membership}`;
  assert.ok(!(await sees(former, theirs)));
  assert.ok(await sees(former, own));
  assert.equal((await change(own, former, { text: "Later" })).status, 403);
  assert.equal((await service.delete(`/v1/notes/${own}`, { as: former.token })).status, 403);
  assert.equal((await write(someone.id, former)).status, 403);
});

test("200 · a follow-up is open until it is done, and needs a day", async () => {
  const { id, attributes } = one(
    await write(member.id, secretary, { "follow-up-on": "2026-12-01" }),
  );
  assert.equal(attributes["follow-up-status"], "open");
  const changed = async (sent: Record<string, unknown>) => change(id, secretary, sent);
  await changed({ "follow-up-status": "done" });
  const later = one(await changed({ "follow-up-on": "2026-12-08" }));
  assert.equal(later.attributes["follow-up-status"], "done");
  const due = async (day: string) =>
    ids(await service.get(`/v1/notes?filter[follow-up-until]=${day}&filter[about]=${member.id}`));
  assert.ok((await due("2026-12-08")).includes(id));
  assert.ok(!(await due("2026-12-07")).includes(id));
  assert.deepEqual(pointers(await changed({ "follow-up-status": null })), [
    "/data/attributes/follow-up-status",
  ]);
  const none = one(await changed({ "follow-up-on": null }));
  assert.equal(none.attributes["follow-up-status"], null);
  const without = await write(member.id, secretary, { "follow-up-status": "open" });
  assert.deepEqual(pointers(without), ["/data/attributes/follow-up-status"]);
});

test("200 · note.created carries ids only, and other writes of notes have no event", async () => {
  let id = "";
  const told = await eventsOf(async () => {
    id = one(await write(member.id, secretary, { kind: "call", visibility: "confidential" })).id;
    await change(id, secretary, { text: "Changed" });
    await service.delete(`/v1/notes/${id}`, { as: secretary.token });
  });
  assert.deepEqual(told, ["note.created"]);
  const [event] = await db<{ snapshot: string }[]>`
    select snapshot::text as snapshot from webhook_events
    where account_id = ${account.id} and subject_id = ${id}`;
  const { attributes, relationships } = JSON.parse(event?.snapshot ?? "") as Record<string, object>;
  assert.deepEqual(attributes, {});
  assert.partialDeepStrictEqual(relationships, {
    about: { data: { type: "people", id: member.id } },
    author: { data: { type: "people", id: secretary.id } },
  });
});

test("204 · the notes about a deleted person and their history are deleted; those they wrote stay", async () => {
  const [author, subject] = [await staff("secretary"), await newPerson()];
  const about = one(await write(subject.id, author)).id;
  const elsewhere = one(await write(member.id, author)).id;
  await service.delete(`/v1/people/${subject.id}`);
  assert.equal((await service.get(`/v1/notes/${about}`)).status, 404);
  const events = await db`
    select from webhook_events where account_id = ${account.id} and subject_id = ${about}`;
  assert.equal(events.length, 0);
  assert.equal((await service.delete(`/v1/people/${author.id}`)).status, 204);
  const left = one(await service.get(`/v1/notes/${elsewhere}`));
  assert.equal(left.relationships["author"]?.data, null);
});

test("200 · after a merge, the kept person has the notes about and by the removed person", async () => {
  const [kept, removed] = [await staff("secretary"), await staff("secretary")];
  const about = one(await write(removed.id, secretary)).id;
  const own = one(await write(member.id, removed, { visibility: "staff" })).id;
  const people = (id: string) => ({ type: "people", id });
  const merged = await service.post(
    "/v1/person-merges",
    document(
      "person-merges",
      {},
      {
        relationships: { kept: { data: people(kept.id) }, removed: { data: [people(removed.id)] } },
      },
    ),
  );
  assert.equal(merged.status, 201, merged.text);
  assert.partialDeepStrictEqual(one(merged).attributes["moved-counts"], { notes: 1 });
  const list = await service.get(`/v1/notes?filter[about]=${kept.id}`);
  assert.deepEqual(ids(list), [about]);
  assert.ok(await sees(kept, own));
  assert.equal((await change(own, kept, { text: "Still mine" })).status, 200);
});

test("422 · a scoped author assigns only people they can read", async () => {
  const stranger = await newPerson();
  const refused = await write(member.id, leader, {}, { assignee: stranger.id });
  assert.deepEqual(pointers(refused), ["/data/relationships/assignee/data"]);
  assert.equal((await write(member.id, leader, {}, { assignee: member.id })).status, 201);
});

test("200 · the assignee and the office finish a follow-up, and pass it on while it is open", async () => {
  const [author, assignee, next, office, member] = [
    await staff("pastor"),
    await newPerson(),
    await newPerson(),
    await staff("secretary"),
    await newPerson(),
  ];
  const day = { "follow-up-on": "2026-12-01" };
  const noteOf = async (attributes: Record<string, unknown> = {}) => {
    const answer = await write(
      member.id,
      author,
      { ...day, ...attributes },
      { assignee: assignee.id },
    );
    assert.equal(answer.status, 201, answer.text);
    return one(answer).id;
  };
  const statusOf = async (...given: Parameters<typeof change>) => (await change(...given)).status;

  for (const visibility of ["scope", "staff", "confidential"]) {
    const id = await noteOf({ visibility });
    assert.equal((await service.get(`/v1/notes/${id}`, { as: assignee.token })).status, 200);
    const done = await change(id, assignee, { "follow-up-status": "done" });
    assert.equal(done.status, 200, done.text);
    assert.equal(one(done).attributes["follow-up-status"], "done");
    // A person in the office finishes the notes that they can see.
    const seen = visibility === "confidential" ? 404 : 200;
    assert.equal(await statusOf(id, office, { "follow-up-status": "open" }), seen);
    assert.equal(await statusOf(id, next, { "follow-up-status": "open" }), 404);
  }

  const id = await noteOf();
  for (const as of [assignee, office]) {
    assert.equal(await statusOf(id, as, { text: "Changed" }), 403);
    assert.equal(await statusOf(id, as, { "follow-up-on": "2027-01-01" }), 403);
    assert.equal(
      await statusOf(id, as, { "follow-up-status": "done", "visibility": "staff" }),
      403,
    );
  }
  assert.equal((await service.delete(`/v1/notes/${id}`, { as: assignee.token })).status, 403);
  assert.equal(await statusOf(id, assignee, { "follow-up-status": "done" }), 200);
  assert.equal(
    await statusOf(id, office, {}, next.id),
    403,
    "a finished follow-up stays where it is",
  );
  assert.equal(await statusOf(id, assignee, { "follow-up-status": "open" }), 200);
  assert.equal(await statusOf(id, office, {}, next.id), 200);
  assert.equal((await service.get(`/v1/notes/${id}`, { as: next.token })).status, 200);
  assert.equal(await statusOf(id, assignee, { "follow-up-status": "done" }), 404);
  assert.equal(await statusOf(id, next, {}, null), 200);
  assert.equal((await service.get(`/v1/notes/${id}`, { as: next.token })).status, 404);
  assert.equal(await statusOf(id, author, { text: "Finished" }), 200);
});

test("403 · only the author passes on the follow-up of a confidential note", async () => {
  const [author, assignee, next, reader] = [
    await staff("pastor"),
    await staff("secretary"),
    await newPerson(),
    await staff("secretary"),
  ];
  await letRead(reader.id);
  const attributes = { "follow-up-on": "2026-12-01", "visibility": "confidential" };
  const { id } = one(await write(member.id, author, attributes, { assignee: assignee.id }));
  for (const as of [assignee, reader])
    for (const to of [next.id, as.id, null]) {
      const refused = await change(id, as, {}, to);
      assert.deepEqual([refused.status, ...codes(refused)], [403, "forbidden"], refused.text);
      assert.deepEqual(pointers(refused), ["/data/relationships/assignee"]);
    }
  assert.ok(!(await sees(next, id)));
  assert.equal((await change(id, reader, { "follow-up-status": "done" })).status, 200);
  assert.equal((await change(id, author, {}, next.id)).status, 200);
  assert.ok(await sees(next, id));
  assert.ok(!(await sees(assignee, id)));
});

test("422 · a confidential note is never assigned to the person it is about", async () => {
  const [author, subject] = [await staff("pastor"), await newPerson()];
  const assertRefused = (answer: Answer) => {
    assert.deepEqual([answer.status, ...codes(answer)], [422, "invalid-relationship"], answer.text);
    assert.deepEqual(pointers(answer), ["/data/relationships/assignee/data"]);
  };
  const confidential = { visibility: "confidential" };
  assertRefused(await write(subject.id, author, confidential, { assignee: subject.id }));
  const { id } = one(await write(subject.id, author, confidential));
  assertRefused(await change(id, author, {}, subject.id));
  assert.ok(!(await sees(subject, id)));

  const open = one(await write(subject.id, author, {}, { assignee: subject.id })).id;
  assertRefused(await change(open, author, confidential));
  assert.equal((await change(open, author, confidential, null)).status, 200);
  assert.ok(!(await sees(subject, open)));
  const back = await change(open, author, { visibility: "staff" }, subject.id);
  assert.equal(back.status, 200, back.text);
});

test("200 · leaders and teachers finish the follow-ups that they can see about their people, and change nothing else", async () => {
  const course_id = await makeRow(db, "courses", account.id, { name: "Basics" });
  const class_id = await makeRow(db, "course_classes", account.id, { course_id, name: "Autumn" });
  const [student, teacher, colleague] = [await newPerson(), await newPerson(), await newPerson()];
  await db`
    insert into course_class_teachers (account_id, class_id, person_id)
    values (${account.id}, ${class_id}, ${teacher.id}), (${account.id}, ${class_id}, ${colleague.id})`;
  await makeRow(db, "course_enrollments", account.id, {
    class_id,
    course_id,
    person_id: student.id,
  });
  const day = { "follow-up-on": "2026-12-01" };
  const done = { "follow-up-status": "done" };
  for (const [subject, type, author, own, outsider] of [
    [member.id, "people", secretary, leader, otherLeader],
    [cell, "cells", secretary, leader, otherLeader],
    [student.id, "people", colleague, teacher, leader],
  ] as const) {
    const { id } = one(await write(subject, author, day, { type }));
    assert.equal((await change(id, outsider, done)).status, 404);
    assert.equal((await change(id, member, done)).status, 404);
    const finished = await change(id, own, done);
    assert.equal(finished.status, 200, finished.text);
    assert.equal(one(finished).attributes["follow-up-status"], "done");
    for (const attributes of [{ text: "Mine" }, { visibility: "staff" }, { kind: "call" }, day])
      assert.equal((await change(id, own, attributes)).status, 403);
    for (const visibility of ["staff", "confidential"]) {
      const hidden = one(await write(subject, author, { ...day, visibility }, { type })).id;
      assert.equal((await change(hidden, own, done)).status, 404);
    }
  }
});

test("403 · a reader of the note without notes:write does not finish its follow-up", async () => {
  const readers = await makeRow(db, "roles", account.id, {
    name: "Reader",
    permissions: json(["notes:read"]),
  });
  const reader = await newPerson();
  await makeRow(db, "role_assignments", account.id, {
    person_id: reader.id,
    role_id: readers,
    scope_type: "cell",
    scope_ids: [cell],
  });
  const { id } = one(await write(member.id, secretary, { "follow-up-on": "2026-12-01" }));
  assert.equal((await service.get(`/v1/notes/${id}`, { as: reader.token })).status, 200);
  assert.equal((await change(id, reader, { "follow-up-status": "done" })).status, 403);
});
