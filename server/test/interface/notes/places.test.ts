import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import {
  makeCoordinator,
  makeEnrollment,
  makeOpenClass,
  makeTeacher,
} from "../../support/courses.ts";
import { makeAssignment, makePerson, makeRow, type Member } from "../../support/make.ts";
import { document, ids, one, startService } from "../../support/service.ts";
import { to } from "../../support/standings.ts";

/** Notes are read where they were written. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const leaderOf = (cellId: string) => makeMember(db, account.id, cellId, { cell_role: "leader" });

async function write(by: Member, about: string, type = "people"): Promise<string> {
  const note = document("notes", { text: "Called" }, { relationships: { about: to(type, about) } });
  const answer = await service.post("/v1/notes", note, { as: by.token });
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
}

/** The readers of a note among some people, by its id and by the list. */
async function readersOf(id: string, people: Readonly<Record<string, Member>>): Promise<string[]> {
  const readers: string[] = [];
  for (const [name, { token: as }] of Object.entries(people)) {
    const { status } = await service.get(`/v1/notes/${id}`, { as });
    const listed = ids(await service.get(`/v1/notes?filter[id]=${id}`, { as })).includes(id);
    assert.equal(status === 200, listed, name);
    if (listed) readers.push(name);
  }
  return readers;
}

const secretary = await makePerson(db, account.id);
await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });

/** Two cells below one supervision, with leaders, and a member of the first. */
async function makeCells() {
  const supervision = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const [former, next] = [
    await makeCell(db, account.id, { parent_id: supervision }),
    await makeCell(db, account.id, { parent_id: supervision }),
  ];
  const people = {
    supervisor: await leaderOf(supervision),
    formerLeader: await leaderOf(former),
    nextLeader: await leaderOf(next),
    secretary,
  };
  const { id: memberId } = await makePerson(db, account.id);
  const membershipId = await makeRow(db, "cell_memberships", account.id, {
    cell_id: former,
    person_id: memberId,
  });
  return { former, next, people, memberId, membershipId };
}

test("200 · a transfer opens no older notes, and the former cell keeps them", async () => {
  const { former, memberId, membershipId, next, people } = await makeCells();
  const older = {
    formerLeader: await write(people.formerLeader, memberId),
    supervisor: await write(people.supervisor, memberId),
    secretary: await write(people.secretary, memberId),
  };
  const transfer = document(
    "cell-transfers",
    {},
    {
      relationships: {
        "memberships": { data: [{ type: "cell-memberships", id: membershipId }] },
        "to-cell": to("cells", next),
      },
    },
  );
  const done = await service.post("/v1/cell-transfers", transfer);
  assert.equal(done.status, 201, done.text);
  const ofFormerCell = ["supervisor", "formerLeader", "secretary"];
  assert.deepEqual(await readersOf(older.formerLeader, people), ofFormerCell);
  assert.deepEqual(await readersOf(older.supervisor, people), ofFormerCell);
  // A note of the office has no place.
  const ofNextCell = ["supervisor", "nextLeader", "secretary"];
  assert.deepEqual(await readersOf(older.secretary, people), ofNextCell);
  const newer = await write(people.nextLeader, memberId);
  assert.deepEqual(await readersOf(newer, people), ofNextCell);
  // The former leader reaches people who have just left.
  assert.deepEqual(
    await readersOf(await write(people.formerLeader, memberId), people),
    ofFormerCell,
  );
  assert.deepEqual(
    await readersOf(await write(people.supervisor, former, "cells"), people),
    ofFormerCell,
  );
});

