import assert from "node:assert/strict";
import { DAY } from "../../src/base/clock.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { codeOf, outcomeOf } from "../../src/webhooks/engine/outcome.ts";
import { type DeliveryKind, waitsMs } from "../../src/webhooks/engine/schedule.ts";
import {
  type DeliveryRecord,
  type DeliveryState,
  deliveryStates,
  transition,
  type Trigger,
  type Verdict,
} from "../../src/webhooks/engine/transition.ts";
import {
  healthAfter,
  newHealth,
  type ProductionAttempt,
} from "../../src/webhooks/endpoints/health.ts";
import type { SuppressionReason } from "../../src/webhooks/endpoints/suppression-reasons.ts";
import { Die } from "./die.ts";
import { Receiver } from "./receiver.ts";

/**
 * Runs deliveries through the pure core from a seed, with a jumping clock and an unreliable receiver. Simulates months
 * in a fraction of a second.
 */
const DELIVERIES = 12;
const BIRTH = Date.UTC(2026, 0, 1);

interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly webhookId: string;
  readonly isTheirs: boolean;
  readonly code: ReturnType<typeof codeOf> | null;
}

interface Delivery extends DeliveryRecord {
  readonly webhookId: string;
  readonly bornAt: number;
  readonly dueAt: number;
  readonly attempts: readonly Attempt[];
  readonly path: readonly DeliveryState[];
}

function born(kind: DeliveryKind, index: number, now: number): Delivery {
  return {
    kind,
    state: "pending",
    attemptsMade: 0,
    systemFailures: 0,
    bornAt: now,
    expiresAt:
      now + (kind === "production" ? webhookLimits.retentionMs : webhookLimits.controlMessageMs),
    webhookId: `event-${index}`,
    dueAt: now,
    attempts: [],
    path: ["pending"],
  };
}

const isFinal = ({ state }: Delivery) => deliveryStates[state].final;

/** The invariants after every step. */
function applied(delivery: Delivery, verdict: Verdict, now: number): Delivery {
  const { nextAttemptAt, state, attemptsMade, systemFailures } = verdict;
  assert.ok(!isFinal(delivery), `${delivery.state} is final`);
  const waits = !deliveryStates[state].final && state !== "processing";
  assert.equal(nextAttemptAt !== undefined, waits, "what waits is due at some time, and only that");
  assert.equal(verdict.suppressionReason !== undefined, state === "suppressed");
  if (nextAttemptAt !== undefined) {
    assert.ok(Number.isSafeInteger(nextAttemptAt), "a time is a whole millisecond");
    assert.ok(nextAttemptAt >= now, "the next attempt is never in the past");
    assert.ok(nextAttemptAt <= delivery.expiresAt, "nor beyond the lifetime");
    assert.ok(nextAttemptAt - now <= webhookLimits.productionWaitsMs[7] * 1.1);
    if (state === "retry-scheduled") assert.ok(nextAttemptAt < delivery.expiresAt);
  }
  assert.ok(attemptsMade <= waitsMs[delivery.kind].length, "no attempt too many");
  return {
    ...delivery,
    state,
    attemptsMade,
    systemFailures,
    dueAt: nextAttemptAt ?? delivery.dueAt,
    path: [...delivery.path, state],
  };
}

class Simulation {
  readonly #die: Die;
  #now = BIRTH;
  #receiver: Receiver;

  constructor(seed: number) {
    this.#die = new Die(seed);
    this.#receiver = new Receiver(this.#die, BIRTH);
  }

