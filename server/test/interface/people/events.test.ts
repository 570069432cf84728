import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import { document, startService } from "../../support/service.ts";

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

test("200 · person.updated contains neither the names nor the values of sensitive attributes", async () => {
  const { id } = await makePerson(db, account.id);
  const attributes = { "occupation": "Baker", "medical-notes": "Nuts", "full-name": "Paul Person" };
  const body = document("people", attributes, { id });
  assert.equal((await service.patch(`/v1/people/${id}`, body)).status, 200);
  const event = await eventOf(id);
  assert.deepEqual(event?.changed, ["occupation"], "sensitive attributes are not named");
  assert.equal(event?.queued, true);
  const told = JSON.parse(event?.snapshot ?? "") as { attributes: Record<string, unknown> };
  assert.equal(told.attributes["occupation"], "Baker");
  assert.ok(!("medical-notes" in told.attributes));
  assert.ok(!event?.snapshot.includes("Nuts"));
});

test("200 · person.deactivated and person.reactivated have the new snapshot and no changed fields", async () => {
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
