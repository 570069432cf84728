import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY, MINUTE } from "../../../src/base/clock.ts";
import { failureMessage } from "../../../src/webhooks/engine/attempt-codes.ts";
import {
  makeDay,
  recordAttempt,
  recordDelivery,
  recordEvent,
  recordLease,
} from "../../support/history.ts";
import { makeEndpoint, makePerson } from "../../support/make.ts";
import { codes, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const endpointId = await makeEndpoint(db, account.id);

const read = (id: string, more = {}) => service.get(`/v1/webhook-deliveries/${id}`, more);
const attemptsOf = async (id: string) =>
  one(await read(id)).attributes["attempts"] as Record<string, unknown>[];

test("200 · a delivery shows its attempts, newest first", async () => {
  const eventId = await recordEvent(db, account.id);
  const id = await recordDelivery(db, account.id, {
    endpointId,
    eventId,
    status: "delivered",
    attemptCount: 2,
  });
  await recordAttempt(db, account.id, id, {
    sequence: 1,
    outcome: "retryable-failure",
    httpStatus: 503,
    errorCode: "http-503",
    answer: 'Down "for" a \\ minute,\n{really}',
    durationMs: 812,
    startedAt: "2026-03-01T09:30:00.000Z",
    finishedAt: "2026-03-01T09:30:00.812Z",
  });
  await recordAttempt(db, account.id, id, {
    sequence: 2,
    outcome: "success",
    httpStatus: 200,
    durationMs: 95,
    startedAt: "2026-03-01T09:31:02.005Z",
    finishedAt: "2026-03-01T09:31:02.100Z",
  });
  const answer = await read(id);
  assert.equal(answer.status, 200, answer.text);
  const { attributes, relationships } = one(answer);
  assert.deepEqual(attributes["attempts"], [
    {
      "id": `${id}.2`,
      "state": "completed",
      "outcome": "success",
      "attempt-number": 2,
      "http-status": 200,
      "error-code": null,
      "error-message": null,
      "answer": null,
      "duration-ms": 95,
      "started-at": "2026-03-01T09:31:02.005Z",
      "finished-at": "2026-03-01T09:31:02.100Z",
    },
    {
      "id": `${id}.1`,
      "state": "completed",
      "outcome": "retryable-failure",
      "attempt-number": 1,
      "http-status": 503,
      "error-code": "http-503",
      "error-message":
        "The receiver answered 503. The service will retry later. Check the receiver's log for the error.",
      "answer": 'Down "for" a \\ minute,\n{really}',
      "duration-ms": 812,
      "started-at": "2026-03-01T09:30:00.000Z",
      "finished-at": "2026-03-01T09:30:00.812Z",
    },
  ]);
  assert.deepEqual(
    Object.fromEntries(Object.entries(relationships).map(([name, { data }]) => [name, data])),
    {
      "endpoint": { type: "webhook-endpoints", id: endpointId },
      "event": { type: "webhook-events", id: eventId },
      "origin-delivery": null,
    },
  );
});

test("200 · a failed attempt of a verification has the same message as one of an event", async () => {
  const id = await recordDelivery(db, account.id, { endpointId, kind: "verification" });
  await recordAttempt(db, account.id, id, {
    sequence: 1,
    outcome: "retryable-failure",
    errorCode: "tls-failure",
  });
  const [attempt] = await attemptsOf(id);
  assert.equal(attempt?.["error-message"], failureMessage("tls-failure"));
});

test("200 · a delivery that a worker holds is processing, with a started attempt", async () => {
  const nextAttemptAt = "2026-03-01T09:31:00.000Z";
  const id = await recordDelivery(db, account.id, {
    endpointId,
    status: "retry-scheduled",
    attemptCount: 1,
    nextAttemptAt,
  });
  await recordAttempt(db, account.id, id, { sequence: 1, outcome: "retryable-failure" });
  assert.equal(one(await read(id)).attributes["next-attempt-at"], nextAttemptAt);
  const leasedAt = "2026-03-01T09:31:00.007Z";
  await recordLease(db, account.id, id, { claims: 3, attemptsMade: 1, leasedAt });
  const { attributes } = one(await read(id));
  assert.equal(attributes["status"], "processing");
  assert.equal(attributes["next-attempt-at"], null);
  assert.equal(attributes["attempt-count"], 1);
  const [started, ...earlier] = attributes["attempts"] as Record<string, unknown>[];
  assert.deepEqual(started, {
    "id": `${id}.3`,
    "state": "started",
    "outcome": null,
    "attempt-number": 2,
    "http-status": null,
    "error-code": null,
    "error-message": null,
    "answer": null,
    "duration-ms": null,
    "started-at": leasedAt,
    "finished-at": null,
  });
  assert.equal(earlier.length, 1);
});

test("200 · an expired lease is not shown", async () => {
  const id = await recordDelivery(db, account.id, { endpointId, status: "pending" });
  await recordLease(db, account.id, id, { seconds: -1 });
  assert.equal(one(await read(id)).attributes["status"], "pending");
  assert.deepEqual(await attemptsOf(id), []);
});

test("200 · only the 100 most recent attempts are shown", async () => {
  const id = await recordDelivery(db, account.id, { endpointId, status: "retry-scheduled" });
  for (let sequence = 1; sequence <= 103; sequence += 1)
    await recordAttempt(db, account.id, id, { sequence, number: 1, outcome: "system-failure" });
  const settled = (await attemptsOf(id)).map((attempt) => attempt["id"]);
  assert.equal(settled.length, 100);
  assert.deepEqual([settled[0], settled.at(-1)], [`${id}.103`, `${id}.4`]);
  await recordLease(db, account.id, id, { claims: 104 });
  const attempts = await attemptsOf(id);
  assert.equal(attempts.length, 100);
  assert.equal(attempts[0]?.["state"], "started");
});

test("200 · control messages have no event and an event type of their own", async () => {
  for (const kind of ["verification", "test"] as const) {
    const id = await recordDelivery(db, account.id, { endpointId, kind });
    const { attributes, relationships } = one(await read(id));
    assert.equal(attributes["kind"], kind);
    assert.equal(attributes["event-type"], `webhook.${kind}`);
    assert.equal(relationships["event"]?.data, null);
  }
});

test("200 · a control message stays in the history after its 15 minutes", async () => {
  const at = new Date(Date.now() - 20 * MINUTE).toISOString();
  const id = await recordDelivery(db, account.id, { endpointId, kind: "test", at });
  assert.equal((await read(id)).status, 200);
});

test("200 · a delivery outlives its endpoint", async () => {
  const gone = await makeEndpoint(db, account.id);
  const id = await recordDelivery(db, account.id, { endpointId: gone });
  await db`update webhook_endpoints set status = 'deleted' where account_id = ${account.id} and id = ${gone}`;
  assert.equal((await read(id)).status, 200);
  const endpoint = await service.get(`/v1/webhook-deliveries/${id}/endpoint`);
  assert.deepEqual([endpoint.status, endpoint.document.data], [200, null]);
});

test("404 · a delivery is gone 30 days after its event was captured, even if it is newer", async () => {
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
  for (const [at, status] of [
    [ago(30 * DAY - MINUTE), 200],
    [ago(30 * DAY + MINUTE), 404],
  ] as const) {
    await makeDay(db, at);
    const eventId = await recordEvent(db, account.id, { at });
    const id = await recordDelivery(db, account.id, { endpointId, eventId, at: ago(DAY) });
    assert.equal((await read(id)).status, status);
  }
});

test("404 · a delivery is gone once the person in its event is deleted", async () => {
  const person = await makePerson(db, account.id);
  const subject = { type: "people", id: person.id };
  const eventId = await recordEvent(db, account.id, { subject });
  const id = await recordDelivery(db, account.id, { endpointId, eventId });
  assert.equal((await read(id)).status, 200);
  assert.equal((await service.delete(`/v1/people/${person.id}`)).status, 204);
  assert.deepEqual(codes(await read(id)), ["not-found"]);
});
