import { webhookLimits } from "../../base/webhook-limits.ts";

export type DeliveryKind = "production" | "verification" | "test";

/** The waits before each attempt. */
export const waitsMs: Readonly<Record<DeliveryKind, readonly number[]>> = {
  production: webhookLimits.productionWaitsMs,
  verification: webhookLimits.verificationWaitsMs,
  test: webhookLimits.testWaitsMs,
};

/**
 * Returns the time of the next attempt, or undefined if no attempt is left. Waits start at the end of an attempt.
 * Random variation spreads deliveries that failed together. A `Retry-After` is used exactly.
 */
export function nextAttemptAt(
  kind: DeliveryKind,
  attemptsMade: number,
  now: number,
  random: () => number,
  retryAfterMs?: number,
): number | undefined {
  const wait = waitsMs[kind][attemptsMade];
  if (wait === undefined) return undefined;
  return now + Math.round(retryAfterMs ?? varied(wait, random()));
}

const varied = (ms: number, chance: number) =>
  ms * (1 + webhookLimits.waitJitter * (2 * chance - 1));

/** The wait after a failure of the service: 30 s, doubling to 15 min, without limit. */
export function systemWaitMs(failuresBefore: number): number {
  const { systemWaitMsMin, systemWaitMsMax } = webhookLimits;
  return Math.min(systemWaitMsMin * 2 ** failuresBefore, systemWaitMsMax);
}
