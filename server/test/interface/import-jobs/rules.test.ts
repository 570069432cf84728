import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAccount, makeAssignment, makePerson } from "../../support/make.ts";
import { csv, importing } from "../../support/imports.ts";
import { codes, document, many, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after);
const mapping = { "Name": "full-name", "E-mail": "email" };

const holder = async (role: string, scope?: { scopeType: string; scopeIds: string[] }) => {
  const person = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: person.id, role, ...scope });
  return person;
};

test("201 · 403 · secretaries and administrators import, and others do not", async () => {
  const secretary = await holder("secretary");
  const pastor = await holder("pastor");
  const plain = await makePerson(db, account.id);
  const other = await makeAccount(db);
  const created = await imports.create({ mapping }, { as: secretary.token });
  assert.equal(created.status, 201);
  const { id } = one(created);
  for (const { token } of [pastor, plain]) {
    assert.equal((await imports.create({ mapping }, { as: token })).status, 403);
    assert.equal((await service.get(`/v1/import-jobs/${id}`, { as: token })).status, 403);
    assert.equal((await service.get("/v1/import-rows", { as: token })).status, 403);
    assert.equal((await imports.upload(id, "Name", { as: token })).status, 403);
    assert.equal((await imports.act("import-runs", id, { as: token })).status, 403);
    assert.equal((await imports.act("import-undos", id, { as: token })).status, 403);
    assert.equal((await imports.errorFile(id, { as: token })).status, 403);
    assert.equal((await imports.change(id, { delimiter: ";" }, { as: token })).status, 403);
  }
  const { token } = other.administrator;
  assert.equal((await imports.upload(id, "Name", { as: token })).status, 404);
  assert.equal((await service.get(`/v1/import-jobs/${id}`, { as: token })).status, 404);
  assert.equal((await imports.errorFile(id, { as: token })).status, 404);
  assert.equal((await imports.change(id, { delimiter: ";" }, { as: token })).status, 404);
  const foreign = await imports.act("import-runs", id, { as: token });
  assert.deepEqual([foreign.status, codes(foreign)], [422, ["invalid-relationship"]]);
});

test("403 · import-jobs:write alone does not write people", async () => {
  const role = one(
    await service.post(
      "/v1/roles",
      document("roles", { name: "Importer", permissions: ["import-jobs:write"] }),
    ),
  );
  const person = await makePerson(db, account.id);
  const assigned = await service.post(
    "/v1/role-assignments",
    document(
      "role-assignments",
      { "scope-type": "account" },
      {
        relationships: {
          role: { data: { type: "roles", id: role.id } },
          person: { data: { type: "people", id: person.id } },
        },
      },
    ),
  );
  assert.equal(assigned.status, 201, assigned.text);
  assert.equal((await imports.create({ mapping }, { as: person.token })).status, 403);
});

test("422 · a mapping names targets that an import can set, and match-on needs its columns", async () => {
  const cases: [attributes: Record<string, unknown>, pointer: string][] = [
    [{ mapping: { A: "nonsense" } }, "/data/attributes/mapping/A"],
    [{ mapping: { "a/b": "age" } }, "/data/attributes/mapping/a~1b"],
    [{ mapping: { A: "administrative-status" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "identity-documents" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "phones" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "address" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "address.planet" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "constructor" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "address.constructor" } }, "/data/attributes/mapping/A"],
    [{ mapping: { A: "custom-properties.unknown" } }, "/data/attributes/mapping/A"],
    [{ "mapping": { A: "full-name" }, "match-on": ["email"] }, "/data/attributes/mapping"],
    [
      { "mapping": { A: "email" }, "match-on": ["email", "name-birthdate"] },
      "/data/attributes/mapping",
    ],
    [{ mapping, "value-mapping": { Nome: { a: "b" } } }, "/data/attributes/value-mapping/Nome"],
    [{ mapping, "value-mapping": { Name: ["b"] } }, "/data/attributes/value-mapping/Name"],
    [{ mapping, "household-key": "Family" }, "/data/attributes/mapping"],
    [{ mapping, "default-area-code": "(11)" }, "/data/attributes/default-area-code"],
    [{ mapping, "country": "Brasil" }, "/data/attributes/country"],
    [{ mapping, delimiter: "ab" }, "/data/attributes/delimiter"],
    [{ mapping, encoding: "utf-16" }, "/data/attributes/encoding"],
  ];
  for (const [attributes, pointer] of cases) {
    const answer = await imports.create(attributes);
    assert.deepEqual([answer.status, pointers(answer)], [422, [pointer]], answer.text);
  }
});

