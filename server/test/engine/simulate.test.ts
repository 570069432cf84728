import { after, test } from "node:test";
import { connect } from "../../src/store/db.ts";
import { simulate } from "../simulate/simulation.ts";
import { freshDatabase } from "../support/database.ts";

/**
 * Add seeds that have failed, with the fault they found. The first two have not failed. They are kept because they found nearly
 * all faults that were made on purpose. In 15, an attempt at a previous URL counted against the current one.
 * The seeds of the core cover the other fault that was found, a wrong suppression reason.
 */
const KEPT: readonly (readonly [seed: number, steps: number])[] = [
  [1, 220],
  [2, 260],
  [15, 90],
];

const database = await freshDatabase("the engine takes the work of every account");
const db = connect(database.url, { max: 4, byIndex: true });
after(async () => {
  await db.end({ timeout: 5 });
  await database.close();
});

for (const [seed, steps] of KEPT)
  test(`seed ${seed}: nothing is lost or stuck, and no worker writes without its lease`, async () => {
    await simulate(db, seed, steps);
  });
