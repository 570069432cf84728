import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { extensibleResources } from "../../../src/features/accounts/custom-property-definitions.ts";
import { definitionOf } from "../../../src/jsonapi/definition/targets.ts";
import type { Tx } from "../../../src/store/db.ts";
import { makeCell } from "../../support/cells.ts";
import { makeClass, makeEnrollment } from "../../support/courses.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { type Answer, codes, document, pointers, startService } from "../../support/service.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

/** One request changes the type of a field while another writes its value. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const define = (fields: Record<string, unknown>, resource = "people") => {
  const attributes = { "custom-properties": { [resource]: fields } };
  return service.patch("/v1/accounts/me", document("accounts", attributes, { id: account.id }));
};
const write = (type: string, id: string, values: unknown) =>
  service.patch(`/v1/${type}/${id}`, document(type, { "custom-properties": values }, { id }));
const create = (values: unknown) =>
  service.post(
    "/v1/people",
    document("people", { "full-name": "Paul", "custom-properties": values }),
  );
const tableOf = (type: string) => definitionOf(describedCatalogue, type).table;
const stored = async (type: string, id: string) =>
  (await db`select custom_properties as values from ${db(tableOf(type))} where id = ${id}`)[0]?.[
    "values"
  ];
const said = (answer: Answer | undefined) => answer && [answer.status, ...codes(answer)];

const newClass = async () => makeClass(db, account.id, await makeCourse(db, account.id));
const makers: Record<string, () => Promise<string>> = {
  "people": async () => (await makePerson(db, account.id)).id,
  "households": () => makeRow(db, "households", account.id, { name: "Lima" }),
  "cells": () => makeCell(db, account.id),
  "courses": () => makeCourse(db, account.id),
  "course-classes": newClass,
  "course-enrollments": async () => makeEnrollment(db, account.id, await newClass()),
};

test("every type with custom fields is tested", () => {
  const extensible = [...describedCatalogue.resources.values()].filter(
    ({ customProperties }) => customProperties,
  );
  assert.deepEqual(extensible.map(({ type }) => type).sort(), Object.keys(makers).sort());
  assert.deepEqual([...extensibleResources].sort(), Object.keys(makers).sort());
});

for (const [type, make] of Object.entries(makers)) {
  test(`409 · ${type}: a field keeps its type while a concurrent request writes a value`, async () => {
    await define({ shirt: { type: "string" } }, type);
    const id = await make();
    let changing: Promise<Answer> | undefined;
    const written = await meanwhile(
      db,
      (tx) =>
        tx`select from ${tx(tableOf(type))} where account_id = ${account.id} and id = ${id} for update`,
      () => write(type, id, { shirt: "M" }),
      async () => {
        changing = define({ shirt: { type: "integer" } }, type);
        await untilWaiting(db, 2);
      },
    );
    assert.equal(written.status, 200, written.text);
    assert.deepEqual(said(await changing), [409, "custom-property-in-use"]);
    assert.deepEqual(await stored(type, id), { shirt: "M" });
  });

  test(`409 · ${type}: a value of the old type is rejected after a concurrent change of type`, async () => {
    await define({ size: { type: "string" }, other: { type: "string" } }, type);
    const id = await make();
    const values = { size: "M", other: "kept", tag: null };
    await define({ tag: { type: "string" } }, type);
    const answer = await meanwhile(
      db,
      (tx) => retype(tx, type, "size"),
      () => write(type, id, values),
    );
    assert.deepEqual(
      [answer.status, ...codes(answer), ...pointers(answer)],
      [409, "conflict", "/data/attributes/custom-properties/size"],
    );
    assert.deepEqual(await stored(type, id), {});
    assert.equal((await write(type, id, { ...values, size: 5 })).status, 200);
  });
}

/** The statement of a PATCH of the account, without its commit. */
const retype = (tx: Tx, resource: string, field: string) => tx`
  update accounts set version = version + 1,
    custom_properties = jsonb_set(custom_properties, ${[resource, field, "type"]}::text[], '"integer"')
  where id = ${account.id}`;

test("409 · creating a person checks the type too; 201 · and ignores other changes to the account", async () => {
  await define({ age: { type: "string" } });
  const refused = await meanwhile(
    db,
    (tx) => retype(tx, "people", "age"),
    () => create({ age: "old" }),
  );
  assert.deepEqual(said(refused), [409, "conflict"]);
  const made = await meanwhile(
    db,
    (tx) => tx`update accounts set version = version + 1, acronym = 'X' where id = ${account.id}`,
    () => create({ age: 50 }),
  );
  assert.equal(made.status, 201, made.text);
});
