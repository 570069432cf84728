import { assignments } from "../../src/store/sql.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { operator } from "../../src/access/operator.ts";
import { capture } from "../../src/events/capture.ts";
import { wake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import { inGlobalTransaction, inTransaction } from "../../src/store/db.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import {
  accountAt,
  attemptsFor,
  deliveryOf,
  engineStage,
  happen,
  makeDue,
} from "../support/engine.ts";
import type { MessageDocument } from "../support/messages.ts";
import { ok, saying } from "../support/receiver.ts";
import { verified } from "../support/signatures.ts";

const { newDatabase, newEngine, newReceiver } = engineStage();
const { db, url } = await newDatabase();
const engine = newEngine(url);
const receiver = await newReceiver();

/** The account's only delivery, once it is no longer pending. */
async function decided(accountId: string) {
  for (;;) {
    const delivery = await deliveryOf(db, accountId);
    if (delivery.status !== "pending") return delivery;
  }
}

const account = (path: string) => accountAt(db, receiver, path);

test("a captured event is delivered at once, signed and recorded", async () => {
  receiver.behave(ok);
  const { endpoint, id, requests } = await account("good");
  const finished = attemptsFor(id);
  await happen(db, id, { changedFields: ["email"] });
  await finished;
  const [request] = requests();
  assert.ok(request);
  assert.equal(request.method, "POST");
  assert.equal(request.headers["content-type"], "application/vnd.api+json");
  assert.equal(request.headers["user-agent"], "Vestry/test");
  const message = verified(endpoint.secret, request) as unknown as {
    data: { id: string; attributes: Record<string, unknown> };
    meta: Record<string, unknown>;
  };
  assert.equal(message.data.id, request.headers["webhook-id"]);
  assert.deepEqual(message.data.attributes["snapshot"], {
    type: "people",
    attributes: { "full-name": "Zoë" },
  });
  const delivery = await deliveryOf(db, id);
  assert.deepEqual(message.meta, {
    "delivery-id": delivery.id,
    "delivery-kind": "production",
    "attempt": 1,
  });
  assert.equal(request.headers["x-svc-delivery-id"], delivery.id);
  assert.deepEqual(delivery, {
    id: delivery.id,
    endpointId: endpoint.id,
    status: "delivered",
    suppressionReason: null,
    attemptCount: 1,
    waitMs: null,
    queued: false,
    attempts: [
      { sequence: 1, number: 1, state: "completed", outcome: "success", status: 200, code: null },
    ],
  });
});

test("a failing delivery makes eight numbered attempts on schedule with one Webhook-Id and is then exhausted", async () => {
  receiver.behave(saying(500));
  const { endpoint, id, requests } = await account("down");
  const minutes = [1, 5, 30, 120, 360, 720, 1_440];
  let finished = attemptsFor(id);
  await happen(db, id);
  for (const [index, wait] of minutes.entries()) {
    await finished;
    const delivery = await deliveryOf(db, id);
    assert.equal(delivery.status, "retry-scheduled");
    assert.equal(delivery.attemptCount, index + 1);
    const ratio = (delivery.waitMs ?? 0) / (wait * 60_000);
    assert.ok(ratio > 0.89 && ratio < 1.11, `${delivery.waitMs} ms after attempt ${index + 1}`);
    finished = attemptsFor(id);
    await makeDue(db, id);
    await sweep(db);
    wake();
  }
  await finished;
  const delivery = await deliveryOf(db, id);
  assert.equal(delivery.status, "exhausted");
  assert.equal(delivery.queued, false);
  assert.deepEqual(
    delivery.attempts.map(({ number, code }) => [number, code]),
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, "http-500"]),
  );
  assert.equal(new Set(requests().map((one) => one.headers["webhook-id"])).size, 1);
  assert.deepEqual(
    requests().map((one) => (verified(endpoint.secret, one) as unknown as MessageDocument).meta),
    [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => ({
      "delivery-id": delivery.id,
      "delivery-kind": "production",
      attempt,
    })),
  );
  const [health] = await db`
    select consecutive_failures as failures, failing_since is not null as failing, last_failure_code as code
    from webhook_endpoint_health where account_id = ${id}`;
  assert.deepEqual({ ...health }, { failures: 8, failing: true, code: "http-500" });
});

test("a Retry-After delays the next attempt, and a permanent failure is not retried", async () => {
  receiver.behave(saying(429, "Retry-After: 7200"));
  const busy = await account("busy");
  let finished = attemptsFor(busy.id);
  await happen(db, busy.id);
  await finished;
  const waits = (await deliveryOf(db, busy.id)).waitMs ?? 0;
  assert.ok(Math.abs(waits - 7_200_000) < 2_000, `${waits} ms`);

  receiver.behave(saying(404));
  const gone = await account("gone");
  finished = attemptsFor(gone.id);
  await happen(db, gone.id);
  const [told] = await finished;
  const { attempts, status } = await deliveryOf(db, gone.id);
  assert.equal(status, "failed-permanent");
  assert.deepEqual(attempts[0]?.code, "http-404");
  // The log, the metrics and the history use the same words.
  assert.deepEqual([told?.outcome, told?.code], ["permanent-failure", "http-404"]);
  assert.equal(attempts[0]?.outcome, told?.outcome);
});

const changes = {
  "manual-pause": { status: "paused", pause_reason: "manual" },
  "destination-version-mismatch": { status: "pending-verification", destination_version: 2 },
  "deleted": { status: "deleted" },
};

for (const [reason, change] of Object.entries(changes))
  test(`an endpoint that changed between a capture and its commit gets no request: ${reason}`, async () => {
    receiver.behave(ok);
    const { id, requests } = await account(reason);
    await inTransaction(db, id, async (tx) => {
      await capture(tx, operator(id), {
        type: "person.created",
        subject: { type: "people", id: newId() },
        snapshot: () => "{}",
      });
      await tx`select`;
      await db`update webhook_endpoints set ${assignments(change)} where account_id = ${id}`;
    });
    const { queued, status, suppressionReason } = await decided(id);
    assert.deepEqual([status, suppressionReason, queued], ["suppressed", reason, false]);
    assert.equal(requests().length, 0);
  });

test("a delivery whose event type was unsubscribed is suppressed without a request", async () => {
  receiver.behave(ok);
  const { id, requests } = await account("paused");
  await db`update webhook_endpoints set status = 'active', events = '{person.created}' where account_id = ${id}`;
  await inGlobalTransaction(db, async (tx) => {
    await tx`select 1`;
  });
  // The endpoint changes after the capture and before the claim, as it can while workers are busy.
  await engine.stop();
  await happen(db, id);
  await db`update webhook_endpoints set events = '{person.deleted}' where account_id = ${id}`;
  newEngine(url);
  wake();
  const { queued, status, suppressionReason } = await decided(id);
  assert.deepEqual(
    [status, suppressionReason, queued],
    ["suppressed", "subscription-removed", false],
  );
  assert.equal(requests().length, 0);
});
