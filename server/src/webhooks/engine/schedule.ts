import { webhookLimits } from "../../base/webhook-limits.ts";

/** A manual redelivery is a production delivery that names another as its origin. */
export type DeliveryKind = "production" | "verification" | "test";

const waitsMs: Readonly<Record<DeliveryKind, readonly number[]>> = {
  production: webhookLimits.productionWaitsMs,
  verification: webhookLimits.verificationWaitsMs,
  test: webhookLimits.testWaitsMs,
};

/** From the capture of the event, or from the making of the control message. */
export const lifetimeMs: Readonly<Record<DeliveryKind, number>> = {
  production: webhookLimits.retentionMs,
  verification: webhookLimits.controlMessageMs,
  test: webhookLimits.controlMessageMs,
};

export const attemptsMax = (kind: DeliveryKind): number => waitsMs[kind].length;

/**
 * When to try again after `attemptsMade` attempts that were the receiver's to answer; undefined when there is none
 * left. Waits are counted from the end of an attempt. They vary, so that what failed together does not come back
 * together; but who says when to come back is taken at their word.
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

/** The separate lane of failures of our own: 30 s, doubling to 15 min, for as often as it takes. */
export function systemWaitMs(failuresBefore: number): number {
  const { systemWaitMsMin, systemWaitMsMax } = webhookLimits;
  return Math.min(systemWaitMsMin * 2 ** failuresBefore, systemWaitMsMax);
}
