/**
 * `npm run simulate [-- --part core|database --from 1 --seeds 100 --steps 300]`
 *
 * Lives of webhooks from seeds: through the pure core first, then on a PostgreSQL of its own. A seed that fails is printed
 * with how to run it alone; put it into KEPT of src/webhooks/engine/simulate.test.ts, or of test/engine/simulate.test.ts,
 * so that it never fails again. A run of the usual size or more fails, too, where it has not met all there is to meet.
 */
import { parseArgs } from "node:util";
import { connect } from "../../src/store/db.ts";
import { startTestServer } from "../support/postgres.ts";
import { simulateCore } from "./core.ts";
import { mustHaveMet, mustHaveMetInCore, total } from "./met.ts";
import { simulate, type Story } from "./simulation.ts";

const usual = { core: 20_000, database: 100, steps: 300 };

const { values } = parseArgs({
  options: {
    part: { type: "string" },
    from: { type: "string", default: "1" },
    seeds: { type: "string" },
    steps: { type: "string", default: String(usual.steps) },
  },
});
const steps = Number(values.steps);

/** No seeds if this part is not selected. */
function seedsOf(part: "core" | "database"): number[] {
  if (values.part !== undefined && values.part !== part) return [];
  const length = Number(values.seeds ?? usual[part]);
  return Array.from({ length }, (_, index) => Number(values.from) + index);
}

const core = seedsOf("core");
if (core.length > 0) {
  const { reached, ...counts } = simulateCore(core);
  console.log("Through the core:", counts);
  if (core.length >= usual.core) mustHaveMetInCore(reached);
}

const database = seedsOf("database");
if (database.length > 0) {
  const stories = await simulateAll(database);
  const story = total(stories);
  console.log("On a database:", { seeds: stories.length, ...story });
  if (stories.length >= usual.database && steps >= usual.steps) mustHaveMet(story);
}

async function simulateAll(seeds: readonly number[]): Promise<Story[]> {
  const server = await startTestServer((line) => process.stderr.write(`${line}\n`));
  const db = connect(server.templateUrl, { max: 4, byIndex: true });
  try {
    const stories: Story[] = [];
    for (const seed of seeds)
      stories.push(
        await simulate(db, seed, steps).catch((error) => {
          console.error(
            `Seed ${seed} failed: npm run simulate -- --part database --from ${seed} --seeds 1 --steps ${steps}`,
          );
          throw error;
        }),
      );
    return stories;
  } finally {
    await db.end({ timeout: 5 });
    await server.stop();
  }
}
