import type { AttemptCode } from "../engine/attempt-codes.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * The health of an endpoint: its streak of failed attempts, ordered by start time.
 *
 * A failure that started before the last success or reset does not count. Otherwise a slow failure could restart a
 * streak that the receiver has already ended. Only production attempts count, and failures of the service do not.
 */
export interface Health {
  readonly consecutiveFailures: number;
  /** The start of the first failure of the streak. */
  readonly streakBeganAt: number | null;
  /** The start of the failure that made it `failing`. */
  readonly failingSince: number | null;
  /** Failures that started up to here do not count: the last success, or the last reset. */
  readonly oldNewsUntil: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly lastFailureCode: AttemptCode | null;
}

export const newHealth: Health = {
  consecutiveFailures: 0,
  streakBeganAt: null,
  failingSince: null,
  oldNewsUntil: null,
  lastAttemptAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailureCode: null,
};

export interface ProductionAttempt {
  readonly startedAt: number;
  /** Null for a success. */
  readonly code: AttemptCode | null;
  /** It went to an earlier URL, so it does not affect the streak. */
  readonly toEarlierDestination?: boolean;
}

/** The attempts may come in any order. */
export function healthAfter(health: Health, attempts: readonly ProductionAttempt[]): Health {
  return [...attempts].sort((a, b) => a.startedAt - b.startedAt).reduce(afterOne, health);
}

/** Resuming an endpoint or setting its URL resets the streak but keeps the history. */
export const healthAfterReset = (health: Health, now: number): Health => ({
  ...health,
  ...noStreak,
  oldNewsUntil: later(health.oldNewsUntil, now),
});

const noStreak = { consecutiveFailures: 0, streakBeganAt: null, failingSince: null } as const;

const later = (one: number | null, other: number) => (one === null ? other : Math.max(one, other));

function afterOne(
  health: Health,
  { code, toEarlierDestination, startedAt }: ProductionAttempt,
): Health {
  const seen = { ...health, lastAttemptAt: later(health.lastAttemptAt, startedAt) };
  const judged =
    code === null ? afterSuccess(seen, startedAt) : afterFailure(seen, startedAt, code);
  return toEarlierDestination ? { ...judged, ...streakOf(health) } : judged;
}

const streakOf = ({ consecutiveFailures, failingSince, oldNewsUntil, streakBeganAt }: Health) => ({
  consecutiveFailures,
  failingSince,
  oldNewsUntil,
  streakBeganAt,
});

function afterSuccess(health: Health, startedAt: number): Health {
  return {
    ...health,
    ...streakWithout(health, startedAt),
    oldNewsUntil: later(health.oldNewsUntil, startedAt),
    lastSuccessAt: later(health.lastSuccessAt, startedAt),
  };
}

function streakWithout(health: Health, startedAt: number) {
  const { streakBeganAt, lastFailureAt } = health;
  if (streakBeganAt === null || lastFailureAt === null || lastFailureAt <= startedAt)
    return noStreak;
  // A slow success that started before the streak.
  if (startedAt < streakBeganAt) return {};
  // A success within the streak. The number of failures after it is unknown, but there is at least the last one.
  return { consecutiveFailures: 1, streakBeganAt: lastFailureAt, failingSince: null };
}

function afterFailure(health: Health, startedAt: number, code: AttemptCode): Health {
  const isLatest = health.lastFailureAt === null || startedAt >= health.lastFailureAt;
  const seen = isLatest ? { ...health, lastFailureAt: startedAt, lastFailureCode: code } : health;
  if (health.oldNewsUntil !== null && startedAt <= health.oldNewsUntil) return seen;
  const consecutiveFailures = health.consecutiveFailures + 1;
  const reached = consecutiveFailures === webhookLimits.failingFromFailures;
  return {
    ...seen,
    consecutiveFailures,
    streakBeganAt: Math.min(health.streakBeganAt ?? startedAt, startedAt),
    failingSince: reached ? startedAt : health.failingSince,
  };
}

/** Whether the endpoint has been failing long enough to be paused. */
export const isFailingTooLong = ({ failingSince }: Health, now: number): boolean =>
  failingSince !== null && now - failingSince >= webhookLimits.pausedAfterFailingMs;

export type EffectiveHealth =
  | "pending-verification"
  | "paused"
  | "healthy"
  | "degraded"
  | "failing";

export function effectiveHealth(
  status: "pending-verification" | "active" | "paused",
  { consecutiveFailures }: Pick<Health, "consecutiveFailures">,
): EffectiveHealth {
  if (status !== "active") return status;
  if (consecutiveFailures === 0) return "healthy";
  return consecutiveFailures < webhookLimits.failingFromFailures ? "degraded" : "failing";
}
