import type { Bench, Figure, Stand } from "./stand.ts";
import { throughput } from "./throughput.ts";

const benches = { throughput } satisfies Record<string, Bench>;

export const webhookBenchNames = Object.keys(benches);

export interface WebhooksResult {
  webhooks: { title: string; figures: readonly Figure[] }[];
}

/** One after the other; each leaves the database as it found it. */
export async function benchWebhooks(
  stand: Stand,
  only: readonly string[],
): Promise<WebhooksResult> {
  const webhooks: WebhooksResult["webhooks"] = [];
  for (const [name, bench] of Object.entries<Bench>(benches)) {
    if (!only.includes(name)) continue;
    stand.say(`${bench.title} …`);
    webhooks.push({ title: bench.title, figures: await bench.run(stand) });
  }
  return { webhooks };
}
