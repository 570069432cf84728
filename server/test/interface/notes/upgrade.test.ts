import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeEnrollment, makeOpenClass, makeTeacher } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { makeAccount, makePerson, makeRow } from "../../support/make.ts";

const database = await freshDatabase("its migration changes the notes of all accounts");
after(() => database.close());
const { db } = database;

test("a note from before an upgrade gets the cell or the class where it was written", async () => {
  const { id: accountId } = await makeAccount(db);
  const { classId } = await makeOpenClass(db, accountId);
  const [former, next] = [await makeCell(db, accountId), await makeCell(db, accountId)];
  const leading = { cell_role: "leader", joined_on: "2025-01-01" };
  const leader = await makeMember(db, accountId, former, leading);
  const nextLeader = await makeMember(db, accountId, next, { ...leading, joined_on: "2026-03-01" });
  const teacher = await makeTeacher(db, accountId, classId);
  const office = await makePerson(db, accountId);
  const { id: subject } = await makeMember(db, accountId, former, {
    joined_on: "2025-06-01",
    left_on: "2026-02-01",
    status: "left",
  });
  await join(db, accountId, next, subject, { joined_on: "2026-02-01" });
  await makeEnrollment(db, accountId, classId, {
    person_id: subject,
    enrolled_at: "2026-01-10T00:00:00Z",
  });
  const expected: Record<string, string | null> = {};
  for (const [author, created_at, place] of [
    [leader.id, "2025-12-01T12:00:00Z", former],
    [leader.id, "2026-08-01T12:00:00Z", null],
    [nextLeader.id, "2025-12-01T12:00:00Z", null],
    [nextLeader.id, "2026-04-01T12:00:00Z", next],
    [teacher.id, "2026-02-01T12:00:00Z", classId],
    [teacher.id, "2025-02-01T12:00:00Z", null],
    [office.id, "2026-02-01T12:00:00Z", null],
  ] as const) {
    const note = { text: "Called", about_person_id: subject, author_id: author, created_at };
    expected[await makeRow(db, "notes", accountId, note)] = place;
  }
  const file = new URL("../../../migrations/0018_places_of_notes.sql", import.meta.url);
  const [statement] = /^update [^;]*;/m.exec(await readFile(file, "utf8")) ?? [];
  assert.ok(statement);
  await db.query(statement);
  const notes = await db<{ id: string; placeId: string | null }[]>`
    select id, place_id as "placeId" from notes where account_id = ${accountId}`;
  assert.deepEqual(Object.fromEntries(notes.map(({ id, placeId }) => [id, placeId])), expected);
});
