import type { DemoAccount } from "./demo-account.ts";
import type { SeededAccount } from "./seeded-account.ts";

/** The rows that one feature adds. The modules are loaded only when an account is filled. */
interface Part {
  demo?: () => Promise<{ addDemo: (account: DemoAccount) => Promise<void> }>;
  seed?: () => Promise<{ addSeed: (account: SeededAccount) => Promise<void> }>;
}

/** In this order features fill an account. Each one refers to rows of earlier ones. */
const parts: readonly Part[] = [
  { demo: () => import("./accounts/demo.ts"), seed: () => import("./accounts/seed.ts") },
  { demo: () => import("./people/demo.ts"), seed: () => import("./people/seed.ts") },
  { demo: () => import("./households/demo.ts") },
  { demo: () => import("./tags/demo.ts") },
  { demo: () => import("./courses/demo.ts"), seed: () => import("./courses/seed.ts") },
  { demo: () => import("./cells/demo.ts"), seed: () => import("./cells/seed.ts") },
  { demo: () => import("./forms/demo.ts"), seed: () => import("./forms/seed.ts") },
  { demo: () => import("./notes/demo.ts") },
  { demo: () => import("./roles/demo.ts"), seed: () => import("./roles/seed.ts") },
];

export async function fillDemo(account: DemoAccount): Promise<void> {
  for (const { demo } of parts) await (await demo?.())?.addDemo(account);
}

export async function fillSeeded(account: SeededAccount): Promise<void> {
  for (const { seed } of parts) await (await seed?.())?.addSeed(account);
}
