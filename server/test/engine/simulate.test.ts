import { after, test } from "node:test";
import { connect } from "../../src/store/db.ts";
import { Simulation } from "../simulate/simulation.ts";
import { freshDatabase } from "../support/database.ts";

/** Seeds that have failed, each with the steps it took, and a few that have not: `npm run simulate` tries more. */
const KEPT: readonly (readonly [seed: number, steps: number])[] = [
  [1, 150],
  [2, 150],
  [3, 150],
];

const database = await freshDatabase();
const db = connect(database.url, { max: 4, byIndex: true });
after(async () => {
  await db.end({ timeout: 5 });
  await database.drop();
});

for (const [seed, steps] of KEPT)
  test(`seed ${seed}: whatever happens, nothing is lost, stuck, or written by whoever lost its lease`, async () => {
    await new Simulation(db, seed).run(steps);
  });
