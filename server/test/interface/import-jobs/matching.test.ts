import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { csv, importing } from "../../support/imports.ts";
import { document, many, one, type Resource, startService } from "../../support/service.ts";

/** Rows that mean known people, and people who change between the steps. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);

const mapping = {
  "Name": "full-name",
  "E-mail": "email",
  "Phone": "phone",
  "Born": "birthdate",
  "Old id": "external-ids.old",
};
const header = Object.keys(mapping);
const matchOn = ["email", "phone", "external-id", "name-birthdate"];
const updating = { mapping, "match-on": matchOn, "on-match": "update" };

const person = async (attributes: Record<string, unknown>) =>
  one(await service.post("/v1/people", document("people", attributes))).id;

const actions = (rows: readonly { attributes: Record<string, unknown> }[]) =>
  rows.map(({ attributes }) => attributes["action"]);

const codesOf = (rows: readonly { attributes: Record<string, unknown> }[]) =>
  rows.map(({ attributes }) =>
    (attributes["errors"] as { column: string; code: string }[]).map(({ code, column }) => [
      column,
      code,
    ]),
  );

const personOf = ({ relationships }: Resource) =>
  (relationships["person"]?.data as { id: string } | undefined)?.id;

const read = async (id: string) => one(await service.get(`/v1/people/${id}`));

test("each way to match finds the person, and several matches are an error", async () => {
  const byEmail = await person({ "full-name": "Em Ail", "email": "em@match.example" });
  const byPhone = await person({ "full-name": "Pho Ne", "phones": [{ number: "+351910000010" }] });
  const byOld = await person({ "full-name": "Ex Id", "external-ids": { old: "77", other: "78" } });
  const byName = await person({ "full-name": "José Ção", "birthdate": "1990-02-03" });
  const { rows } = await imports.rehearse(
    updating,
    csv(
      header,
      ["A", "EM@MATCH.example", "", "", ""],
      ["B", "", "+351 910 000 010", "", ""],
      ["C", "", "", "", "77"],
      ["jose cao", "", "", "1990-02-03", ""],
      ["D", "", "", "", "78"],
      ["E", "em@match.example", "+351910000010", "", ""],
    ),
  );
  assert.deepEqual(actions(rows), ["update", "update", "update", "update", "create", "error"]);
  assert.deepEqual(rows.slice(0, 4).map(personOf), [byEmail, byPhone, byOld, byName]);
  assert.deepEqual(codesOf(rows).at(-1), [
    ["E-mail", "conflict"],
    ["E-mail", "already-exists"],
  ]);
});

test("two rows about the same person are an error, and relatives may share a telephone number", async () => {
  const { rows } = await imports.rehearse(
    updating,
    csv(
      header,
      ["Twin One", "twin@same.example", "+351910000020", "", ""],
      ["Twin Two", "TWIN@same.example", "", "", ""],
      ["Sister", "", "+351910000020", "", ""],
      ["No Contact", "", "", "", ""],
      ["No Contact", "", "", "", ""],
      ["Same Day", "", "", "2001-01-01", ""],
      ["SAME DÄY", "", "", "2001-01-01", ""],
    ),
  );
  assert.deepEqual(actions(rows), [
    "create",
    "error",
    "create",
    "create",
    "create",
    "create",
    "error",
  ]);
  assert.deepEqual(codesOf(rows)[1], [["E-mail", "already-exists"]]);
});

test("an e-mail address of another person is an error, also without match-on", async () => {
  await person({ "full-name": "Owner", "email": "owner@taken.example" });
  const { rows } = await imports.rehearse(
    { mapping },
    csv(header, ["Thief", "Owner@taken.example", "", "", ""]),
  );
  assert.deepEqual(codesOf(rows), [[["E-mail", "already-exists"]]]);
});

test("skip leaves the person alone, and blanks overwrite only when they should", async () => {
  const id = await person({
    "full-name": "Blank Bea",
    "email": "bea@blank.example",
    "birthdate": "1980-01-01",
    "phones": [{ number: "+351910000030" }],
    "external-ids": { old: "b" },
  });
  const file = csv(header, ["Bea Changed", "bea@blank.example", "", "", ""]);
  const attributes = { mapping, "match-on": ["email"] };
  const skipped = await imports.rehearse(attributes, file);
  assert.deepEqual(actions(skipped.rows), ["skip"]);
  await imports.run(skipped.job.id);
  assert.equal((await read(id)).attributes["full-name"], "Blank Bea");

  const blank = { ...attributes, "on-match": "update", "blank-overwrites": true };
  const { job } = await imports.rehearse(blank, file);
  await imports.run(job.id);
  const { attributes: bea } = await read(id);
  assert.deepEqual(
    [bea["full-name"], bea["birthdate"], bea["phones"], bea["external-ids"]],
    ["Bea Changed", null, [], { old: "b" }],
  );
  await imports.undo(job.id);
  const { attributes: restored } = await read(id);
  assert.deepEqual(
    [restored["full-name"], restored["birthdate"], restored["phones"]],
    ["Blank Bea", "1980-01-01", [{ number: "+351910000030", display: "+351 910 000 030" }]],
  );
});

test("a person who was deleted, merged or changed between the dry run and the run", async () => {
  const [gone, kept, removed, taken] = [
    await person({ "full-name": "Gone Gus", "email": "gus@between.example" }),
    await person({ "full-name": "Kept Kim", "email": "kim@between.example" }),
    await person({ "full-name": "Merged Mia", "email": "mia@between.example" }),
    await person({ "full-name": "Changed Cem", "email": "cem@between.example" }),
  ];
  const { job } = await imports.rehearse(
    { ...updating, "match-on": ["email"], "mapping": { ...mapping, Job: "occupation" } },
    csv(
      [...header, "Job"],
      ["Gus", "gus@between.example", "", "", "", "Cook"],
      ["Mia", "mia@between.example", "", "", "", "Cook"],
      ["Cem", "cem@between.example", "", "", "", "Cook"],
      ["New Nia", "nia@between.example", "", "", "", "Cook"],
      ["New Noa", "", "", "", "", "Cook"],
    ),
  );
  assert.equal((await service.delete(`/v1/people/${gone}`)).status, 204);
  const merge = await service.post(
    "/v1/person-merges",
    document(
      "person-merges",
      {},
      {
        relationships: {
          kept: { data: { type: "people", id: kept } },
          removed: { data: [{ type: "people", id: removed }] },
        },
      },
    ),
  );
  assert.equal(merge.status, 201, merge.text);
  await service.patch(
    `/v1/people/${taken}`,
    document("people", { nationality: "PT" }, { id: taken }),
  );
  await person({ "full-name": "Faster", "email": "nia@between.example" });

  const ran = await imports.run(job.id);
  assert.deepEqual(
    ran.rows.map(({ attributes }) => [
      attributes["row"],
      attributes["action"],
      attributes["outcome"],
    ]),
    [
      [3, "update", "written"],
      [4, "update", "written"],
      [5, "error", null],
      [6, "create", "written"],
    ],
  );
  assert.deepEqual(ran.rows[0]?.relationships["person"]?.data, { type: "people", id: kept });
  assert.equal((await read(kept)).attributes["occupation"], "Cook");
  assert.deepEqual(codesOf(ran.rows)[2], [["E-mail", "already-exists"]]);
  const { attributes } = await read(taken);
  assert.deepEqual([attributes["occupation"], attributes["nationality"]], ["Cook", "PT"]);
});

test("an undo keeps people who have changed, have a log-in, or are named by another record", async () => {
  const { job } = await imports.rehearse(
    { mapping },
    csv(
      header,
      ["Undo Changed", "", "", "", ""],
      ["Undo Named", "", "", "", ""],
      ["Undo Gone", "", "", "", ""],
    ),
  );
  const { rows } = await imports.run(job.id);
  const [changed = "", named = "", gone = ""] = rows.map(personOf);
  await service.patch(
    `/v1/people/${changed}`,
    document("people", { occupation: "Nurse" }, { id: changed }),
  );
  const household = await service.post(
    "/v1/households",
    document(
      "households",
      { name: "Named" },
      { relationships: { "primary-contact": { data: { type: "people", id: named } } } },
    ),
  );
  assert.equal(household.status, 201, household.text);
  const undone = await imports.undo(job.id);
  assert.deepEqual(
    undone.rows.map(({ attributes }) => attributes["outcome"]),
    ["kept", "kept", "undone"],
  );
  assert.equal((undone.job.attributes["counts"] as Record<string, number>)["kept"], 2);
  assert.equal((await service.get(`/v1/people/${gone}`)).status, 404);
  for (const id of [changed, named])
    assert.equal((await service.get(`/v1/people/${id}`)).status, 200);
});

test("custom fields, choices, booleans and local dates are read, and national telephone numbers need a country", async () => {
  const changed = await service.patch(
    `/v1/accounts/${account.id}`,
    document(
      "accounts",
      {
        "settings": { country: "BR" },
        "custom-properties": {
          people: {
            "shirt-size": { type: "select", options: [{ value: "M" }, { value: "L" }] },
            "skills": { type: "multi-select", options: [{ value: "music" }, { value: "kids" }] },
          },
        },
      },
      { id: account.id },
    ),
  );
  assert.equal(changed.status, 200, changed.text);
  const { job, rows } = await imports.rehearse(
    {
      "mapping": {
        First: "first-name",
        Last: "last-name",
        Phone: "phone",
        Mobile: "phone",
        Born: "birthdate",
        Baptized: "is-baptized",
        Status: "membership-status",
        Shirt: "custom-properties.shirt-size",
        Skills: "custom-properties.skills",
      },
      "date-format": "DD/MM/YYYY",
    },
    csv(
      ["First", "Last", "Phone", "Mobile", "Born", "Baptized", "Status", "Shirt", "Skills"],
      [
        "Bia",
        "Reis",
        "(11) 98765-4321",
        "+351 910 000 044",
        "3/2/1990",
        "Sim",
        "Former member",
        "m",
        "Music; kids",
      ],
      ["Bad", "Row", "12", "", "31/02/1990", "maybe", "boss", "XXL", "chess"],
    ),
  );
  assert.deepEqual(actions(rows), ["create", "error"]);
  await imports.run(job.id);
  const [bia] = many(await service.get("/v1/people?filter[name]=Bia Reis"));
  assert.deepEqual(
    ["phones", "birthdate", "is-baptized", "membership-status", "custom-properties"].map(
      (name) => bia?.attributes[name],
    ),
    [
      [
        { number: "+5511987654321", display: "+55 11 98765 4321" },
        { number: "+351910000044", display: "+351 910 000 044" },
      ],
      "1990-02-03",
      true,
      "former-member",
      { "shirt-size": "M", "skills": ["music", "kids"] },
    ],
  );
});

test("a secretary's import does not change the address of a person of higher rank", async () => {
  const { id } = await makePerson(db, account.id, {
    fullName: "High Rank",
    email: "rank@high.example",
    administrativeStatus: "full-administrator",
  });
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const as = { as: secretary.token };
  const job = one(
    await imports.create(
      {
        "mapping": { Name: "full-name", Mail: "email", Old: "external-ids.old" },
        "match-on": ["external-id"],
        "on-match": "update",
      },
      as,
    ),
  );
  await service.patch(
    `/v1/people/${id}`,
    document("people", { "external-ids": { old: "rank" } }, { id }),
  );
  await imports.upload(
    job.id,
    csv(["Name", "Mail", "Old"], ["High Rank", "stolen@high.example", "rank"]),
    as,
  );
  // The dry run reports it, and another case is no other address.
  const { rows } = await imports.settled(job.id);
  assert.deepEqual(codesOf(rows), [[["Mail", "forbidden"]]]);
  await imports.upload(
    job.id,
    csv(["Name", "Mail", "Old"], ["High Rank", "RANK@high.example", "rank"]),
    as,
  );
  assert.deepEqual(codesOf((await imports.settled(job.id)).rows), [[]]);
  await imports.upload(
    job.id,
    csv(["Name", "Mail", "Old"], ["High Rank", "stolen@high.example", "rank"]),
    as,
  );
  await imports.settled(job.id);
  await imports.act("import-runs", job.id, as);
  await imports.settled(job.id);
  assert.equal((await read(id)).attributes["email"], "rank@high.example");
});

test("a secretary's import does not change the address of a pastor, who holds more rights than the secretary", async () => {
  const pastor = await makePerson(db, account.id, {
    fullName: "Pastor",
    email: "p@pastor.example",
  });
  await makeAssignment(db, account.id, { personId: pastor.id, role: "pastor" });
  const { id } = pastor;
  await db`update people set external_ids = '{"old": "pastor"}' where id = ${id}`;
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const as = { as: secretary.token };
  const job = one(
    await imports.create(
      {
        "mapping": { Name: "full-name", Mail: "email", Old: "external-ids.old" },
        "match-on": ["external-id"],
        "on-match": "update",
      },
      as,
    ),
  );
  await imports.upload(
    job.id,
    csv(["Name", "Mail", "Old"], ["Pastor", "stolen@pastor.example", "pastor"]),
    as,
  );
  await imports.settled(job.id);
  await imports.act("import-runs", job.id, as);
  const { rows } = await imports.settled(job.id);
  assert.deepEqual(codesOf(rows), [[["Mail", "forbidden"]]]);
  assert.equal((await read(id)).attributes["email"], "p@pastor.example");
});
