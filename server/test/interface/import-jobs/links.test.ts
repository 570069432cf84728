import assert from "node:assert/strict";
import { after, test } from "node:test";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { csv, errorsOf, importing, summary } from "../../support/imports.ts";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import { codes, document, many, one, startService } from "../../support/service.ts";

/** Columns that name households, tags and cells. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["household.created", "household.deleted"] });
const imports = importing(service, after);

const mapping = {
  "Name": "full-name",
  "Mail": "email",
  "Família": "household",
  "Role": "household-role",
  "Tags": "tag",
  "Cell": "cell",
};
const header = Object.keys(mapping);
const updating = { mapping, "match-on": ["email"], "on-match": "update" };

const personIds = async (...names: string[]) =>
  Promise.all(
    names.map(async (name) => {
      const found = await service.get(`/v1/people?filter[name]=${encodeURIComponent(name)}`);
      return many(found)[0]?.id ?? "";
    }),
  );

/** Each member of a household: the name, the role, and whether the person is the contact. */
const household = (name: string) => db<{ id: string; members: string }[]>`
  select h.id, (select coalesce(string_agg(p.full_name || ' ' || m.household_role
        || case when p.id = h.primary_contact_id then '!' else '' end, ', ' order by p.full_name), '')
      from household_memberships m join people p on p.account_id = m.account_id and p.id = m.person_id
      where m.account_id = h.account_id and m.household_id = h.id) as members
  from households h where h.account_id = ${account.id} and h.name = ${name}`;

const membersOf = async (name: string) => (await household(name)).map(({ members }) => members);

const tagsOf = async (name: string) => {
  const rows = await db<{ name: string }[]>`
    select tags.name from person_tags link
    join tags on tags.account_id = link.account_id and tags.id = link.tag_id
    join people on people.account_id = link.account_id and people.id = link.person_id
    where link.account_id = ${account.id} and people.full_name = ${name} order by 1`;
  return rows.map((row) => row.name);
};

const tagNames = async (...names: string[]) => {
  const rows = await db<{ name: string }[]>`
    select name from tags where account_id = ${account.id} and name = any(${names}::text[]) order by 1`;
  return rows.map((row) => row.name);
};

const cellsOf = async (name: string) => {
  const rows = await db<{ cell: string }[]>`
    select cells.name || ' ' || own.cell_role as cell from cell_memberships own
    join cells on cells.account_id = own.account_id and cells.id = own.cell_id
    join people on people.account_id = own.account_id and people.id = own.person_id
    where own.account_id = ${account.id} and people.full_name = ${name} order by 1`;
  return rows.map(({ cell }) => cell);
};

const makeTag = async (name: string, appliesTo = ["people", "cells", "courses"]) =>
  one(await service.post("/v1/tags", document("tags", { name, "applies-to": appliesTo }))).id;

const person = async (name: string, email: string) =>
  one(await service.post("/v1/people", document("people", { "full-name": name, email })));

test("households, tags and cells are named, created and found, and the undo removes what the run made", async () => {
  await makeCell(db, account.id, { name: "Jardim" });
  await makeTag("Choir");
  const { job, rows } = await imports.rehearse(
    { mapping },
    csv(
      header,
      ["Lia Prado", "", "Prado", "", "Choir; Kitchen", "jardim"],
      ["Rui Prado", "", "PRADO", "spouse", "kitchen", ""],
      ["Isa Prado", "", " Prado ", "Child", "", ""],
      ["Solo Sá", "", "", "child", "", ""],
      ["Kid Nunes", "", "Nunes", "child", "", ""],
    ),
  );
  assert.deepEqual(errorsOf(rows), []);
  assert.deepEqual(await membersOf("Prado"), []);
  assert.deepEqual(await tagNames("Kitchen"), []);
  await imports.run(job.id);
  assert.deepEqual(await membersOf("Prado"), [
    "Isa Prado child, Lia Prado head!, Rui Prado spouse",
  ]);
  assert.deepEqual(await membersOf("Nunes"), ["Kid Nunes child"]);
  assert.deepEqual(await tagsOf("Lia Prado"), ["Choir", "Kitchen"]);
  assert.deepEqual(await tagsOf("Rui Prado"), ["Kitchen"]);
  assert.deepEqual(await cellsOf("Lia Prado"), ["Jardim participant"]);

  const undone = await imports.undo(job.id);
  assert.equal((undone.job.attributes["counts"] as Record<string, number>)["undone"], 5);
  for (const name of ["Prado", "Nunes"]) assert.deepEqual(await membersOf(name), []);
  assert.deepEqual(await tagNames("Choir", "Kitchen"), ["Choir"]);
  assert.deepEqual(await personIds("Lia Prado", "Rui Prado"), ["", ""]);
  const events = await db<{ type: string; count: number }[]>`
    select event_type as type, count(*)::int from webhook_events
    where account_id = ${account.id} and event_type in ('household.created', 'household.deleted')
    group by 1 order by 1`;
  assert.deepEqual(
    events.map(({ count, type }) => [type, count]),
    [
      ["household.created", 2],
      ["household.deleted", 2],
    ],
  );
});

