import assert from "node:assert/strict";
import { after, test } from "node:test";
import { feedOf, told } from "../../support/changes.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson, makeRow, type Member } from "../../support/make.ts";
import { startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const feed = feedOf(service);
const add = (table: string, columns: Record<string, string | boolean | null>) =>
  makeRow(db, table, account.id, columns);

const cell = await makeCell(db, account.id);
const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
const course = await add("courses", { name: "Basics" });
const courseClass = await add("course_classes", { course_id: course, name: "A", status: "open" });
const student = await makePerson(db, account.id);
await add("course_enrollments", {
  course_id: course,
  class_id: courseClass,
  person_id: student.id,
  status: "active",
});
const [author, companion, member] = [
  await makePerson(db, account.id),
  await makePerson(db, account.id),
  await makePerson(db, account.id),
];
const household = await add("households", { name: "Lima" });
await add("household_memberships", { household_id: household, person_id: companion.id });
const counselor = await makePerson(db, account.id);
const confidential = await add("roles", { name: "Counselor" });
await db`
  update roles set permissions = '["notes:read", "note-confidential:read"]' where account_id = ${account.id} and id = ${confidential}`;
await db`
  insert into role_assignments (account_id, id, person_id, role_id, scope_type)
  values (${account.id}, gen_random_uuid(), ${counselor.id}, ${confidential}, 'account')`;
const readers: Record<string, Member> = {
  administrator: account.administrator,
  author,
  companion,
  counselor,
  leader,
  member,
  student,
};

const material = { course_id: course, title: "Text", audience: "student" };
const cases: [what: string, type: string, make: () => Promise<string>, seenBy: string[]][] = [
  [
    "a person in a cell",
    "people",
    async () => (await makeMember(db, account.id, cell)).id,
    ["administrator", "leader"],
  ],
  [
    "a person elsewhere",
    "people",
    async () => (await makePerson(db, account.id)).id,
    ["administrator"],
  ],
  [
    "a note of the staff",
    "notes",
    () =>
      add("notes", {
        text: "Text",
        visibility: "staff",
        author_id: author.id,
        about_person_id: member.id,
      }),
    ["administrator", "author", "counselor"],
  ],
  [
    "a confidential note",
    "notes",
    () =>
      add("notes", {
        text: "Text",
        visibility: "confidential",
        author_id: author.id,
        about_person_id: member.id,
      }),
    ["author", "counselor"],
  ],
  [
    "a membership in a household",
    "household-memberships",
    async () =>
      add("household_memberships", {
        household_id: household,
        person_id: (await makePerson(db, account.id)).id,
      }),
    ["administrator", "companion"],
  ],
  [
    "a session of a class",
    "course-sessions",
    () => add("course_sessions", { course_id: course, class_id: courseClass, date: "2026-03-01" }),
    ["administrator", "student"],
  ],
  [
    "a published material",
    "course-materials",
    () => add("course_materials", { ...material, publish_status: "unlisted" }),
    ["administrator", "student"],
  ],
  [
    "a draft of a material",
    "course-materials",
    () => add("course_materials", { ...material, publish_status: "draft" }),
    ["administrator"],
  ],
  [
    "a public cell",
    "cells",
    async () => makeCell(db, account.id, { is_public: true }),
    Object.keys(readers),
  ],
  ["a cell", "cells", async () => makeCell(db, account.id), ["administrator"]],
  [
    "a role in a cell",
    "role-assignments",
    async () =>
      makeAssignment(db, account.id, {
        personId: (await makePerson(db, account.id)).id,
        role: "cell-trainee",
        scopeType: "cell",
        scopeIds: [cell],
      }),
    ["administrator"],
  ],
];

for (const [what, type, make, seenBy] of cases)
  test(`200 · the deletion of ${what} is shown to its readers alone`, async () => {
    const id = await make();
    const starts = new Map<string, string>();
    for (const [name, reader] of Object.entries(readers)) starts.set(name, await feed.now(reader));
    // The administrator does not read each of the notes.
    if (type === "notes")
      await db`delete from notes where account_id = ${account.id} and id = ${id}`;
    else assert.equal((await service.delete(`/v1/${type}/${id}`)).status, 204);
    const found: string[] = [];
    for (const [name, reader] of Object.entries(readers)) {
      const { changes } = await feed.read(starts.get(name), "", reader);
      if (told(changes).includes(`deleted ${type} ${id}`)) found.push(name);
    }
    assert.deepEqual(found, seenBy.toSorted());
  });
