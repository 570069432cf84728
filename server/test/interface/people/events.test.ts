import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import { document, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["person.updated"] });

const eventOf = async (personId: string) => {
  const [event] = await db<{ changed: string[]; snapshot: string; queued: boolean }[]>`
    select changed_fields as changed, snapshot, exists (select from webhook_queue
      where account_id = ${account.id} and message_id = webhook_events.id) as queued
    from webhook_events where account_id = ${account.id} and subject_id = ${personId} order by id desc limit 1`;
  return event;
};

test("200 · a change is captured with what differs and the person as every reader of the account sees them", async () => {
  const { id } = await makePerson(db, account.id);
  const attributes = { "occupation": "Baker", "medical-notes": "Nuts", "full-name": "Paul Person" };
  const body = document("people", attributes, { id });
  assert.equal((await service.patch(`/v1/people/${id}`, body)).status, 200);
  const event = await eventOf(id);
  assert.deepEqual(event?.changed, ["occupation"], "no name of what a snapshot hides");
  assert.equal(event?.queued, true);
  const told = JSON.parse(event?.snapshot ?? "") as { attributes: Record<string, unknown> };
  assert.equal(told.attributes["occupation"], "Baker");
  assert.ok(!("medical-notes" in told.attributes));
  assert.ok(!event?.snapshot.includes("Nuts"));
});

test("200 · a snapshot has no links, and of relationships those that lead to one", async () => {
  const { id } = await makePerson(db, account.id);
  const answer = await service.patch(
    `/v1/people/${id}`,
    document("people", { sex: "male" }, { id }),
  );
  assert.equal(answer.status, 200);
  const { attributes, ...rest } = JSON.parse((await eventOf(id))?.snapshot ?? "");
  assert.equal(attributes.sex, "male");
  const changedBy = { type: "people", id: account.administrator.id };
  assert.deepEqual(rest, {
    type: "people",
    id,
    relationships: { "created-by": { data: null }, "modified-by": { data: changedBy } },
  });
});

test("200 · person.deactivated and person.reactivated carry the person as they have become, and no changed-fields", async () => {
  const { id } = await makePerson(db, account.id);
  const activate = async (active: boolean) => {
    const body = document("people", { "is-active": active }, { id });
    assert.equal((await service.patch(`/v1/people/${id}`, body)).status, 200);
  };
  await activate(false);
  await activate(true);
  const events = await db<{ type: string; changed: string[] | null; snapshot: string }[]>`
    select event_type as type, changed_fields as changed, snapshot from webhook_events
    where account_id = ${account.id} and subject_id = ${id} order by id`;
  const told = events.map(({ changed, snapshot, type }) => {
    const { attributes } = JSON.parse(snapshot) as { attributes: Record<string, unknown> };
    return [type, changed, attributes["full-name"], attributes["is-active"]];
  });
  assert.deepEqual(told, [
    ["person.updated", ["is-active"], "Paul Person", false],
    ["person.deactivated", null, "Paul Person", false],
    ["person.updated", ["is-active"], "Paul Person", true],
    ["person.reactivated", null, "Paul Person", true],
  ]);
});

test("200 · of a field that is kept from readers an event tells neither the value nor the name", async () => {
  const fields = {
    "shirt-size": { type: "string" },
    "secret": { type: "string", "read-access": "full-administrator" },
  };
  const definitions = document(
    "accounts",
    { "custom-properties": { people: fields } },
    { id: account.id },
  );
  assert.equal((await service.patch(`/v1/accounts/${account.id}`, definitions)).status, 200);
  const { id } = await makePerson(db, account.id);
  const values = { "custom-properties": { "shirt-size": "M", "secret": "Shh" } };
  const answer = await service.patch(`/v1/people/${id}`, document("people", values, { id }));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(one(answer).attributes["custom-properties"], values["custom-properties"]);
  const event = await eventOf(id);
  assert.deepEqual(event?.changed, ["custom-properties.shirt-size"]);
  assert.ok(!event?.snapshot.includes("Shh"));
});

/** Everything that was told of somebody, in its order. */
const toldOf = (personId: string) => db<
  { type: string; changed: string[] | null; cause: string; actor: string; snapshot: Snapshot }[]
>`
  select event_type as type, changed_fields as changed, cause, actor_id as actor, snapshot::json as snapshot
  from webhook_events where account_id = ${account.id} and subject_id = ${personId} order by id`;

interface Snapshot {
  attributes: Record<string, unknown>;
}

test("201 · whoever was added is told as every reader of the account sees them, and no field is named as changed", async () => {
  const attributes = { "full-name": "Ana New", "occupation": "Baker", "medical-notes": "Nuts" };
  const made = one(await service.post("/v1/people", document("people", attributes)));
  const [event, ...more] = await toldOf(made.id);
  assert.deepEqual(more, []);
  assert.ok(event);
  const { snapshot, ...told } = event;
  const hidden = ["medical-notes", "identity-documents", "resource-scope"];
  const shown = Object.entries(made.attributes).filter(([name]) => !hidden.includes(name));
  assert.deepEqual(snapshot.attributes, Object.fromEntries(shown));
  const actor = account.administrator.id;
  assert.deepEqual(told, { type: "person.created", changed: null, cause: "ui", actor });
});

test("200 · who is let out or back in is told of twice: what changed, and then that", async () => {
  const { id } = await makePerson(db, account.id);
  for (const [active, then] of [
    [false, "person.deactivated"],
    [true, "person.reactivated"],
  ] as const) {
    const body = document("people", { "is-active": active, "occupation": then }, { id });
    assert.equal((await service.patch(`/v1/people/${id}`, body)).status, 200);
    const told = (await toldOf(id)).slice(-2);
    assert.deepEqual(
      told.map(({ type, changed }) => [type, changed]),
      [
        ["person.updated", ["is-active", "occupation"]],
        [then, null],
      ],
    );
    for (const { snapshot } of told) assert.equal(snapshot.attributes["is-active"], active);
  }
  assert.equal((await toldOf(id)).length, 4);
});
