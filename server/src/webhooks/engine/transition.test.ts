import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, HOUR, MINUTE, SECOND } from "../../base/clock.ts";
import {
  type DeliveryRow,
  type DeliveryRecord,
  type DeliveryState,
  deliveryStates,
  deliveryTransitions,
  rowFor,
  transition,
  type Trigger,
  type Verdict,
} from "./transition.ts";

const now = Date.UTC(2026, 0, 1);
const middle = () => 0.5;
const standing = (state: DeliveryState, rest: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  kind: "production",
  state,
  attemptsMade: 2,
  systemFailures: 0,
  expiresAt: now + DAY,
  ...rest,
});

const over = { expiresAt: now };
const retryable: Trigger = {
  kind: "attempted",
  outcome: { kind: "retryable", code: "http-503" },
};
const system: Trigger = { kind: "attempted", outcome: { kind: "system", code: "system-fault" } };
const delivered: Trigger = { kind: "attempted", outcome: { kind: "delivered" } };
const permanent: Trigger = {
  kind: "attempted",
  outcome: { kind: "permanent", code: "http-404" },
};
const refused: Trigger = {
  kind: "attempted",
  outcome: { kind: "refused", code: "dns-private-address" },
};

/** One example for every row of the table, in the same order, with all its results. */
const examples: readonly (readonly [
  of: string,
  delivery: Partial<DeliveryRecord>,
  trigger: Trigger,
  verdict: Partial<Verdict>,
])[] = [
  ["claimed → processing", {}, { kind: "claimed" }, {}],
  ["claimed → expired", over, { kind: "claimed" }, {}],
  ["lifetime-ended → expired", over, { kind: "lifetime-ended" }, {}],
  [
    "ineligible → suppressed",
    {},
    { kind: "ineligible", reason: "deleted" },
    { suppressionReason: "deleted" },
  ],
  [
    "ineligible → suppressed",
    {},
    { kind: "ineligible", reason: "manual-pause" },
    { suppressionReason: "manual-pause" },
  ],
  [
    "attempted: delivered → expired",
    { kind: "verification", ...over },
    delivered,
    { attemptsMade: 3 },
  ],
  ["attempted: delivered → delivered", over, delivered, { attemptsMade: 3 }],
  ["attempted: permanent → failed-permanent", {}, permanent, { attemptsMade: 3 }],
  [
    "attempted: refused → suppressed",
    {},
    refused,
    { attemptsMade: 3, suppressionReason: "security-policy" },
  ],
  ["attempted: retryable → exhausted", { attemptsMade: 7 }, retryable, { attemptsMade: 8 }],
  [
    "attempted: retryable → suppressed",
    {},
    { ...retryable, ineligible: "url-changed" },
    { attemptsMade: 3, suppressionReason: "url-changed" },
  ],
  [
    "attempted: retryable → exhausted",
    { expiresAt: now + 30 * MINUTE },
    retryable,
    { attemptsMade: 3 },
  ],
  [
    "attempted: retryable → retry-scheduled",
    { systemFailures: 4 },
    retryable,
    { attemptsMade: 3, systemFailures: 0, nextAttemptAt: now + 30 * MINUTE },
  ],
  ["attempted: system → expired", over, system, { systemFailures: 1 }],
  [
    "attempted: system → suppressed",
    {},
    { ...system, ineligible: "deleted" },
    { systemFailures: 1, suppressionReason: "deleted" },
  ],
  [
    "attempted: system → blocked-system",
    { systemFailures: 2 },
    system,
    { systemFailures: 3, nextAttemptAt: now + 2 * MINUTE },
  ],
  ["lease-ended → expired", over, { kind: "lease-ended" }, { systemFailures: 1 }],
  [
    "lease-ended → blocked-system",
    {},
    { kind: "lease-ended" },
    { systemFailures: 1, nextAttemptAt: now },
  ],
  ["released → expired", over, { kind: "released" }, {}],
  [
    "released → blocked-system",
    { systemFailures: 1 },
    { kind: "released" },
    { nextAttemptAt: now },
  ],
  ["released → retry-scheduled", {}, { kind: "released" }, { nextAttemptAt: now }],
  ["released → pending", { attemptsMade: 0 }, { kind: "released" }, { nextAttemptAt: now }],
];

const nameOf = (row: DeliveryRow) => `${row.trigger} → ${row.to}`;

