import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  deliveriesOf,
  engineStage,
  happen,
  makeLiveEndpoint,
  observed,
} from "../support/engine.ts";
import { holdTimers } from "../support/held-timers.ts";
import { lyingReceivers } from "../support/lying-receivers.ts";
import type { Receiver } from "../support/receiver.ts";
import { makeAccount } from "../support/make.ts";

/** All of them at once, with one engine. send.test.ts tests each alone. */

const { newDatabase, newEngine, newReceiver } = engineStage();
const { db, url } = await newDatabase();
/** The test ends this time. Nothing else takes so long. */
const timeoutMs = 29_999;
const engine = newEngine(url, { timeoutMs });

/** The outcome and code that the history records. */
function recorded(expected: number | string): readonly [outcome: string, code: string | null] {
  if (expected === 200) return ["success", null];
  if (typeof expected === "number") return ["permanent-failure", `http-${expected}`];
  const isPermanent = expected.startsWith("response-");
  return [isPermanent ? "permanent-failure" : "retryable-failure", expected];
}

const GOOD = 50;

test("every misbehaving receiver gets its own outcome and does not delay the others", async (context) => {
  const limit = holdTimers(context, timeoutMs);
  const account = await makeAccount(db);
  const names = new Map<string, string>();
  const receivers: Receiver[] = [];
  for (const [name, { expected: _, ...options }] of Object.entries(lyingReceivers)) {
    const receiver = await newReceiver(options);
    receivers.push(receiver);
    names.set((await makeLiveEndpoint(db, account.id, { url: receiver.url })).id, name);
  }
  const other = await makeAccount(db);
  const good = await newReceiver();
  receivers.push(good);
  await makeLiveEndpoint(db, other.id, { url: good.url });

  const silent = Object.values(lyingReceivers).filter(({ expected }) => expected === "timeout");
  const answered = observed("attempt-finished", names.size + GOOD - silent.length);
  const finished = observed("attempt-finished", names.size + GOOD);
  await happen(db, account.id);
  for (let count = 0; count < GOOD; count++) await happen(db, other.id);
  await answered;
  while (limit.waiting < silent.length) await turn();
  limit.end();
  const attempts = await finished;

  const history = await deliveriesOf(db, account.id);
  const told = history.map((delivery) => [
    names.get(delivery.endpointId),
    delivery.attempts.map(({ code, number, outcome, state }) => [number, state, outcome, code]),
  ]);
  assert.deepEqual(
    Object.fromEntries(told),
    Object.fromEntries(
      Object.entries(lyingReceivers).map(([name, { expected }]) => [
        name,
        [[1, "completed", ...recorded(expected)]],
      ]),
    ),
  );
  const leased = await db`select from webhook_queue where lease is not null or ready`;
  assert.equal(leased.length, 0);

  const ofGood = attempts.filter(({ accountId }) => accountId === other.id);
  assert.deepEqual(new Set(ofGood.map(({ status }) => status)), new Set(["delivered"]));
  assert.equal(ofGood.length, GOOD);

  // One connection each, and none is left open.
  await engine.stop();
  for (const receiver of receivers) await receiver.closed(receiver.connections);
  for (const receiver of receivers.filter((each) => each !== good)) {
    assert.equal(receiver.connections, 1);
    assert.ok(receiver.begun <= 1);
  }
});
