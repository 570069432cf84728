import { webhookLimits } from "../../base/webhook-limits.ts";

const bounds = webhookLimits.latencyBoundsMs;

/** The first bucket whose bound is not below the latency. The last bucket has no bound. */
export function bucketOf(latencyMs: number): number {
  const bucket = bounds.findIndex((bound) => latencyMs <= bound);
  return bucket === -1 ? bounds.length : bucket;
}

/** Counts the attempts per bucket, in the form of `webhook_hours.latencies`. */
export function latenciesOf(latenciesMs: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const each of latenciesMs) counts[bucketOf(each)] = (counts[bucketOf(each)] ?? 0) + 1;
  return counts;
}
