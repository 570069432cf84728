import assert from "node:assert/strict";
import { DAY } from "../../src/base/clock.ts";
import type { Db } from "../../src/store/db.ts";
import { firstRound, reconcile } from "../../src/webhooks/engine/reconcile.ts";
import { Die } from "./die.ts";
import { happenings } from "./happenings.ts";
import { healthModel } from "./health.ts";
import { mustHold, ofDeliveries, ofEndpoints, ofEverything } from "./invariants.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { pass } from "./time.ts";
import { send, settleSome, take, turn } from "./workers.ts";
import { addEndpoint, makeWorld, type World } from "./world.ts";

const ENDPOINTS = 3;

/** How often each situation was reached. */
export interface Story {
  readonly days: number;
  readonly deliveries: number;
  readonly sent: number;
  /** Attempts by outcome, or abandoned. */
  readonly attempts: Counts;
  readonly states: Counts;
  readonly suppressed: Counts;
  readonly happened: Counts;
}

export type Counts = Readonly<Record<string, number>>;

/**
 * One account's webhooks through weeks of bad luck, from a seed: the engine's own claim, work, settle and sweep on a real
 * database, receivers that have moods, workers that die or sleep at every stage, and people who change their minds.
 *
 * The database's clock goes on while it runs, so that a seed tells the same story again but for what a millisecond decides.
 */
export async function simulate(db: Db, seed: number, steps: number): Promise<Story> {
  const { random } = Math;
  // The waits have their own generator, because extra calls would change the rest of the simulation.
  Math.random = new Die(~seed).throw;
  try {
    return await live(await makeWorld(db, new Die(seed)), steps);
  } finally {
    Math.random = random;
  }
}

async function live(world: World, steps: number): Promise<Story> {
  const happened: Record<string, number> = {};
  for (let made = 0; made < ENDPOINTS; made++) await addEndpoint(world);
  await turn(world);
  let snapshot = await judged(world);
  for (let step = 0; step < steps; step++) {
    const { name, run } = world.die.weigh(happenings);
    try {
      if (await run(world)) happened[name] = (happened[name] ?? 0) + 1;
      snapshot = await judged(world, snapshot);
    } catch (error) {
      throw new Error(`step ${step}, ${name}: ${String(error)}`, { cause: error });
    }
  }
  snapshot = await comeToRest(world, snapshot);
  const deliveries = [...snapshot.deliveries.values()];
  return {
    days: world.passedMs / DAY,
    deliveries: deliveries.length,
    sent: [...world.sent.values()].reduce((sum, times) => sum + times, 0),
    attempts: countsOf(
      deliveries.flatMap(({ attempts }) => attempts.map(({ outcome, state }) => outcome ?? state)),
    ),
    states: countsOf(deliveries.map(({ status }) => status)),
    suppressed: countsOf(deliveries.flatMap(({ suppressionReason }) => suppressionReason ?? [])),
    happened,
  };
}

const countsOf = (names: readonly string[]): Counts =>
  Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, of]) => [name, of.length]),
  );

/** Checks all invariants. */
async function judged(world: World, before?: Snapshot): Promise<Snapshot> {
  const snapshot = await takeSnapshot(world);
  const { deliveries, endpoints, now } = snapshot;
  mustHold(ofEverything, snapshot, world);
  for (const [id, delivery] of deliveries)
    mustHold(ofDeliveries, delivery, {
      before: before?.deliveries.get(id),
      sent: world.sent.get(id) ?? 0,
      now,
    });
  for (const [id, endpoint] of endpoints) {
    const model = healthModel(endpoint);
    if (model.streak.length === 0) world.scattered.delete(id);
    const inOrder = !world.scattered.has(id);
    mustHold(ofEndpoints, endpoint, { before: before?.endpoints.get(id), model, inOrder, now });
  }
  return snapshot;
}

/** Heals all receivers and lets time pass until no work is left. */
async function comeToRest(world: World, last: Snapshot): Promise<Snapshot> {
  for (const receiver of world.receivers.values()) receiver.recover();
  let snapshot = last;
  for (let rounds = 0; snapshot.places.length > 0; rounds++) {
    assert.ok(rounds < 30, "everything comes to its end");
    await pass(world, 2 * DAY);
    await take(world, 1_000);
    while (world.claims.length > 0) await send(world);
    while (world.results.length > 0) await settleSome(world);
    snapshot = await judged(world, snapshot);
  }
  const { found } = await reconcile(world.db, firstRound);
  assert.deepEqual(found, { requeued: 0, removed: 0 }, "there was nothing to mend");
  return snapshot;
}
