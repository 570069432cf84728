import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass } from "../../support/courses.ts";
import { csv, errorsOf, importing, summary } from "../../support/imports.ts";
import { makeAssignment, makeCourse, makePerson } from "../../support/make.ts";
import { one, startService } from "../../support/service.ts";

/** Imports of enrollments in classes. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);

const mapping = {
  "Mail": "email",
  "Class": "class",
  "Course": "course",
  "Status": "status",
  "Since": "enrolled-at",
};
const header = Object.keys(mapping);
const kind = {
  "kind": "course-enrollments",
  mapping,
  "match-on": ["email"],
  "date-format": "DD/MM/YYYY",
};

const makeKnown = async (name: string) =>
  (await makePerson(db, account.id, { email: `${name}@enrolled.example` })).id;

test("enrollments are created for people who are found, and the undo deletes them", async () => {
  const [first, second] = [
    await makeCourse(db, account.id, "Básico"),
    await makeCourse(db, account.id, "Second"),
  ];
  await makeClass(db, account.id, first, { name: "Tuesday", status: "open" });
  await makeClass(db, account.id, second, {
    name: "Tuesday",
    status: "open",
    seats: 1,
    waitlist_enabled: false,
  });
  await makeClass(db, account.id, second, { name: "Over", status: "finished" });
  for (const name of ["ana", "rui", "eva"]) await makeKnown(name);
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const as = { as: secretary.token };
  const created = await imports.create(kind, as);
  assert.equal(created.status, 201, created.text);
  const { id } = one(created);
  await imports.upload(
    id,
    csv(
      header,
      ["ANA@enrolled.example", "tuesday", "BASICO", "", "03/02/2025"],
      ["rui@enrolled.example", "Tuesday", "Second", "requested", ""],
      ["eva@enrolled.example", "Tuesday", "Second", "ACTIVE", ""],
      ["ana@enrolled.example", "Tuesday", "", "", ""],
      ["rui@enrolled.example", "Over", "", "", ""],
      ["nobody@enrolled.example", "Nowhere", "", "completed", ""],
      ["ana@enrolled.example", "Tuesday", "Básico", "", ""],
      ["ana@enrolled.example", "Tuesday", "Second", "", ""],
    ),
    as,
  );
  const dry = await imports.settled(id);
  assert.deepEqual(errorsOf(dry.rows), [
    [5, "Class", "conflict"],
    [6, "Class", "class-not-open"],
    [7, "Mail", "not-found"],
    [7, "Status", "invalid-attribute"],
    [7, "Class", "invalid-relationship"],
    [8, "Class", "already-exists"],
    [9, "Class", "class-full"],
  ]);
  await imports.act("import-runs", id, as);
  const ran = await imports.settled(id);
  assert.deepEqual(summary(ran.rows).slice(0, 3), [
    [2, "create", "written"],
    [3, "create", "written"],
    [4, "create", "written"],
  ]);
  const stored = await db<Record<string, unknown>[]>`
    select p.email, e.status, e.source, e.enrolled_at::date::text as since from course_enrollments e
    join people p on p.account_id = e.account_id and p.id = e.person_id
    where e.account_id = ${account.id} order by 1`;
  assert.deepEqual(
    stored.map((row) => [row["email"], row["status"], row["source"]]),
    [
      ["ana@enrolled.example", "active", "import"],
      ["eva@enrolled.example", "active", "import"],
      ["rui@enrolled.example", "requested", "import"],
    ],
  );
  assert.equal(stored[0]?.["since"], "2025-02-03");
  await db`
    update course_enrollments set status = 'cancelled', version = version + 1
    where account_id = ${account.id} and status = 'requested'`;
  await imports.act("import-undos", id, as);
  const undone = await imports.settled(id);
  assert.deepEqual(
    undone.rows.slice(0, 3).map(({ attributes }) => attributes["outcome"]),
    ["undone", "kept", "undone"],
  );
});
