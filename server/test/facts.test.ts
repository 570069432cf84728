import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { makeCell, makeMember } from "./support/cells.ts";
import { sharedDatabase } from "./support/database.ts";
import { makeAccount } from "./support/make.ts";

/** Views and functions that several features read. The tests of types cover what follows from them. */

const { db } = await sharedDatabase();
const account = await makeAccount(db);

test("a person was a member from the day of joining until the day before leaving, except as a visitor", async () => {
  const cell = await makeCell(db, account.id);
  const ended = await makeMember(db, account.id, cell, {
    joined_on: "2026-03-10",
    status: "left",
    left_on: "2026-03-20",
  });
  const active = await makeMember(db, account.id, cell, { joined_on: "2026-03-10" });
  const visitor = await makeMember(db, account.id, cell, {
    joined_on: "2026-03-10",
    cell_role: "visitor",
  });
  const days = ["2026-03-09", "2026-03-10", "2026-03-19", "2026-03-20"];
  const answers = async (inCell: string, person: string) => {
    const rows = await db<{ answer: boolean }[]>`
      select was_member(${account.id}, ${inCell}, ${person}, day::date) as answer
      from unnest(${days}::text[]) with ordinality as given (day, place) order by place`;
    return rows.map(({ answer }) => answer);
  };
  assert.deepEqual(await answers(cell, ended.id), [false, true, true, false]);
  assert.deepEqual(await answers(cell, active.id), [false, true, true, true]);
  assert.deepEqual(await answers(cell, visitor.id), [false, false, false, false]);
  const other = await makeCell(db, account.id);
  assert.deepEqual(await answers(other, active.id), [false, false, false, false]);
});

test("rules about rows are planned as a part of the statement, and never called for each row", async () => {
  const statements = [
    `select age, is_child, public_name from person_facts where account_id = '${account.id}'`,
    `select id from course_enrollments where takes_seat(status) and is_student(status) and is_enrolled(status)`,
    `select id from cell_memberships m where was_membership(m, '2026-03-10') and is_leading_role(m.cell_role)`,
    `select id from cell_attendances where was_present(status)`,
    `select cell_id from active_cell_memberships where is_member or is_leading`,
  ];
  for (const statement of statements) {
    const plan = await db.query<{ "QUERY PLAN": string }[]>(`explain (verbose) ${statement}`);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    assert.doesNotMatch(
      text,
      /(age_of|is_child|takes_seat|is_student|is_enrolled|was_membership|was_present|is_(member|leading)_role)\(/,
    );
  }
});

/** The settings whose default is documented, and their columns in `account_facts`. */
const settings = {
  "child-age-limit": "child_age_limit",
  "first-weekday": "first_weekday",
  "meeting-offerings": "takes_offerings",
  "one-participant-cell": "has_one_participant_cell",
  "password-length-min": "password_length_min",
  "public-area": "has_public_area",
  "public-pages": "has_public_pages",
  "report-due-hours": "report_due_hours",
  "report-edit-days": "report_edit_days",
};

test("an account that sets nothing has the documented settings", async () => {
  const text = await readFile(new URL("../../docs/interface.md", import.meta.url), "utf8");
  const documented = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(
    /`settings\.([\w-]+)`(?:(?!`settings\.).)*?\((\w+)[,)]/g,
  )) {
    assert.equal(documented.get(name) ?? value, value, `${name} has two defaults`);
    documented.set(name, value);
  }
  const { id } = await makeAccount(db);
  await db`update accounts set settings = '{}' where id = ${id}`;
  const [row] = await db`select * from account_facts where account_id = ${id}`;
  const facts = Object.entries(settings).map(([name, column]) => [name, String(row?.[column])]);
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(facts));
});
