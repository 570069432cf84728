import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, HOUR, MINUTE } from "../../clock.ts";
import { healthAfter, newHealth, type ProductionAttempt } from "../health.ts";
import { webhookLimits } from "../../webhook-limits.ts";
import type { SuppressionReason } from "../suppression.ts";
import { type Failure, failures } from "./attempt-codes.ts";
import { codeOf, type Happened, outcomeOf } from "./outcome.ts";
import { attemptsMax, type DeliveryKind, lifetimeMs } from "./schedule.ts";
import {
  type DeliveryStanding,
  type DeliveryState,
  deliveryStates,
  transition,
  type Trigger,
  type Verdict,
} from "./transition.ts";

/**
 * Deliveries through the pure core, from a seed, with a clock that jumps and a receiver that has moods: whole months
 * of bad luck in a fraction of a second. A seed that fails is a bug report; run it alone by putting it into SEEDS.
 */
const SEEDS = Array.from({ length: 2_000 }, (_, index) => index + 1);
const DELIVERIES = 12;
const BIRTH = Date.UTC(2026, 0, 1);

type Chance = () => number;

/** mulberry32 */
function chanceFrom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(chance: Chance, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] ?? assert.fail("nothing to pick from");

const moods = ["well", "down", "limping", "busy", "broken", "us"] as const;
const answered = (status: number, retryAfter?: string): Happened => ({
  kind: "answered",
  status,
  retryAfter,
});
const codesOf = (kind: string) =>
  (Object.keys(failures) as Failure[]).filter((code) => failures[code].kind === kind);
const [theirs, ours] = [codesOf("retryable"), codesOf("system")];
const final = [...codesOf("permanent"), ...codesOf("refused")];

function answerIn(mood: (typeof moods)[number], chance: Chance, now: number): Happened {
  switch (mood) {
    case "well":
      return answered(pick(chance, [200, 202, 204]));
    case "down":
      return { kind: "failed", reason: pick(chance, theirs) };
    case "limping":
      return pick(chance, [answered(200), answered(500), answered(502)]);
    case "busy":
      return answered(pick(chance, [429, 503]), retryAfterIn(chance, now));
    case "broken":
      return pick<Happened>(chance, [
        answered(pick(chance, [301, 400, 404, 410])),
        { kind: "failed", reason: pick(chance, final) },
        answered(500),
        answered(599),
      ]);
    case "us":
      return { kind: "failed", reason: pick(chance, ours) };
  }
}

const retryAfterIn = (chance: Chance, now: number) =>
  pick(chance, [
    "0",
    "1.5",
    String(Math.floor(chance() * 200_000)),
    new Date(now + (chance() - 0.2) * 2 * DAY).toUTCString(),
    "99999999999999999999",
    "soon",
  ]);

interface Attempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly webhookId: string;
  readonly isTheirs: boolean;
  readonly code: ReturnType<typeof codeOf> | null;
}

interface Delivery extends DeliveryStanding {
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
    expiresAt: now + lifetimeMs[kind],
    webhookId: `event-${index}`,
    dueAt: now,
    attempts: [],
    path: ["pending"],
  };
}

const isFinal = ({ state }: Delivery) => deliveryStates[state].final;

