import { testAuthority } from "../../support/receiver.ts";
import { capture } from "./capture.ts";
import { makePast } from "./days.ts";
import { fanOut } from "./fan-out.ts";
import { history } from "./history.ts";
import { isolation } from "./isolation.ts";
import { lag } from "./lag.ts";
import { retention } from "./retention.ts";
export type { Figure } from "./stand.ts";
import { type Bench, type Figure, type Stand } from "./stand.ts";
import { throughput } from "./throughput.ts";

/** In this order: each begins with nothing, but for the last two, which share a month of history. */
const benches: Readonly<Record<string, Bench>> = {
  throughput,
  "fan-out": fanOut,
  lag,
  capture,
  isolation,
  retention,
  history,
};

export const webhookBenchNames = Object.keys(benches);

export interface WebhooksResult {
  webhooks: { title: string; figures: readonly Figure[] }[];
}

export async function benchWebhooks(
  stand: Omit<Stand, "authority">,
  only: readonly string[],
): Promise<WebhooksResult> {
  await makePast(stand.db);
  const webhooks: WebhooksResult["webhooks"] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (!only.includes(name)) continue;
    stand.say(`${bench.title} …`);
    const figures = await bench.run({ ...stand, authority: testAuthority().cert });
    webhooks.push({ title: bench.title, figures });
  }
  return { webhooks };
}