test("415 · 413 · a file is text/csv and has at most 20 MiB", async () => {
  const { id } = one(await imports.create({ mapping }));
  for (const type of [null, "application/vnd.api+json", "text/plain"]) {
    const answer = await imports.upload(id, "Name", { headers: { "Content-Type": type } });
    assert.deepEqual([answer.status, codes(answer)], [415, ["unsupported-media-type"]]);
  }
  const large = Buffer.alloc(20 * 1_048_576 + 1, "x");
  assert.equal((await imports.upload(id, large)).status, 413);
  const job = one(await service.get(`/v1/import-jobs/${id}`));
  assert.equal(job.attributes["status"], "created");
  const charset = await imports.upload(id, "Name,E-mail\nA,a@b.example", {
    headers: { "Content-Type": "text/csv; charset=utf-8" },
  });
  assert.equal(charset.status, 202);
  await imports.settled(id);
});

test("409 · each step follows the step before it", async () => {
  const { id } = one(await imports.create({ mapping }));
  const refused = async (
    answer: ReturnType<typeof imports.act>,
    from: string,
    allowed: string[],
  ) => {
    const { document: told, status } = await answer;
    const [error] = told.errors ?? [];
    assert.deepEqual(
      [status, error?.code, error?.meta["from"], error?.meta["allowed"]],
      [409, "invalid-transition", from, allowed],
    );
  };
  await refused(imports.act("import-runs", id), "created", ["validating"]);
  await refused(imports.act("import-undos", id), "created", ["validating"]);
  await imports.upload(id, csv(["Name", "E-mail"], ["Step One", ""]));
  await imports.settled(id);
  await refused(imports.act("import-undos", id), "ready", ["validating", "running"]);
  await imports.run(id);
  await refused(imports.act("import-runs", id), "done", ["undoing"]);
  await refused(imports.upload(id, "Name"), "done", ["undoing"]);
  await imports.undo(id);
  await refused(imports.act("import-undos", id), "undone", ["validating"]);
  for (const type of ["import-runs", "import-undos"]) {
    const listed = many(await service.get(`/v1/${type}?filter[import-job]=${id}`));
    assert.equal(listed.length, 1);
    assert.equal((await service.get(`/v1/${type}/${listed[0]?.id}`)).status, 200);
  }
});

test("200 · 409 · a job changes before its run and after its undo, and takes another file", async () => {
  const { job } = await imports.rehearse({ mapping }, csv(["Name", "E-mail"], ["Changing", "x"]));
  const changed = one(await imports.change(job.id, { mapping: { Name: "full-name" } }));
  assert.deepEqual(
    [changed.attributes["status"], changed.attributes["mapping"]],
    ["created", { Name: "full-name" }],
  );
  assert.equal((await imports.act("import-runs", job.id)).status, 409);
  assert.equal((await imports.settled(job.id)).rows.length, 0);
  await imports.upload(job.id, csv(["Name"], ["Changing"]));
  const ready = await imports.settled(job.id);
  assert.equal(ready.job.attributes["status"], "ready");
  const same = one(await imports.change(job.id, { mapping: { Name: "full-name" } }));
  assert.equal(same.attributes["status"], "ready");
  await imports.run(job.id);
  const late = await imports.change(job.id, { mapping });
  assert.deepEqual([late.status, codes(late)], [409, ["conflict"]]);
  await imports.undo(job.id);
  assert.equal((await imports.change(job.id, { mapping })).status, 200);
  await imports.upload(job.id, csv(["Name", "E-mail"], ["Once More", "once@more.example"]));
  await imports.settled(job.id);
  const again = await imports.run(job.id);
  assert.partialDeepStrictEqual(again.job.attributes["counts"], {
    create: 1,
    written: 1,
    undone: 0,
  });
  assert.equal(
    (await service.get("/v1/people?filter[name]=Once More")).document.meta?.["total"],
    1,
  );
});

