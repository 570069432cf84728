import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tx } from "../../../src/store/db.ts";
import { makeCourse, makePerson } from "../../support/make.ts";
import { type Answer, codes, document, pointers, startService } from "../../support/service.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

/** A field's type and its values are written by different people at the same time. */

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
const stored = async (table: string, id: string) =>
  (await db`select custom_properties as values from ${db(table)} where id = ${id}`)[0]?.["values"];
const said = (answer: Answer | undefined) => answer && [answer.status, ...codes(answer)];

for (const [type, make] of [
  ["people", async () => (await makePerson(db, account.id)).id],
  ["courses", () => makeCourse(db, account.id)],
] as const) {
  test(`409 · ${type}: a field keeps its type while somebody is writing a value of it`, async () => {
    await define({ shirt: { type: "string" } }, type);
    const id = await make();
    let changing: Promise<Answer> | undefined;
    const written = await meanwhile(
      db,
      (tx) =>
        tx`select from ${tx(type)} where account_id = ${account.id} and id = ${id} for update`,
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

  test(`409 · ${type}: a value of the old type is refused once the field has a new one`, async () => {
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

/** What a PATCH of the account does, up to its commit. */
const retype = (tx: Tx, resource: string, field: string) => tx`
  update accounts set version = version + 1,
    custom_properties = jsonb_set(custom_properties, ${[resource, field, "type"]}::text[], '"integer"')
  where id = ${account.id}`;

test("409 · also where a person is made, 200 · but not because anything else of the account changes", async () => {
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

test("whoever comes first: no value of the old type is left in a field of the new one", async () => {
  const { id } = await makePerson(db, account.id);
  const types = { string: "many", integer: 5, boolean: true } as const;
  const names = Object.keys(types) as (keyof typeof types)[];
  const statuses = new Set<number>();
  for (let turn = 0; turn < 30; turn += 1) {
    const field = `f${turn % 10}`;
    const [from = "string", to = "integer"] = [names[turn % 3], names[(turn + 1) % 3]];
    await db`update people set custom_properties = custom_properties - ${field} where id = ${id}`;
    await define({ [field]: { type: from } });
    const answers = await Promise.all([
      write("people", id, { [field]: types[from] }),
      define({ [field]: { type: to } }),
      write("people", id, { [field]: types[from] }),
    ]);
    for (const { status } of answers) statuses.add(status);
    const [row] = await db<{ type: string; value: unknown }[]>`
      select custom_properties -> 'people' -> ${field} ->> 'type' as type,
        (select people.custom_properties -> ${field} from people
          where account_id = accounts.id and people.id = ${id}) as value
      from accounts where id = ${account.id}`;
    if (row?.value !== null && row?.value !== undefined)
      assert.equal(row.value, types[row.type as keyof typeof types]);
  }
  assert.ok(statuses.has(200) && statuses.has(409), [...statuses].join());
});
