import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, join, makeCell } from "../../support/cells.ts";
import { csv, errorsOf, importing, summary } from "../../support/imports.ts";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { one, pointers, startService } from "../../support/service.ts";

/** Imports of memberships in cells. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);

const mapping = {
  "Mail": "email",
  "Old": "external-ids.old",
  "Cell": "cell",
  "Role": "cell-role",
  "Since": "joined-on",
  "Status": "status",
  "Until": "left-on",
};
const header = Object.keys(mapping);
const kind = { kind: "cell-memberships", mapping, "match-on": ["email", "external-id"] };

const makeKnown = async (email: string) => (await makePerson(db, account.id, { email })).id;

const membershipsOf = async (personId: string) => {
  const rows = await db<Record<string, string | null>[]>`
    select cells.name as cell, cell_role as role, status, joined_on::text as since, left_on::text as until
    from cell_memberships own join cells on cells.account_id = own.account_id and cells.id = own.cell_id
    where own.account_id = ${account.id} and person_id = ${personId} order by joined_on`;
  return rows.map(({ cell, role, since, status, until }) => [cell, role, status, since, until]);
};

test("memberships are created for people who are found, and the undo deletes them", async () => {
  await makeCell(db, account.id, { name: "Norte" });
  await makeCell(db, account.id, { name: "Sul" });
  const [ana, rui] = [await makeKnown("ana@norte.example"), await makeKnown("rui@norte.example")];
  await db`update people set external_ids = '{"old": "7"}' where id = ${rui}`;
  const file = csv(
    header,
    ["ANA@norte.example", "", "norte", "Co-leader", "2024-03-01", "", ""],
    ["ana@norte.example", "", "Sul", "participant", "2020-01-01", "left", "2023-12-31"],
    ["", "7", "Sul", "participant", "2025-05-05", "", ""],
  );
  const { job, rows } = await imports.rehearse(kind, file);
  assert.deepEqual(errorsOf(rows), []);
  assert.deepEqual(await membershipsOf(ana), []);
  const ran = await imports.run(job.id);
  assert.deepEqual(summary(ran.rows), [
    [2, "create", "written"],
    [3, "create", "written"],
    [4, "create", "written"],
  ]);
  assert.deepEqual(await membershipsOf(ana), [
    ["Sul", "participant", "left", "2020-01-01", "2023-12-31"],
    ["Norte", "co-leader", "active", "2024-03-01", null],
  ]);
  assert.deepEqual(await membershipsOf(rui), [
    ["Sul", "participant", "active", "2025-05-05", null],
  ]);

  const again = await imports.rehearse(kind, file);
  assert.deepEqual(
    again.rows.map(({ attributes }) => attributes["action"]),
    ["skip", "skip", "skip"],
  );

  await db`update cell_memberships set cell_role = 'host', version = 2 where person_id = ${rui}`;
  const undone = await imports.undo(job.id);
  assert.deepEqual(
    undone.rows.map(({ attributes, relationships }) => [
      attributes["outcome"],
      (relationships["person"]?.data as { id: string } | undefined)?.id,
    ]),
    [
      ["undone", ana],
      ["undone", ana],
      ["kept", rui],
    ],
  );
  assert.deepEqual(await membershipsOf(ana), []);
  assert.deepEqual(await membershipsOf(rui), [["Sul", "host", "active", "2025-05-05", null]]);
});

test("the rules of memberships are errors of the dry run", async () => {
  const open = await makeCell(db, account.id, { name: "Open" });
  await makeCell(db, account.id, { name: "Shut", closed_at: "2026-01-01" });
  await makeCell(db, account.id, { name: "Third" });
  const busy = await makeKnown("busy@rules.example");
  await makeKnown("free@rules.example");
  await join(db, account.id, open, busy);
  const [first, second] = [
    await makeKnown("one@rules.example"),
    await makeKnown("two@rules.example"),
  ];
  await db`update people set external_ids = '{"old": "same"}' where id = any(${[first, second]}::uuid[])`;
  const later = await dayFromToday(db, account.id, 9);
  const { rows } = await imports.rehearse(
    kind,
    csv(
      header,
      ["nobody@rules.example", "", "Open", "visitor", "", "", ""],
      ["", "same", "Open", "visitor", "", "", ""],
      ["", "", "Open", "visitor", "", "", ""],
      ["free@rules.example", "", "Nowhere", "visitor", "", "", ""],
      ["free@rules.example", "", "Shut", "visitor", "", "", ""],
      ["free@rules.example", "", "Open", "king", "", "", ""],
      ["free@rules.example", "", "Open", "", "", "", ""],
      ["free@rules.example", "", "", "visitor", "", "", ""],
      ["free@rules.example", "", "Open", "visitor", later, "", ""],
      ["free@rules.example", "", "Open", "visitor", "", "", "2026-01-01"],
      ["busy@rules.example", "", "Third", "participant", "", "", ""],
      ["busy@rules.example", "", "Third", "visitor", "", "", ""],
      ["busy@rules.example", "", "Third", "host", "", "", ""],
      ["free@rules.example", "", "Open", "participant", "", "", ""],
      ["free@rules.example", "", "Third", "participant", "", "", ""],
    ) + "\r\nn\0l@rules.example,n\0l,Open,visitor,,,",
  );
  assert.deepEqual(errorsOf(rows), [
    [2, "Mail", "not-found"],
    [3, null, "conflict"],
    [4, null, "not-found"],
    [5, "Cell", "invalid-relationship"],
    [6, "Cell", "cell-closed"],
    [7, "Role", "invalid-attribute"],
    [8, null, "missing-attribute"],
    [9, null, "missing-attribute"],
    [10, "Since", "invalid-attribute"],
    [11, "Until", "invalid-attribute"],
    [12, "Role", "participant-elsewhere"],
    [14, "Cell", "already-exists"],
    [16, "Role", "participant-elsewhere"],
    [17, "Mail", "invalid-text"],
    [17, "Old", "invalid-text"],
    [17, "Mail", "not-found"],
  ]);
});

test("a secretary imports members, and neither appoints leaders nor dismisses them by an undo", async () => {
  await makeCell(db, account.id, { name: "Led" });
  const [host, leader] = [await makeKnown("host@led.example"), await makeKnown("lead@led.example")];
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const as = { as: secretary.token };
  const file = csv(
    header,
    ["host@led.example", "", "Led", "host", "", "", ""],
    ["lead@led.example", "", "Led", "leader", "", "", ""],
  );
  const { id } = one(await imports.create(kind, as));
  await imports.upload(id, file, as);
  assert.deepEqual(errorsOf((await imports.settled(id)).rows), [[3, "Role", "forbidden"]]);

  const { job } = await imports.rehearse(kind, file);
  await imports.run(job.id);
  assert.equal((await imports.act("import-undos", job.id, as)).status, 202);
  const { rows } = await imports.settled(job.id);
  assert.deepEqual(
    rows.map(({ attributes }) => attributes["outcome"]),
    ["undone", "kept"],
  );
  assert.deepEqual(await membershipsOf(host), []);
  assert.equal((await membershipsOf(leader)).length, 1);
});

test("memberships that begin elsewhere between the dry run and the run make errors of their rows", async () => {
  await makeCell(db, account.id, { name: "Late" });
  const other = await makeCell(db, account.id, { name: "Faster" });
  const [late, fine] = [await makeKnown("late@late.example"), await makeKnown("fine@late.example")];
  const { job } = await imports.rehearse(
    kind,
    csv(
      header,
      ["late@late.example", "", "Late", "participant", "", "", ""],
      ["fine@late.example", "", "Late", "participant", "", "", ""],
    ),
  );
  await join(db, account.id, other, late);
  const { rows } = await imports.run(job.id);
  assert.deepEqual(errorsOf(rows), [[2, "Role", "participant-elsewhere"]]);
  assert.equal((await membershipsOf(fine)).length, 1);
});

test("422 · an import of memberships finds people by columns, and sets no attribute of theirs", async () => {
  const cases: [attributes: Record<string, unknown>, pointer: string][] = [
    [{ "match-on": [] }, "/data/attributes/match-on"],
    [{ "match-on": ["phone"] }, "/data/attributes/mapping"],
    [{ mapping: { ...mapping, X: "occupation" } }, "/data/attributes/mapping/X"],
    [{ mapping: { ...mapping, X: "household" } }, "/data/attributes/mapping/X"],
    [{ mapping: { ...mapping, X: "created-at" } }, "/data/attributes/mapping/X"],
  ];
  for (const [attributes, pointer] of cases) {
    const answer = await imports.create({ ...kind, ...attributes });
    assert.deepEqual([answer.status, pointers(answer)], [422, [pointer]], answer.text);
  }
});
