import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY, MINUTE } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { makeDay, recordEvent } from "../../support/history.ts";
import { makeCourse, makeEndpoint, makePerson } from "../../support/make.ts";
import { codes, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const read = (id: string, more = {}) => service.get(`/v1/webhook-events/${id}`, more);

test("200 · an event shows its snapshot, the omitted fields and the merged ids", async () => {
  const [kept, removed, batchId] = [newId(), newId(), newId()];
  const snapshot = {
    type: "people",
    id: kept,
    attributes: { "full-name": "Zoë" },
    relationships: {},
  };
  const id = await recordEvent(db, account.id, {
    type: "person.merged",
    subject: { type: "people", id: kept },
    actorId: account.administrator.id,
    cause: "ui",
    batchId,
    snapshot: JSON.stringify(snapshot),
    originalBytes: 70_000,
    omittedFields: ["custom-properties.story"],
    merge: { "kept-id": kept, "removed-ids": [removed] },
  });
  const answer = await read(id);
  assert.equal(answer.status, 200, answer.text);
  const { attributes, relationships } = one(answer);
  const { "occurred-at": occurredAt, "expires-at": expiresAt, ...others } = attributes;
  assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(occurredAt)), 30 * DAY);
  assert.deepEqual(others, {
    "event-type": "person.merged",
    "schema-version": 1,
    "cause": "ui",
    "batch-id": batchId,
    "changed-fields": null,
    snapshot,
    "truncation": {
      "is-truncated": true,
      "omitted-fields": ["custom-properties.story"],
      "original-bytes": 70_000,
    },
    "merge": { "kept-id": kept, "removed-ids": [removed] },
  });
  assert.deepEqual(relationships, {
    account: { data: { type: "accounts", id: account.id } },
    subject: { data: { type: "people", id: kept } },
    actor: { data: { type: "people", id: account.administrator.id } },
  });
});

test("200 · an event of the operator has no actor, and its subject may have any type", async () => {
  const subject = { type: "form-submissions", id: newId() };
  const id = await recordEvent(db, account.id, { subject, actorId: null });
  const { relationships } = one(await read(id));
  assert.deepEqual(relationships["actor"], { data: null });
  assert.deepEqual(relationships["subject"], { data: subject });
});

test("200 · the snapshot is returned as the text that was captured", async () => {
  const snapshot = '{"type":"courses", "id":"1","attributes":{"price":1.50,"b":1,"a":2}}';
  const id = await recordEvent(db, account.id, { snapshot });
  assert.ok((await read(id)).text.includes(`"snapshot":${snapshot}`));
});

test("200 · an event of a deletion shows only the type and the id of its subject", async () => {
  await makeEndpoint(db, account.id, { events: ["person.deleted", "course.deleted"] });
  const subjects = [
    { type: "people", id: (await makePerson(db, account.id)).id },
    { type: "courses", id: await makeCourse(db, account.id) },
  ];
  for (const subject of subjects) {
    assert.equal((await service.delete(`/v1/${subject.type}/${subject.id}`)).status, 204);
    const events = await db<{ id: string; snapshot: string }[]>`
      select id, snapshot from webhook_events where account_id = ${account.id} and subject_id = ${subject.id}`;
    assert.equal(events.length, 1);
    assert.deepEqual(JSON.parse(events[0]?.snapshot ?? ""), subject);
    const { attributes, relationships } = one(await read(events[0]?.id ?? ""));
    assert.deepEqual(attributes["snapshot"], subject);
    assert.deepEqual(relationships["subject"], { data: subject });
  }
});

test("404 · an event is gone 30 days after it was captured, even if its partition remains", async () => {
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
  const [kept, over] = [ago(30 * DAY - MINUTE), ago(30 * DAY + MINUTE)];
  for (const at of [kept, over]) await makeDay(db, at);
  assert.equal((await read(await recordEvent(db, account.id, { at: kept }))).status, 200);
  assert.equal((await read(await recordEvent(db, account.id, { at: over }))).status, 404);
});

test("404 · an event is gone once its person is deleted", async () => {
  const person = await makePerson(db, account.id);
  const id = await recordEvent(db, account.id, { subject: { type: "people", id: person.id } });
  assert.equal((await read(id)).status, 200);
  assert.equal((await service.delete(`/v1/people/${person.id}`)).status, 204);
  assert.deepEqual(codes(await read(id)), ["not-found"]);
});
