import type { TestContext } from "node:test";
import { recommendedCost, setPasswordCost } from "../../src/access/passwords.ts";

/** A hash of this cost takes less than a millisecond. The runner of the tests sets it. */
export const cheapCost = { memory: 64, passes: 1, parallelism: 1 } as const;

/** Hashes passwords as the service does, until the end of the test. */
export function hashAsTheServiceDoes(t: TestContext): void {
  setPasswordCost(recommendedCost);
  t.after(() => setPasswordCost(cheapCost));
}
