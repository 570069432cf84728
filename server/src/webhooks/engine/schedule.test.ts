import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR, MINUTE, SECOND } from "../../base/clock.ts";
import { type DeliveryKind, nextAttemptAt, systemWaitMs, waitsMs } from "./schedule.ts";

const now = Date.UTC(2026, 0, 1);
const middle = () => 0.5;

const promised: Record<DeliveryKind, readonly number[]> = {
  production: [0, 1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE),
  verification: [0, MINUTE, 5 * MINUTE],
  test: [0],
};

for (const [kind, waits] of Object.entries(promised) as [DeliveryKind, number[]][])
  test(`${kind} has ${waits.length} attempts, each after its wait and up to 10 % more or less`, () => {
    assert.equal(waitsMs[kind].length, waits.length);
    for (const [made, wait] of waits.entries()) {
      assert.equal(nextAttemptAt(kind, made, now, middle), now + wait);
      assert.equal(
        nextAttemptAt(kind, made, now, () => 0),
        now + 0.9 * wait,
      );
      assert.equal(
        nextAttemptAt(kind, made, now, () => 1),
        now + 1.1 * wait,
      );
      assert.equal(
        nextAttemptAt(kind, made, now, () => 0, 7 * HOUR),
        now + 7 * HOUR,
      );
      assert.equal(
        nextAttemptAt(kind, made, now, () => 0, 0),
        now,
      );
    }
    assert.equal(nextAttemptAt(kind, waits.length, now, middle), undefined);
    assert.equal(nextAttemptAt(kind, waits.length, now, middle, 0), undefined);
  });

test("system failures wait 30 s, doubling up to 15 min", () => {
  const waits = [0.5, 1, 2, 4, 8, 15, 15].map((minutes) => minutes * MINUTE);
  assert.deepEqual(
    waits.map((_, before) => systemWaitMs(before)),
    waits,
  );
  assert.equal(systemWaitMs(5_000), 15 * MINUTE);
  assert.equal(systemWaitMs(0), 30 * SECOND);
});
