import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, MINUTE } from "../../src/base/clock.ts";
import { inTransaction } from "../../src/store/db.ts";
import { settle } from "../../src/webhooks/engine/settle.ts";
import { pauseFailing } from "../../src/webhooks/engine/sweep.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { actorOf, parts, standing } from "../support/endpoints.ts";
import { deliveriesOf, engineStage, happen, makeLiveEndpoint, takeDue } from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { ok, saying } from "../support/receiver.ts";
import { untilWaiting } from "../support/together.ts";

const { newDatabase, newReceiver, newWorker } = engineStage();
const { db } = await newDatabase();
const receiver = await newReceiver();
const worker = newWorker(db);

async function failing(failures: number) {
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  receiver.behave(saying(500));
  for (let failure = 0; failure < failures; failure++) await happen(db, id);
  await worker.deliver();
  return id;
}

/** Moves the failures into the past. */
const agoBy = (accountId: string, ms: number) => db`
  update webhook_endpoint_health
  set streak_began_at = streak_began_at - ${ms} * interval '1 millisecond',
    failing_since = failing_since - ${ms} * interval '1 millisecond',
    last_failure_at = last_failure_at - ${ms} * interval '1 millisecond'
  where account_id = ${accountId}`;

const standingOf = async (accountId: string) => {
  const [row] = await db<{ status: string; reason: string | null; version: number }[]>`
    select status, pause_reason as reason, version from webhook_endpoints where account_id = ${accountId}`;
  return row ?? assert.fail();
};

test("five failures without a success for seven days pause the endpoint and suppress its work", async () => {
  const id = await failing(webhookLimits.failingFromFailures);
  await agoBy(id, 7 * DAY - MINUTE);
  assert.equal(await pauseFailing(db), 0);
  const { status, version } = await standingOf(id);
  assert.equal(status, "active");

  // More than a minute, because an attempt starts when its worker requests work, which is slightly earlier.
  await agoBy(id, 2 * MINUTE);
  assert.equal(await pauseFailing(db), 1);
  assert.deepEqual(await standingOf(id), {
    status: "paused",
    reason: "health",
    version: version + 1,
  });
  const deliveries = await deliveriesOf(db, id);
  assert.equal(deliveries.length, webhookLimits.failingFromFailures);
  for (const { queued, status: state, suppressionReason } of deliveries)
    assert.deepEqual([state, suppressionReason, queued], ["suppressed", "health-pause", false]);
  const [change] = await db`
    select change, details->>'pause-reason' as reason from webhook_endpoint_changes
    where account_id = ${id} order by id desc limit 1`;
  assert.deepEqual({ ...change }, { change: "paused", reason: "health" });
  assert.equal(await pauseFailing(db), 0, "once");
});

test("four failures do not pause the endpoint, regardless of their age", async () => {
  const id = await failing(webhookLimits.failingFromFailures - 1);
  await agoBy(id, 20 * DAY);
  assert.equal(await pauseFailing(db), 0);
  assert.equal((await standingOf(id)).status, "active");
});

test("a success restarts the seven days", async () => {
  const id = await failing(webhookLimits.failingFromFailures);
  await agoBy(id, 8 * DAY);
  receiver.behave(ok);
  await happen(db, id);
  await worker.deliver();
  receiver.behave(saying(500));
  for (let failure = 0; failure < webhookLimits.failingFromFailures; failure++)
    await happen(db, id);
  await worker.deliver();
  assert.equal(await pauseFailing(db), 0);
  assert.equal((await standingOf(id)).status, "active");
});

test("a success is not recorded between the check and the pause", async () => {
  const id = await failing(webhookLimits.failingFromFailures);
  await agoBy(id, 8 * DAY);
  receiver.behave(ok);
  await happen(db, id);
  const [claimed] = await takeDue(db);
  const success = await worker.send(claimed);
  let pausing: Promise<number> | undefined;
  let settling: Promise<unknown> | undefined;
  await inTransaction(db, id, async (tx) => {
    // The pause suppresses waiting deliveries, and this transaction holds one of them.
    await tx`select from webhook_queue where account_id = ${id} and lease is null for update`;
    pausing = pauseFailing(db);
    await untilWaiting(db, 1);
    settling = settle(db, [success]);
    await untilWaiting(db, 2);
  });
  assert.equal(await pausing, 1);
  await settling;
  const { reason, status } = await standingOf(id);
  assert.deepEqual([status, reason], ["paused", "health"]);
});

test("failures at the previous URL do not count for the current one", async () => {
  const account = await makeAccount(db);
  const { id } = await makeLiveEndpoint(db, account.id, { url: receiver.url });
  receiver.behave(saying(500));
  await happen(db, account.id);
  const [claimed] = await takeDue(db);
  const { configurationVersion: version } = await standing(db, account, id);
  let settling: Promise<unknown> | undefined;
  await inTransaction(db, account.id, async (tx) => {
    // The change starts before the attempt and ends after it, because it has much to suppress.
    await tx`select 1`;
    const failed = await worker.send(claimed);
    const url = `https://moved.example/${id}`;
    await updateEndpoint(
      tx,
      actorOf(account),
      { id, version },
      { kind: "destination", url },
      parts,
    );
    settling = settle(db, [failed]);
    await untilWaiting(db, 1);
  });
  await settling;
  const [health] = await db`
    select consecutive_failures as failures, streak_began_at as began, last_failure_code as last
    from webhook_endpoint_health where account_id = ${account.id}`;
  assert.deepEqual({ ...health }, { failures: 0, began: null, last: "http-500" });
});