  /** Simulates one delivery from its capture to its end. */
  live(index: number): Delivery {
    const kind = this.#die.pick<DeliveryKind>([
      "production",
      "production",
      "production",
      "verification",
      "test",
    ]);
    this.#now = BIRTH + this.#die.below(3 * DAY);
    this.#receiver = new Receiver(this.#die, this.#now);
    let delivery = born(kind, index, this.#now);
    for (let step = 0; !isFinal(delivery); step++) {
      assert.ok(step < 20_000, "every life ends");
      delivery = this.#turn(delivery);
    }
    return delivery;
  }

  #turn(delivery: Delivery): Delivery {
    if (this.#die.falls(0.002))
      return this.#apply(delivery, { kind: "ineligible", reason: this.#reason() });
    // Workers are late, sometimes by days.
    const late = this.#die.falls(0.01) ? this.#die.below(4 * DAY) : this.#die.below(2_000);
    this.#now = Math.max(this.#now, delivery.dueAt) + late;
    if (this.#now >= delivery.expiresAt && this.#die.falls(0.5))
      return this.#apply(delivery, { kind: "lifetime-ended" });
    const claimed = this.#apply(delivery, { kind: "claimed" });
    return isFinal(claimed) ? claimed : this.#work(claimed);
  }

  #work(delivery: Delivery): Delivery {
    if (this.#die.falls(0.002))
      return this.#apply(delivery, { kind: "ineligible", reason: this.#reason() });
    if (this.#die.falls(0.01)) return this.#apply(delivery, { kind: "released" });
    const startedAt = this.#now;
    assert.ok(startedAt < delivery.expiresAt, "every attempt starts before the lifetime ends");
    if (this.#die.falls(0.01)) {
      this.#now += webhookLimits.leaseMs;
      return this.#apply(delivery, { kind: "lease-ended" });
    }
    return this.#attempt(delivery, startedAt);
  }

  #attempt(delivery: Delivery, startedAt: number): Delivery {
    const happened = this.#receiver.answer(startedAt);
    this.#now += this.#die.below(webhookLimits.attemptMsMax);
    const outcome = outcomeOf(happened, undefined, this.#now);
    const ineligible = this.#die.falls(0.01) ? this.#reason() : undefined;
    const settled = this.#apply(delivery, { kind: "attempted", outcome, ineligible });
    const isTheirs = outcome.kind !== "system";
    assert.equal(
      settled.attemptsMade - delivery.attemptsMade,
      isTheirs ? 1 : 0,
      "theirs uses an attempt, ours none",
    );
    const { webhookId } = delivery;
    const code = codeOf(outcome) ?? null;
    const attempt = { startedAt, endedAt: this.#now, webhookId, isTheirs, code };
    return { ...settled, attempts: [...settled.attempts, attempt] };
  }

  #apply(delivery: Delivery, trigger: Trigger): Delivery {
    const verdict = transition(delivery, trigger, this.#now, this.#die.throw);
    assert.ok(verdict, `${trigger.kind} can happen to ${delivery.state}`);
    if (trigger.kind === "attempted" && trigger.outcome.kind === "refused")
      assert.equal(verdict.suppressionReason, "security-policy", "what was found is the reason");
    return applied(delivery, verdict, this.#now);
  }

  #reason = () => this.#die.pick<SuppressionReason>(["manual-pause", "url-changed", "deleted"]);
}

export function play(seed: number): Delivery[] {
  const simulation = new Simulation(seed);
  return Array.from({ length: DELIVERIES }, (_, index) => simulation.live(index));
}

/** The invariants of a finished delivery. */
function judge({ kind, state, attempts, attemptsMade, expiresAt, bornAt }: Delivery): void {
  const used = attempts.filter(({ isTheirs }) => isTheirs);
  assert.equal(used.length, attemptsMade);
  assert.ok(used.length <= waitsMs[kind].length);
  assert.ok(attempts.every(({ startedAt }) => startedAt >= bornAt && startedAt < expiresAt));
  assert.ok(new Set(attempts.map(({ webhookId }) => webhookId)).size <= 1, "one webhook id");
  for (const [index, { startedAt }] of attempts.entries())
    assert.ok(startedAt >= (attempts[index - 1]?.endedAt ?? bornAt), "one attempt at a time");
  const successes = used.filter(({ code }) => code === null).length;
  assert.ok(successes <= 1);
  // A verification that is answered too late activates nothing.
  if (state === "delivered") assert.equal(successes, 1);
  else if (successes === 1) assert.ok(kind === "verification" && state === "expired");
  if (state === "exhausted" || state === "failed-permanent") assert.ok(used.length > 0);
}

/** In any order, the results of an endpoint add up to the streak in the order of their starts. */
function judgeHealth(deliveries: readonly Delivery[], die: Die): void {
  const attempts: ProductionAttempt[] = deliveries
    .filter(({ kind }) => kind === "production")
    .flatMap((delivery) => delivery.attempts)
    .filter(({ isTheirs }) => isTheirs)
    .map(({ startedAt, code }) => ({ startedAt, code: code ?? null }));
  const lastSuccess = Math.max(
    -Infinity,
    ...attempts.filter(({ code }) => code === null).map(({ startedAt }) => startedAt),
  );
  const streak = attempts.filter(({ startedAt }) => startedAt > lastSuccess).length;

  const together = healthAfter(newHealth, attempts);
  assert.equal(together.consecutiveFailures, streak, "settled together");

  const shuffled = attempts
    .map((attempt) => ({ attempt, at: die.throw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ attempt }) => attempt);
  const scattered = shuffled.reduce((health, one) => healthAfter(health, [one]), newHealth);
  // A success within a streak leaves one failure that is known to be later.
  assert.ok(scattered.consecutiveFailures <= streak, "old news makes no streak longer");
  assert.equal(scattered.consecutiveFailures > 0, streak > 0, "nor forgets that there is one");
  for (const member of ["lastAttemptAt", "lastSuccessAt", "lastFailureAt"] as const)
    assert.equal(scattered[member], together[member]);
}

export interface CoreStory {
  readonly seeds: number;
  readonly deliveries: number;
  readonly days: number;
  readonly reached: ReadonlySet<DeliveryState>;
}

/** Throws the fault of the first failing seed and names the seed. */
export function simulateCore(seeds: readonly number[]): CoreStory {
  const reached = new Set<DeliveryState>();
  let days = 0;
  for (const seed of seeds)
    try {
      const deliveries = play(seed);
      deliveries.forEach(judge);
      judgeHealth(deliveries, new Die(seed));
      for (const { path, attempts, bornAt } of deliveries) {
        path.forEach((state) => reached.add(state));
        days += ((attempts.at(-1)?.endedAt ?? bornAt) - bornAt) / DAY;
      }
    } catch (error) {
      throw new Error(
        `seed ${seed} failed (npm run simulate -- --part core --from ${seed} --seeds 1): ${String(error)}`,
        { cause: error },
      );
    }
  return {
    seeds: seeds.length,
    deliveries: seeds.length * DELIVERIES,
    days: Math.round(days),
    reached,
  };
}