test("a run that failed before its first row takes another file, and one that has written is undone first", async () => {
  const { job } = await imports.rehearse({ mapping }, csv(["Name", "E-mail"], ["Half", ""]));
  await db`update import_jobs set status = 'failed', run_at = now() where id = ${job.id}`;
  assert.equal((await imports.upload(job.id, csv(["Name", "E-mail"], ["Half", ""]))).status, 202);
  await imports.settled(job.id);
  await imports.run(job.id);
  await db`update import_jobs set status = 'failed' where id = ${job.id}`;
  assert.equal((await imports.upload(job.id, "Name")).status, 409);
  assert.equal((await imports.change(job.id, { delimiter: ";" })).status, 409);
  await imports.undo(job.id);
});

test("409 · only one of several runs at once begins", async () => {
  const { job } = await imports.rehearse({ mapping }, csv(["Name", "E-mail"], ["Only Once", ""]));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => imports.act("import-runs", job.id)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [202, 409, 409, 409, 409, 409],
  );
  await imports.settled(job.id);
  const found = await service.get("/v1/people?filter[name]=Only Once");
  assert.equal(found.document.meta?.["total"], 1);
});

test("409 · an undo comes within seven days", async () => {
  const { job } = await imports.rehearse({ mapping }, csv(["Name", "E-mail"], ["Too Late", ""]));
  const { attributes } = (await imports.run(job.id)).job;
  const until = Date.parse(String(attributes["undo-until"]));
  assert.ok(until > Date.now() + 6 * 86_400_000);
  await db`update import_jobs set finished_at = now() - interval '8 days' where id = ${job.id}`;
  const answer = await imports.act("import-undos", job.id);
  assert.deepEqual([answer.status, codes(answer)], [409, ["conflict"]]);
});

test("204 · a job can be deleted with its rows, and the people stay", async () => {
  const { job } = await imports.rehearse({ mapping }, csv(["Name", "E-mail"], ["Staying Sam", ""]));
  await imports.run(job.id);
  assert.equal((await service.delete(`/v1/import-jobs/${job.id}`)).status, 204);
  const rows = await service.get(`/v1/import-rows?filter[import-job]=${job.id}`);
  assert.equal(rows.document.meta?.["total"], 0);
  const people = await service.get("/v1/people?filter[name]=Staying Sam");
  assert.equal(people.document.meta?.["total"], 1);
});

test("a person who loses the permission before the run stops it, and nothing is written", async () => {
  const secretary = await holder("secretary");
  const as = { as: secretary.token };
  const { id } = one(await imports.create({ mapping }, as));
  await imports.upload(id, csv(["Name", "E-mail"], ["Never Written", ""]), as);
  await imports.settled(id);
  assert.equal((await imports.act("import-runs", id, as)).status, 202);
  await db`delete from role_assignments where account_id = ${account.id} and person_id = ${secretary.id}`;
  const { job } = await imports.settled(id);
  assert.equal(job.attributes["status"], "failed");
  assert.match(String(job.attributes["failure"]), /may no longer import/);
  const found = await service.get("/v1/people?filter[name]=Never Written");
  assert.equal(found.document.meta?.["total"], 0);
});
