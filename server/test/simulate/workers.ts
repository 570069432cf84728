import assert from "node:assert/strict";
import { newId } from "../../src/base/ids.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { claim, type Claimed } from "../../src/webhooks/engine/claim.ts";
import type { Sender, Sent } from "../../src/webhooks/http/send.ts";
import { endpointTriggerOf, settle, settleWithEndpoint } from "../../src/webhooks/engine/settle.ts";
import { Slots } from "../../src/webhooks/engine/slots.ts";
import { databaseTime, released, type ClaimResult, work } from "../../src/webhooks/engine/work.ts";
import { testCipher } from "../support/engine.ts";
import { ofClaims, ofRequests, mustHold } from "./invariants.ts";
import type { Seen } from "./receiver.ts";
import { readStandings, type Standing } from "./snapshot.ts";
import { since, type World } from "./world.ts";

/** A claim and the state of its endpoint at that moment. */
export interface Held {
  readonly claimed: Claimed;
  readonly standing: Standing;
}

/** Works without faults most of the time. */
export async function turn(world: World): Promise<boolean> {
  const { die } = world;
  await takeSome(world);
  while (world.claims.length > 0 && die.falls(0.9)) await send(world);
  while (world.results.length > 0 && die.falls(0.9)) await settleSome(world);
  return true;
}

export async function takeSome(world: World): Promise<boolean> {
  const before = world.claims.length;
  await take(world, 1 + world.die.below(5));
  return world.claims.length > before;
}

export async function take(world: World, limit: number): Promise<void> {
  const { db, leases } = world;
  const { claimed } = await claim(db, {
    lease: newId(),
    limit,
    usage: new Slots().usage(),
    after: undefined,
  });
  const standings = await readStandings(world);
  for (const one of claimed) {
    const at = since(world, one.claimedAt);
    mustHold(ofClaims, one, { leasedUntil: leases.get(one.deliveryId), at });
    leases.set(one.deliveryId, at + webhookLimits.leaseMs);
    const standing = standings.get(one.endpointId) ?? assert.fail("its endpoint is stored");
    world.claims.push({ claimed: one, standing });
  }
}

export async function send(world: World): Promise<boolean> {
  const next = world.claims.shift();
  if (!next) return false;
  const sender: Sender = {
    send: async (request) => {
      const { claimed } = next;
      mustHold(ofRequests, request, next);
      world.sent.set(claimed.deliveryId, (world.sent.get(claimed.deliveryId) ?? 0) + 1);
      const receiver = world.receivers.get(claimed.endpointId) ?? assert.fail("nobody is there");
      const challenge = challengeIn(request.body);
      return sentOf(receiver.answer(since(world, databaseTime(claimed)), challenge));
    },
    idleConnections: 0,
    close: () => undefined,
  };
  const result = await work(next.claimed, { cipher: testCipher, sender, userAgent: "Vestry/test" });
  world.results.push(result);
  return true;
}

const challengeIn = (body: Uint8Array): string | undefined =>
  JSON.parse(Buffer.from(body).toString()).data.attributes.challenge;

const course = { ms: 1, stages: {}, connection: "new" } as const;
const sentOf = (seen: Seen): Sent =>
  seen.kind === "failed" ? { ...course, ...seen, detail: "" } : { ...course, ...seen };

/** Settles some results in nearly any order and possibly long after their leases ended. */
export async function settleSome(world: World): Promise<boolean> {
  const { die, results } = world;
  const from = die.falls(0.7) ? 0 : die.below(results.length);
  const batch = results.splice(from, 1 + die.below(4));
  const [first] = batch;
  if (!first) return false;
  if (batch.some(endpointTriggerOf)) for (const result of batch) await record(world, [result]);
  else await record(world, batch);
  return true;
}

async function record(world: World, batch: readonly ClaimResult[]): Promise<void> {
  const { accountId, db, leases } = world;
  const [first] = batch;
  assert.ok(first);
  const rows = await db<{ id: string; lease: string }[]>`
    select delivery_id as id, lease from webhook_queue where account_id = ${accountId} and lease is not null`;
  const leased = batch.filter(({ claimed }) =>
    rows.some(({ id, lease }) => id === claimed.deliveryId && lease === claimed.lease),
  );
  const { lost, settled } = endpointTriggerOf(first)
    ? await settleWithEndpoint(db, first)
    : await settle(db, batch);
  assert.deepEqual(
    [settled.map(({ result }) => result), lost.length],
    [leased, batch.length - leased.length],
    "what is recorded is what still has its lease",
  );
  for (const { claimed } of leased) leases.delete(claimed.deliveryId);
  noteOrder(world, leased);
}

/** Records the order of settling, which the database does not store and which the health depends on. */
function noteOrder(world: World, recorded: readonly ClaimResult[]): void {
  const { latest, scattered } = world;
  const starts = recorded
    .filter(({ claimed }) => claimed.kind === "production")
    .flatMap(({ attempt, claimed }) =>
      attempt && attempt.outcome.kind !== "system"
        ? [{ endpointId: claimed.endpointId, at: since(world, attempt.startedAt) }]
        : [],
    )
    .sort((one, other) => one.at - other.at);
  for (const { at, endpointId } of starts) {
    if (at < (latest.get(endpointId) ?? 0)) scattered.add(endpointId);
    else latest.set(endpointId, at);
  }
}

/** Kills a worker with everything it held. */
export async function lose({ claims, die, results }: World): Promise<boolean> {
  const from = die.falls(0.5) ? claims : results;
  return from.splice(die.below(from.length), 1 + die.below(3)).length > 0;
}

/** Stops a worker, which returns its unsent claims. */
export async function stop(world: World): Promise<boolean> {
  const claims = world.claims.splice(0);
  for (const { claimed } of claims) world.results.push(released(claimed));
  return claims.length > 0;
}
