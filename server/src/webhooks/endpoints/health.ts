import type { AttemptCode } from "../engine/attempt-codes.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * How an endpoint does: a streak of failed attempts, ordered by when they started and not by when they ended.
 *
 * A failure that started before the last success, or before the streak was reset, is old news: a slow one must not
 * restart a streak that the receiver has already ended. Only production attempts count, and only those that were the
 * receiver's to answer.
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
  /** null: a success. */
  readonly code: AttemptCode | null;
  /** It went to a destination that the endpoint had before: it is history, and says nothing of the present one. */
  readonly toEarlierDestination?: boolean;
}

/** After attempts that were settled together, in whatever order they come. */
export function healthAfter(health: Health, attempts: readonly ProductionAttempt[]): Health {
  return [...attempts].sort((a, b) => a.startedAt - b.startedAt).reduce(afterOne, health);
}

/** A resumed endpoint, or one with another destination, starts anew. The history stays. */
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
  // A slow success from before the streak.
  if (startedAt < streakBeganAt) return {};
  // From its midst. How many failures started after it nobody has counted, but the last one did.
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

/** Whether it has failed for so long that nobody seems to look after it. Time alone brings it about. */
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