/** What must hold after every single step, whatever happened. */
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
  assert.ok(attemptsMade <= attemptsMax(delivery.kind), "no attempt too many");
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
  readonly #chance: Chance;
  #now = BIRTH;
  #mood: (typeof moods)[number] = "well";
  #moodUntil = BIRTH;

  constructor(seed: number) {
    this.#chance = chanceFrom(seed);
  }

  /** One life, from capture to the end. */
  live(index: number): Delivery {
    const kind = pick<DeliveryKind>(this.#chance, [
      "production",
      "production",
      "production",
      "verification",
      "test",
    ]);
    this.#now = BIRTH + Math.floor(this.#chance() * 3 * DAY);
    this.#moodUntil = this.#now;
    let delivery = born(kind, index, this.#now);
    for (let step = 0; !isFinal(delivery); step++) {
      assert.ok(step < 20_000, "every life ends");
      delivery = this.#turn(delivery);
    }
    return delivery;
  }

  #turn(delivery: Delivery): Delivery {
    if (this.#happens(0.002))
      return this.#apply(delivery, { kind: "ineligible", reason: this.#reason() });
    // Workers are late, sometimes by days: everybody was asleep.
    const late = this.#happens(0.01) ? this.#chance() * 4 * DAY : this.#chance() * 2_000;
    this.#now = Math.max(this.#now, delivery.dueAt) + Math.floor(late);
    if (this.#now >= delivery.expiresAt && this.#happens(0.5))
      return this.#apply(delivery, { kind: "lifetime-ended" });
    const claimed = this.#apply(delivery, { kind: "claimed" });
    return isFinal(claimed) ? claimed : this.#work(claimed);
  }

  #work(delivery: Delivery): Delivery {
    if (this.#happens(0.002))
      return this.#apply(delivery, { kind: "ineligible", reason: this.#reason() });
    if (this.#happens(0.01)) return this.#apply(delivery, { kind: "given-back" });
    const startedAt = this.#now;
    assert.ok(startedAt < delivery.expiresAt, "every attempt starts before the lifetime ends");
    if (this.#happens(0.01)) {
      this.#now += webhookLimits.leaseMs;
      return this.#apply(delivery, { kind: "lease-ended" });
    }
    return this.#attempt(delivery, startedAt);
  }

  #attempt(delivery: Delivery, startedAt: number): Delivery {
    const happened = answerIn(this.#moodNow(), this.#chance, startedAt);
    this.#now += Math.floor(this.#chance() * webhookLimits.attemptMsMax);
    const outcome = outcomeOf(happened, undefined, this.#now);
    const ineligible = this.#happens(0.01) ? this.#reason() : undefined;
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
    const verdict = transition(delivery, trigger, this.#now, this.#chance);
    assert.ok(verdict, `${trigger.kind} can happen to ${delivery.state}`);
    return applied(delivery, verdict, this.#now);
  }

  #moodNow() {
    if (this.#now >= this.#moodUntil) {
      this.#mood = pick(this.#chance, moods);
      const length = pick(this.#chance, [MINUTE, HOUR, DAY, 10 * DAY]);
      this.#moodUntil = this.#now + this.#chance() * length;
    }
    return this.#mood;
  }

  #happens(probability: number): boolean {
    return this.#chance() < probability;
  }

  #reason = () => pick<SuppressionReason>(this.#chance, ["manual-pause", "url-changed", "deleted"]);
}

function play(seed: number): Delivery[] {
  const simulation = new Simulation(seed);
  return Array.from({ length: DELIVERIES }, (_, index) => simulation.live(index));
}

/** What must hold of a whole life. */
function judge({ kind, state, attempts, attemptsMade, expiresAt, bornAt }: Delivery): void {
  const used = attempts.filter(({ isTheirs }) => isTheirs);
  assert.equal(used.length, attemptsMade);
  assert.ok(used.length <= attemptsMax(kind));
  assert.ok(attempts.every(({ startedAt }) => startedAt >= bornAt && startedAt < expiresAt));
  assert.ok(new Set(attempts.map(({ webhookId }) => webhookId)).size <= 1, "one webhook id");
  for (const [index, { startedAt }] of attempts.entries())
    assert.ok(startedAt >= (attempts[index - 1]?.endedAt ?? bornAt), "one attempt at a time");
  const successes = used.filter(({ code }) => code === null).length;
  assert.ok(successes <= 1);
  // A verification that is answered too late has reached the receiver and activates nothing.
  if (state === "delivered") assert.equal(successes, 1);
  else if (successes === 1) assert.ok(kind === "verification" && state === "expired");
  if (state === "exhausted" || state === "failed-permanent") assert.ok(used.length > 0);
}

/** However the results come in, those of one endpoint's deliveries add up to the streak their starts tell. */
function judgeHealth(deliveries: readonly Delivery[], chance: Chance): void {
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
    .map((attempt) => ({ attempt, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ attempt }) => attempt);
  const scattered = shuffled.reduce((health, one) => healthAfter(health, [one]), newHealth);
  // A success from the midst of a streak leaves one failure of which it is known that it came later.
  assert.ok(scattered.consecutiveFailures <= streak, "old news makes no streak longer");
  assert.equal(scattered.consecutiveFailures > 0, streak > 0, "nor forgets that there is one");
  for (const member of ["lastAttemptAt", "lastSuccessAt", "lastFailureAt"] as const)
    assert.equal(scattered[member], together[member]);
}

test(`deliveries live within their limits, from ${SEEDS.length} seeds`, () => {
  const reached = new Set<DeliveryState>();
  let days = 0;
  for (const seed of SEEDS)
    try {
      const deliveries = play(seed);
      deliveries.forEach(judge);
      judgeHealth(deliveries, chanceFrom(seed));
      for (const { path, attempts, bornAt } of deliveries) {
        path.forEach((state) => reached.add(state));
        days += ((attempts.at(-1)?.endedAt ?? bornAt) - bornAt) / DAY;
      }
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
  assert.deepEqual([...reached].sort(), Object.keys(deliveryStates).sort(), "no state unvisited");
  assert.ok(days > 10_000, `${days} days`);
});

test("a seed repeats its story", () => {
  assert.deepEqual(play(7), play(7));
  assert.notDeepEqual(play(7), play(8));
});
