import { webhookLimits } from "../../base/webhook-limits.ts";

const bounds = webhookLimits.latencyBoundsMs;

/** The first bucket whose bound the latency does not exceed; the last one has none. */
export function bucketOf(latencyMs: number): number {
  const bucket = bounds.findIndex((bound) => latencyMs <= bound);
  return bucket === -1 ? bounds.length : bucket;
}

/** How many of the attempts fell into each bucket: the form of `webhook_hours.latencies`. */
export function latenciesOf(latenciesMs: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const each of latenciesMs) counts[bucketOf(each)] = (counts[bucketOf(each)] ?? 0) + 1;
  return counts;
}