test("a person who is known is added to what exists, keeps it, and is restored by the undo", async () => {
  const ana = await person("Ana Known", "ana@known.example");
  const cell = await makeCell(db, account.id, { name: "Known cell" });
  const tag = await makeTag("Known tag");
  const created = await service.post(
    "/v1/households",
    document(
      "households",
      { name: "Known" },
      { relationships: { "primary-contact": { data: { type: "people", id: ana.id } } } },
    ),
  );
  assert.equal(created.status, 201, created.text);
  await join(db, account.id, cell, ana.id, { cell_role: "leader" });
  await service.post(`/v1/people/${ana.id}/relationships/tags`, {
    data: [{ type: "tags", id: tag }],
  });
  const same = ["Ana Known", "ana@known.example", "Known", "", "Known tag", "Known cell"];
  const again = await imports.rehearse(updating, csv(header, same));
  const ran = await imports.run(again.job.id);
  assert.deepEqual(summary(ran.rows), [[2, "skip", null]]);

  const more = await imports.rehearse(
    updating,
    csv(header, ["Ana Known", "ana@known.example", "Second home", "", "Known tag; New tag", ""]),
  );
  assert.deepEqual(summary((await imports.run(more.job.id)).rows), [[2, "update", "written"]]);
  assert.deepEqual(await membersOf("Second home"), ["Ana Known head!"]);
  assert.deepEqual(await tagsOf("Ana Known"), ["Known tag", "New tag"]);
  assert.deepEqual(summary((await imports.undo(more.job.id)).rows), [[2, "update", "undone"]]);
  assert.deepEqual(await membersOf("Second home"), []);
  assert.deepEqual(await membersOf("Known"), ["Ana Known head!"]);
  assert.deepEqual(await tagsOf("Ana Known"), ["Known tag"]);
  assert.deepEqual(await cellsOf("Ana Known"), ["Known cell leader"]);
});

test("names that are absent, ambiguous, closed, full or not for people are errors of the dry run", async () => {
  await makeCell(db, account.id, { name: "Twins" });
  await makeCell(db, account.id, { name: "TWINS" });
  await makeCell(db, account.id, { name: "Shut", closed_at: "2026-01-01" });
  await makeCell(db, account.id, { name: "Reused", closed_at: "2026-01-01" });
  await makeCell(db, account.id, { name: "Reused" });
  for (const name of ["Silva", "Sílva"])
    await service.post("/v1/households", document("households", { name }));
  await makeTag("Courses only", ["courses"]);
  const taken = await makeMember(db, account.id, await makeCell(db, account.id, { name: "Other" }));
  await db`update people set email = 'taken@cell.example' where id = ${taken.id}`;
  const crowd = Array.from({ length: 31 }, (_, n) => [`Crowd ${n}`, "", "Crowd", "", "", ""]);
  const { rows } = await imports.rehearse(
    updating,
    csv(
      header,
      ["No Cell", "", "", "", "", "Nowhere"],
      ["Two Cells", "", "", "", "", "twins"],
      ["Closed Cell", "", "", "", "", "Shut"],
      ["Open Cell", "", "", "", "", "Reused"],
      ["Two Homes", "", "silva", "", "", ""],
      ["Wrong Tag", "", "", "", "courses only", ""],
      ["Long Tag", "", "", "", "x".repeat(61), ""],
      ["Long Home", "", "x".repeat(201), "", "", ""],
      ["Wrong Role", "", "Home", "king", "", ""],
      ["Many Tags", "", "", "", Array.from({ length: 26 }, (_, n) => `t${n}`).join(";"), ""],
      ["Taken", "taken@cell.example", "", "", "", "Reused"],
      ...crowd,
    ) + "\r\nNul,,a\0b,,,a\0b",
  );
  assert.deepEqual(errorsOf(rows), [
    [2, "Cell", "invalid-relationship"],
    [3, "Cell", "conflict"],
    [4, "Cell", "cell-closed"],
    [6, "Família", "conflict"],
    [7, "Tags", "invalid-relationship"],
    [8, "Tags", "invalid-attribute"],
    [9, "Família", "invalid-attribute"],
    [10, "Role", "invalid-attribute"],
    [11, "Tags", "invalid-attribute"],
    [12, "Cell", "participant-elsewhere"],
    [43, "Família", "limit-reached"],
    [44, "Família", "invalid-text"],
    [44, "Cell", "invalid-text"],
    [44, "Cell", "invalid-relationship"],
  ]);
});

