/**
 * `npm run simulate [-- --seeds 100 --from 1 --steps 300]`
 *
 * Lives of webhooks on a PostgreSQL of its own, one seed after the other. One that fails is printed with how to run it
 * alone; put it into KEPT of test/engine/simulate.test.ts, so that it never fails again.
 */
import { parseArgs } from "node:util";
import { connect } from "../../src/store/db.ts";
import { startTestServer } from "../support/postgres.ts";
import { Simulation } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    steps: { type: "string", default: "300" },
  },
});

const server = await startTestServer((line) => process.stderr.write(`${line}\n`));
const db = connect(server.templateUrl, { max: 4, byIndex: true });
const total = { seeds: 0, steps: 0, days: 0, deliveries: 0, sent: 0, abandoned: 0 };
const states: Record<string, number> = {};
try {
  const from = Number(values.from);
  for (let seed = from; seed < from + Number(values.seeds); seed++) {
    const story = await new Simulation(db, seed).run(Number(values.steps)).catch((error) => {
      console.error(
        `Seed ${seed} failed: npm run simulate -- --from ${seed} --seeds 1 --steps ${values.steps}`,
      );
      throw error;
    });
    total.seeds++;
    for (const name of ["steps", "days", "deliveries", "sent", "abandoned"] as const)
      total[name] += story[name];
    for (const [state, count] of Object.entries(story.states))
      states[state] = (states[state] ?? 0) + count;
  }
  console.log(JSON.stringify({ ...total, states }, null, 2));
} finally {
  await db.end({ timeout: 5 });
  await server.stop();
}
