import { webhookLimits } from "../../src/webhook-limits.ts";
import type { Attempt, StoredDelivery, StoredEndpoint } from "./snapshot.ts";

/** How an endpoint does, by what was recorded of it and in the order in which it started. */
export interface HealthModel {
  readonly lastAttemptAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** Of those that started last, in the same millisecond. */
  readonly lastFailureCodes: readonly (string | null)[];
  readonly oldNewsUntil: number | null;
  /** When its failures started that nothing has ended. */
  readonly streak: readonly number[];
  /** The start of the failure that made it `failing`. */
  readonly failingSince: number | null;
}

/** Those that were the receiver's to answer. */
export const theirsOf = ({ attempts }: StoredDelivery): Attempt[] =>
  attempts.filter(({ outcome, state }) => state === "completed" && outcome !== "system-failure");

export function healthModel({ deliveries, resets }: StoredEndpoint): HealthModel {
  const attempts = deliveries
    .filter(({ kind }) => kind === "production")
    .flatMap(theirsOf)
    .sort((one, other) => one.startedAt - other.startedAt);
  const failures = attempts.filter(({ outcome }) => outcome !== "success");
  const successes = attempts.filter(({ outcome }) => outcome === "success");
  const lastFailureAt = failures.at(-1)?.startedAt ?? null;
  const lastSuccessAt = successes.at(-1)?.startedAt ?? null;
  const news = Math.max(-Infinity, ...resets, lastSuccessAt ?? -Infinity);
  const streak = failures.map(({ startedAt }) => startedAt).filter((at) => at > news);
  return {
    lastAttemptAt: attempts.at(-1)?.startedAt ?? null,
    lastSuccessAt,
    lastFailureAt,
    lastFailureCodes: failures
      .filter(({ startedAt }) => startedAt === lastFailureAt)
      .map(({ code }) => code),
    oldNewsUntil: news === -Infinity ? null : news,
    streak,
    failingSince: streak[webhookLimits.failingFromFailures - 1] ?? null,
  };
}
