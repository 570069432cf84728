import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../../base/clock.ts";
import {
  effectiveHealth,
  healthAfter,
  healthAfterReset,
  isFailingTooLong,
  newHealth,
} from "./health.ts";

const failure = (startedAt: number) => ({ startedAt, code: "http-500" as const });
const success = (startedAt: number) => ({ startedAt, code: null });
const after = (...attempts: (ReturnType<typeof failure> | ReturnType<typeof success>)[]) =>
  attempts.reduce((health, attempt) => healthAfter(health, [attempt]), newHealth);

test("failures count up, and a success resets the count", () => {
  assert.equal(after(failure(1), failure(2)).consecutiveFailures, 2);
  const healed = after(failure(1), failure(2), success(3));
  assert.equal(healed.consecutiveFailures, 0);
  assert.equal(healed.streakBeganAt, null);
  assert.equal(after(failure(1), success(2), failure(3)).consecutiveFailures, 1);
});

test("a late failure from before the last success is ignored", () => {
  const health = after(success(5), failure(3));
  assert.equal(health.consecutiveFailures, 0);
  assert.equal(health.lastFailureAt, 3);
  assert.equal(health.lastAttemptAt, 5);
});

test("a late success from before the streak ends nothing", () => {
  const health = after(failure(5), failure(6), success(3));
  assert.equal(health.consecutiveFailures, 2);
  assert.equal(health.lastSuccessAt, 3);
});

test("a late success within a streak keeps the failures that started after it", () => {
  const health = after(failure(1), failure(2), failure(4), success(3));
  assert.equal(health.consecutiveFailures, 1);
  assert.equal(health.streakBeganAt, 4);
});

test("a success that started with a failure counts, in any order", () => {
  assert.equal(after(failure(5), success(5)).consecutiveFailures, 0);
  assert.equal(after(success(5), failure(5)).consecutiveFailures, 0);
  const midst = after(failure(5), failure(6), success(5));
  assert.deepEqual([midst.consecutiveFailures, midst.streakBeganAt], [1, 6]);
});

test("a late success within a streak of five ends the failing state", () => {
  const failing = after(...[10, 20, 30, 40, 50, 60].map(failure));
  assert.equal(failing.failingSince, 50);
  const health = healthAfter(failing, [success(55)]);
  assert.deepEqual([health.consecutiveFailures, health.failingSince], [1, null]);
  assert.ok(!isFailingTooLong(health, 99 * DAY));
});

test("attempts that are settled together count in the order of their start", () => {
  const attempts = [failure(5), success(4), failure(1), failure(6), failure(2)];
  assert.equal(healthAfter(newHealth, attempts).consecutiveFailures, 2);
  assert.deepEqual(healthAfter(newHealth, attempts.toReversed()), healthAfter(newHealth, attempts));
});

test("the last failure is the one that started last", () => {
  const health = healthAfter(after(failure(5)), [{ startedAt: 3, code: "timeout" }]);
  assert.equal(health.lastFailureCode, "http-500");
  assert.equal(health.consecutiveFailures, 2);
  assert.equal(health.streakBeganAt, 3);
});

test("an active endpoint is degraded from 1 failure and failing from 5", () => {
  const names = [0, 1, 4, 5, 500].map((consecutiveFailures) =>
    effectiveHealth("active", { consecutiveFailures }),
  );
  assert.deepEqual(names, ["healthy", "degraded", "degraded", "failing", "failing"]);
  for (const status of ["paused", "pending-verification"] as const)
    assert.equal(effectiveHealth(status, { consecutiveFailures: 9 }), status);
});

test("an endpoint is unattended 7 days after the failure that made it failing", () => {
  const failing = after(failure(1), failure(2), failure(3), failure(4), failure(5), failure(6));
  assert.equal(failing.failingSince, 5);
  assert.ok(!isFailingTooLong(failing, 5 + 7 * DAY - 1));
  assert.ok(isFailingTooLong(failing, 5 + 7 * DAY));
  const four = after(failure(1), failure(2), failure(3), failure(4));
  assert.ok(!isFailingTooLong(four, 99 * DAY));
  assert.ok(!isFailingTooLong(healthAfter(failing, [success(7)]), 99 * DAY));
});

test("attempts at a previous destination neither start nor end a streak", () => {
  const failed = healthAfter(newHealth, [{ ...failure(1), toEarlierDestination: true }]);
  assert.deepEqual(failed, {
    ...newHealth,
    lastAttemptAt: 1,
    lastFailureAt: 1,
    lastFailureCode: "http-500",
  });
  const streak = after(failure(1), failure(2));
  const succeeded = healthAfter(streak, [{ ...success(3), toEarlierDestination: true }]);
  assert.deepEqual(succeeded, { ...streak, lastAttemptAt: 3, lastSuccessAt: 3 });
});

test("a reset ends the streak, and older attempts are ignored", () => {
  const reset = healthAfterReset(after(failure(1), failure(2)), 10);
  assert.equal(reset.consecutiveFailures, 0);
  assert.equal(reset.lastFailureAt, 2);
  assert.equal(healthAfter(reset, [failure(9)]).consecutiveFailures, 0);
  assert.equal(healthAfter(reset, [failure(11)]).consecutiveFailures, 1);
});

test("a reset with a clock behind the last success changes nothing about it", () => {
  const reset = healthAfterReset(after(success(20)), 10);
  assert.equal(healthAfter(reset, [failure(15)]).consecutiveFailures, 0);
  assert.equal(healthAfter(reset, [failure(21)]).consecutiveFailures, 1);
});
