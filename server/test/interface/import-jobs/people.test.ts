import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAssignment, makeEndpoint } from "../../support/make.ts";
import { csv, errorsOf, importing, summary } from "../../support/imports.ts";
import { document, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["person.created", "import-job.completed"] });
const imports = importing(service, after);

const mapping = { "Name": "full-name", "E-mail": "email", "Phone": "phone", "Born": "birthdate" };
const header = ["Name", "E-mail", "Phone", "Born"];

const personCalled = async (name: string) =>
  many(await service.get(`/v1/people?filter[name]=${encodeURIComponent(name)}`))[0];

test("a dry run writes nothing, the run writes the people, and the undo deletes them", async () => {
  const file = csv(
    header,
    ["Rosa Lima", "rosa@lima.example", "+551133334444", "1984-05-17"],
    ["Otto Lima", "", "", ""],
    ["", "nameless@lima.example", "", "31/31/2020"],
  );
  const dry = await imports.rehearse({ mapping }, file);
  assert.equal(dry.job.attributes["status"], "ready");
  assert.deepEqual(summary(dry.rows), [
    [2, "create", null],
    [3, "create", null],
    [4, "error", null],
  ]);
  assert.deepEqual(errorsOf(dry.rows), [
    [4, "Born", "invalid-attribute"],
    [4, null, "missing-attribute"],
  ]);
  assert.equal(await personCalled("Rosa Lima"), undefined);

  const ran = await imports.run(dry.job.id);
  assert.equal(ran.job.attributes["status"], "done");
  assert.deepEqual(ran.job.attributes["counts"], {
    rows: 3,
    create: 2,
    update: 0,
    skip: 0,
    error: 1,
    written: 2,
    undone: 0,
    kept: 0,
    "by-column": { "Born": { "invalid-attribute": 1 }, "": { "missing-attribute": 1 } },
  });
  assert.deepEqual(summary(ran.rows), [
    [2, "create", "written"],
    [3, "create", "written"],
    [4, "error", null],
  ]);
  const rosa = await personCalled("Rosa Lima");
  assert.equal(rosa?.attributes["email"], "rosa@lima.example");
  assert.equal(rosa.attributes["birthdate"], "1984-05-17");
  assert.deepEqual(rosa.relationships["created-by"]?.data, {
    type: "people",
    id: account.administrator.id,
  });
  const [stored] = await db`
    select email_set_by as by from people where account_id = ${account.id} and id = ${rosa.id}`;
  assert.deepEqual(stored, { by: account.administrator.id });
  const events = await db<{ type: string; cause: string; batch_id: string }[]>`
    select event_type as type, cause, batch_id from webhook_events where account_id = ${account.id} order by id`;
  assert.deepEqual(
    events.map(({ cause, type }) => [type, cause]),
    [
      ["person.created", "import"],
      ["person.created", "import"],
      ["import-job.completed", "import"],
    ],
  );
  assert.equal(new Set(events.map(({ batch_id }) => batch_id)).size, 1);

  const undone = await imports.undo(dry.job.id);
  assert.equal(undone.job.attributes["status"], "undone");
  assert.deepEqual(
    undone.rows.map(({ attributes, relationships }) => [
      attributes["outcome"],
      relationships["person"]?.data,
    ]),
    [
      ["undone", null],
      ["undone", null],
      [null, null],
    ],
  );
  assert.equal(await personCalled("Rosa Lima"), undefined);
});

test("the undo keeps a person who has received a role meanwhile", async () => {
  const file = csv(header, ["Vera Pinto", "", "", ""], ["Nuno Pinto", "", "", ""]);
  const { job } = await imports.rehearse({ mapping }, file);
  await imports.run(job.id);
  const vera = await personCalled("Vera Pinto");
  await makeAssignment(db, account.id, { personId: vera?.id ?? "", role: "secretary" });
  const undone = await imports.undo(job.id);
  assert.deepEqual(
    undone.rows.map(({ attributes }) => attributes["outcome"]),
    ["kept", "undone"],
  );
  assert.equal((await personCalled("Vera Pinto"))?.id, vera?.id);
});

test("a matched person is updated, keeps what the file does not give, and is restored by the undo", async () => {
  const before = one(
    await service.post(
      "/v1/people",
      document("people", {
        "full-name": "Maria Update",
        "email": "maria@update.example",
        "occupation": "Baker",
        "phones": [{ number: "+351910000001", label: "home" }],
        "address": { city: "Lisboa", street: "Rua A" },
        "external-ids": { other: "7" },
      }),
    ),
  );
  const { job } = await imports.rehearse(
    {
      "mapping": {
        ...mapping,
        City: "address.city",
        Job: "occupation",
        Old: "external-ids.old-system",
      },
      "match-on": ["email"],
      "on-match": "update",
    },
    csv(
      [...header, "City", "Job", "Old"],
      ["Maria Updated", "MARIA@update.example", "+351910000002", "", "Porto", "", "42"],
    ),
  );
  const { rows } = await imports.run(job.id);
  assert.deepEqual(summary(rows), [[2, "update", "written"]]);
  const after = one(await service.get(`/v1/people/${before.id}`));
  assert.equal(after.attributes["full-name"], "Maria Updated");
  assert.equal(after.attributes["occupation"], "Baker");
  assert.deepEqual(after.attributes["address"], { city: "Porto", street: "Rua A" });
  assert.deepEqual(after.attributes["phones"], [
    { number: "+351910000001", display: "+351 910 000 001", label: "home" },
    { number: "+351910000002", display: "+351 910 000 002" },
  ]);
  assert.deepEqual(after.attributes["external-ids"], { "other": "7", "old-system": "42" });

  await imports.undo(job.id);
  const restored = one(await service.get(`/v1/people/${before.id}`));
  const { "modified-at": _, ...values } = restored.attributes;
  const { "modified-at": __, ...former } = before.attributes;
  assert.deepEqual(values, former);
  assert.equal((await service.get("/v1/people?filter[q]=updated")).document.meta?.["total"], 0);
});