test("names that change between the dry run and the run make errors of their rows only", async () => {
  const cell = await makeCell(db, account.id, { name: "Renamed" });
  const { job } = await imports.rehearse(
    { mapping },
    csv(
      header,
      ["Into Cell", "", "", "", "Half tag", "Renamed"],
      ["Into Home", "", "Half", "", "Half tag", ""],
    ),
  );
  await db`update cells set name = 'Elsewhere' where id = ${cell}`;
  const { rows } = await imports.run(job.id);
  assert.deepEqual(summary(rows), [
    [2, "error", null],
    [3, "create", "written"],
  ]);
  assert.deepEqual(errorsOf(rows), [[2, "Cell", "invalid-relationship"]]);
  assert.deepEqual(await personIds("Into Cell"), [""]);
  assert.deepEqual(await tagsOf("Into Home"), ["Half tag"]);
});

test("an undo keeps rows whose links have changed, and what others have added to", async () => {
  await makeCell(db, account.id, { name: "Kept cell" });
  const tag = await makeTag("By hand");
  const { job } = await imports.rehearse(
    { mapping },
    csv(
      header,
      ["Kept Contact", "", "Kept home", "", "Kept tag", ""],
      ["Kept Role", "", "Kept home", "", "", ""],
      ["Kept Tagged", "", "", "", "Kept tag", ""],
      ["Kept Leader", "", "", "", "", "Kept cell"],
      ["Kept Other", "", "", "", "", ""],
      ["Gone Noted", "", "Noted home", "", "", ""],
      ["Gone Plain", "", "Plain home", "", "Plain tag", "Kept cell"],
    ),
  );
  await imports.run(job.id);
  const [role = "", tagged = "", leader = "", other = ""] = await personIds(
    "Kept Role",
    "Kept Tagged",
    "Kept Leader",
    "Kept Other",
  );
  const [home] = await household("Kept home");
  await db`
    update household_memberships set household_role = 'spouse', version = 2 where person_id = ${role}`;
  await service.post(`/v1/people/${tagged}/relationships/tags`, {
    data: [{ type: "tags", id: tag }],
  });
  await db`update cell_memberships set cell_role = 'leader', version = 2 where person_id = ${leader}`;
  const added = await service.post(
    "/v1/household-memberships",
    document(
      "household-memberships",
      {},
      {
        relationships: {
          household: { data: { type: "households", id: home?.id } },
          person: { data: { type: "people", id: other } },
        },
      },
    ),
  );
  assert.equal(added.status, 201, added.text);
  const [noted] = await household("Noted home");
  const note = await service.post(
    "/v1/notes",
    document(
      "notes",
      { text: "Call them." },
      { relationships: { about: { data: { type: "households", id: noted?.id } } } },
    ),
  );
  assert.equal(note.status, 201, note.text);

  const { rows } = await imports.undo(job.id);
  assert.deepEqual(
    rows.map(({ attributes }) => attributes["outcome"]),
    ["undone", "kept", "kept", "kept", "kept", "undone", "undone"],
  );
  assert.deepEqual(await membersOf("Kept home"), ["Kept Other other, Kept Role spouse"]);
  assert.deepEqual(await membersOf("Noted home"), [""]);
  assert.deepEqual(await membersOf("Plain home"), []);
  assert.deepEqual(await tagNames("Kept tag", "Plain tag"), ["Kept tag"]);
  assert.deepEqual(await tagsOf("Kept Tagged"), ["By hand", "Kept tag"]);
  assert.deepEqual(await cellsOf("Kept Leader"), ["Kept cell leader"]);
});

test("403 · a column for households needs the permission to write them", async () => {
  const role = one(
    await service.post(
      "/v1/roles",
      document("roles", {
        name: "People only",
        permissions: ["import-jobs:write", "people:write"],
      }),
    ),
  );
  const clerk = await makePerson(db, account.id);
  await service.post(
    "/v1/role-assignments",
    document(
      "role-assignments",
      { "scope-type": "account" },
      {
        relationships: {
          role: { data: { type: "roles", id: role.id } },
          person: { data: { type: "people", id: clerk.id } },
        },
      },
    ),
  );
  const as = { as: clerk.token };
  const plain = await imports.create({ mapping: { Name: "full-name" } }, as);
  assert.equal(plain.status, 201, plain.text);
  for (const target of ["household", "household-role", "tag", "cell"]) {
    const answer = await imports.create({ mapping: { Name: "full-name", X: target } }, as);
    assert.deepEqual([answer.status, codes(answer)], [403, ["forbidden"]]);
  }
});
