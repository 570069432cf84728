import { webhookLimits } from "../../src/base/webhook-limits.ts";
import type { Attempt, StoredDelivery, StoredEndpoint } from "./snapshot.ts";

/** The health of an endpoint, computed from its attempts in the order of their start. */
export interface HealthModel {
  readonly lastAttemptAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** The outcomes of the attempts that started last, in the same millisecond. */
  readonly lastFailureCodes: readonly (string | null)[];
  /** The last reset or success, or a success at the previous URL by a worker whose clock was ahead. */
  readonly oldNewsUntil: readonly (number | null)[];
  /** When the current streak of failures started. */
  readonly streak: readonly number[];
  /** The start of the failure that made it `failing`. */
  readonly failingSince: number | null;
}

/** The attempts whose outcome depended on the receiver. */
export const theirsOf = ({ attempts }: StoredDelivery): Attempt[] =>
  attempts.filter(({ outcome, state }) => state === "completed" && outcome !== "system-failure");

export function healthModel(endpoint: StoredEndpoint): HealthModel {
  const { deliveries, destinationVersion, resets } = endpoint;
  const attempts = deliveries
    .filter(({ kind }) => kind === "production")
    .flatMap((delivery) => {
      const isHere = delivery.destinationVersion === destinationVersion;
      return theirsOf(delivery).map((attempt) => ({ ...attempt, isHere }));
    })
    .sort((one, other) => one.startedAt - other.startedAt);
  const failures = attempts.filter(({ outcome }) => outcome !== "success");
  const successes = attempts.filter(({ outcome }) => outcome === "success");
  const lastFailureAt = failures.at(-1)?.startedAt ?? null;
  const lastSuccessAt = successes.at(-1)?.startedAt ?? null;
  // An attempt that began before the URL changed does not count for the new URL.
  const starts = (of: typeof attempts, here: boolean) =>
    of.filter(({ isHere }) => isHere === here).map(({ startedAt }) => startedAt);
  const news = Math.max(-Infinity, ...resets, ...starts(successes, true));
  const streak = starts(failures, true).filter((at) => at > news);
  return {
    lastAttemptAt: attempts.at(-1)?.startedAt ?? null,
    lastSuccessAt,
    lastFailureAt,
    lastFailureCodes: failures
      .filter(({ startedAt }) => startedAt === lastFailureAt)
      .map(({ code }) => code),
    oldNewsUntil: [
      news === -Infinity ? null : news,
      ...starts(successes, false).filter((at) => at > news),
    ],
    streak,
    failingSince: streak[webhookLimits.failingFromFailures - 1] ?? null,
  };
}
