import { webhookLimits } from "../../src/base/webhook-limits.ts";
import type { Attempt, StoredDelivery, StoredEndpoint } from "./snapshot.ts";

/** How an endpoint does, by what was recorded of it and in the order in which it started. */
export interface HealthModel {
  readonly lastAttemptAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** Of those that started last, in the same millisecond. */
  readonly lastFailureCodes: readonly (string | null)[];
  /** The last reset or success here; or a success at the URL of before, whose worker's clock was ahead of the reset's. */
  readonly oldNewsUntil: readonly (number | null)[];
  /** When its failures started that nothing has ended. */
  readonly streak: readonly number[];
  /** The start of the failure that made it `failing`. */
  readonly failingSince: number | null;
}

/** Those that were the receiver's to answer. */
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
  // What was begun before the change of URL and sent after it says nothing of the present one.
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