test("200 · an enrollment opens no notes of the cell, and the cell reads no notes of the class", async () => {
  const { memberId, people: ofCell } = await makeCells();
  const { classId, courseId } = await makeOpenClass(db, account.id);
  const other = await makeRow(db, "course_classes", account.id, { course_id: courseId, name: "B" });
  const people = {
    ...ofCell,
    teacher: await makeTeacher(db, account.id, classId),
    coordinator: await makeCoordinator(db, account.id, courseId),
    otherTeacher: await makeTeacher(db, account.id, other),
  };
  const older = [await write(people.formerLeader, memberId), await write(secretary, memberId)];
  await makeEnrollment(db, account.id, classId, { person_id: memberId });
  for (const id of older)
    assert.deepEqual(await readersOf(id, people), ["supervisor", "formerLeader", "secretary"]);
  for (const author of [people.teacher, people.coordinator])
    assert.deepEqual(await readersOf(await write(author, memberId), people), [
      "secretary",
      "teacher",
      "coordinator",
    ]);
  // The coordinator writes in the class of the person, and the teacher of another class of the course later gets the person, too.
  await makeEnrollment(db, account.id, other, { person_id: memberId });
  assert.deepEqual(await readersOf(await write(people.otherTeacher, memberId), people), [
    "secretary",
    "coordinator",
    "otherTeacher",
  ]);
});

test("200 · a merge opens no notes of a cell or a class", async () => {
  const { memberId: removedId, people } = await makeCells();
  const note = await write(people.formerLeader, removedId);
  const { memberId: keptId, people: others } = await makeCells();
  const merge = document(
    "person-merges",
    {},
    {
      relationships: {
        kept: to("people", keptId),
        removed: { data: [{ type: "people", id: removedId }] },
      },
    },
  );
  await db`update cell_memberships set cell_role = 'visitor' where account_id = ${account.id} and person_id = ${removedId}`;
  const done = await service.post("/v1/person-merges", merge);
  assert.equal(done.status, 201, done.text);
  assert.deepEqual(await readersOf(note, { ...others, author: people.formerLeader }), [
    "secretary",
    "author",
  ]);
});

test("200 · a note of a deleted cell stays with its author and the office", async () => {
  const { former, memberId, people, next } = await makeCells();
  const note = await write(people.formerLeader, memberId);
  await join(db, account.id, next, memberId, { cell_role: "visitor" });
  const deleted = await service.delete(`/v1/cells/${former}`);
  assert.equal(deleted.status, 204, deleted.text);
  assert.deepEqual(await readersOf(note, people), ["formerLeader", "secretary"]);
});

test("200 · a note about a prospect without a cell belongs to the cell of its author", async () => {
  const { next, people } = await makeCells();
  const prospect = document("people", { "full-name": "Nina New" });
  const made = await service.post("/v1/people", prospect, { as: people.formerLeader.token });
  assert.equal(made.status, 201, made.text);
  const note = await write(people.formerLeader, one(made).id);
  await join(db, account.id, next, one(made).id);
  assert.deepEqual(await readersOf(note, people), ["supervisor", "formerLeader", "secretary"]);
});

test("200 · readers of confidential notes of a cell read those that were written there", async () => {
  const { former, memberId, next, people } = await makeCells();
  const confessor = await makeRow(db, "roles", account.id, {
    name: newId(),
    permissions: json(["note-confidential:read"]),
  } as never);
  const readers: Record<string, Member> = {};
  for (const [name, cellId] of [
    ["there", former],
    ["elsewhere", next],
  ] as const) {
    const reader = await makePerson(db, account.id);
    await makeRow(db, "role_assignments", account.id, {
      person_id: reader.id,
      role_id: confessor,
      scope_type: "cell",
      scope_ids: [cellId],
    });
    readers[name] = reader;
  }
  const about = { about: to("people", memberId) };
  const note = document(
    "notes",
    { text: "Secret", visibility: "confidential" },
    { relationships: about },
  );
  const answer = await service.post("/v1/notes", note, { as: people.formerLeader.token });
  await join(db, account.id, next, memberId, { cell_role: "visitor" });
  assert.deepEqual(await readersOf(one(answer).id, readers), ["there"]);
});
