import { after, test } from "node:test";
import { connect } from "../../src/store/db.ts";
import { simulate } from "../simulate/simulation.ts";
import { freshDatabase } from "../support/database.ts";

/**
 * Seeds that have failed belong here, with what they found. The first two have not: they are kept because mistakes made in the
 * engine on purpose were nearly all found by one of them. In 15 an attempt at the URL of before counts against the present one.
 * What else a simulation on a database has found, the wrong reason of a delivery that was refused, is held by the core's seeds.
 */
const KEPT: readonly (readonly [seed: number, steps: number])[] = [
  [1, 220],
  [2, 260],
  [15, 90],
];

const database = await freshDatabase();
const db = connect(database.url, { max: 4, byIndex: true });
after(async () => {
  await db.end({ timeout: 5 });
  await database.close();
});

for (const [seed, steps] of KEPT)
  test(`seed ${seed}: nothing is lost or stuck, and no worker writes without its lease`, async () => {
    await simulate(db, seed, steps);
  });