test("every row of the table has an example", () => {
  assert.deepEqual(
    examples.map(([of]) => of),
    deliveryTransitions.map(nameOf),
  );
});

for (const [index, row] of deliveryTransitions.entries())
  for (const from of row.from)
    test(`row ${index + 1}: ${from}, ${nameOf(row)}${row.when ? `, when ${row.when.says}` : ""}`, () => {
      const [, rest, trigger, expected] = examples[index] ?? assert.fail();
      const delivery = standing(from, rest);
      const { attemptsMade, systemFailures } = delivery;
      assert.deepEqual(transition(delivery, trigger, now, middle), {
        state: row.to,
        attemptsMade,
        systemFailures,
        ...expected,
      });
      const retryAt = row.when?.says === "no attempt is left" ? undefined : now + 30 * MINUTE;
      assert.equal(rowFor({ delivery, trigger, now, retryAt }), row);
    });

const ended: readonly Trigger[] = [delivered, permanent, refused, retryable, system];
const everyTrigger: readonly Trigger[] = examples.map(([, , trigger]) => trigger);

test("a terminal state never changes", () => {
  const states = Object.keys(deliveryStates) as DeliveryState[];
  for (const state of states.filter((each) => deliveryStates[each].final))
    for (const trigger of everyTrigger)
      for (const expiresAt of [now - 1, now + DAY])
        assert.equal(
          transition(standing(state, { expiresAt }), trigger, now, middle),
          undefined,
          `${state}, ${trigger.kind}`,
        );
});

test("a waiting delivery has no attempt to end, and a claimed one is not claimed again or expired", () => {
  for (const state of ["pending", "retry-scheduled", "blocked-system"] as const)
    for (const trigger of ended)
      assert.equal(transition(standing(state), trigger, now, middle), undefined);
  for (const kind of ["claimed", "lifetime-ended"] as const)
    assert.equal(transition(standing("processing", over), { kind }, now, middle), undefined);
});

test("a lifetime that has not ended expires nothing", () => {
  const trigger: Trigger = { kind: "lifetime-ended" };
  assert.equal(transition(standing("pending"), trigger, now, middle), undefined);
});

test("a refused address is the reason, even if the endpoint changed meanwhile", () => {
  const trigger: Trigger = { ...refused, ineligible: "manual-pause" };
  assert.equal(
    transition(standing("processing"), trigger, now, middle)?.suppressionReason,
    "security-policy",
  );
});

test("a Retry-After is exact, and one beyond the lifetime exhausts the delivery", () => {
  const asked = (retryAfterMs: number): Trigger => ({
    kind: "attempted",
    outcome: { kind: "retryable", code: "http-429", retryAfterMs },
  });
  const next = (ms: number) => transition(standing("processing"), asked(ms), now, () => 0);
  assert.equal(next(0)?.nextAttemptAt, now);
  assert.equal(next(7 * HOUR)?.nextAttemptAt, now + 7 * HOUR);
  assert.equal(next(DAY - 1)?.nextAttemptAt, now + DAY - 1);
  assert.equal(next(DAY)?.state, "exhausted");
});

test("a system failure waits no longer than the lifetime", () => {
  const delivery = standing("processing", { systemFailures: 9, expiresAt: now + MINUTE });
  assert.equal(transition(delivery, system, now, middle)?.nextAttemptAt, now + MINUTE);
});

test("a delivery whose workers are lost waits longer each time", () => {
  const lost = (systemFailures: number) =>
    transition(standing("processing", { systemFailures }), { kind: "lease-ended" }, now, middle);
  assert.deepEqual(
    [0, 1, 2].map((failures) => lost(failures)?.nextAttemptAt),
    [now, now + MINUTE, now + 2 * MINUTE],
  );
});

test("a verification has three attempts and a test has one", () => {
  const after = (kind: "verification" | "test", attemptsMade: number) =>
    transition(
      standing("processing", { kind, attemptsMade, expiresAt: now + 15 * MINUTE }),
      retryable,
      now,
      middle,
    );
  assert.equal(after("verification", 0)?.nextAttemptAt, now + MINUTE);
  assert.equal(after("verification", 1)?.nextAttemptAt, now + 300 * SECOND);
  assert.equal(after("verification", 2)?.state, "exhausted");
  assert.equal(after("test", 0)?.state, "exhausted");
});
