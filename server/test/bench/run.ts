/**
 * `npm run bench [-- --only read,list --seconds 3 --rounds 5 --json]`  the service against the floor
 * `npm run bench -- --scale [--json]`                                   a church of 100,000 against one of 5,000
 * `npm run bench -- --webhooks [--only throughput,lag --seconds 20 --rounds 3 --deliveries 500000 --json]`
 *                                                                       what webhooks cost, each beside its floor
 *
 * Each starts a PostgreSQL of its own, set up as the service sets up its own, in a directory that is removed
 * afterwards. docs/benchmarks.md says how to read the figures.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect, type Db } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { machine, routesTable, scaleTable, webhooksTables } from "./report.ts";
import { benchRoutes, routeNames } from "./routes.ts";
import { benchScale } from "./scale.ts";
import { benchWebhooks, webhookBenchNames } from "./webhooks/benches.ts";

const { values } = parseArgs({
  options: {
    "scale": { type: "boolean", default: false },
    "webhooks": { type: "boolean", default: false },
    "only": { type: "string" },
    "seconds": { type: "string" },
    "rounds": { type: "string" },
    "deliveries": { type: "string", default: "5000000" },
    "json": { type: "boolean", default: false },
    /** CPU profiles of the service, or of the engine, go into this directory. */
    "cpu-prof": { type: "string" },
  },
});

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => reject(new Error(`Ended by ${signal}.`)));
});

const say = (line: string) => void process.stderr.write(`${line}\n`);
const directory = await mkdtemp(join(tmpdir(), "vestry-bench-"));
// Root's PostgreSQL runs as another user, who must be able to pass through.
await chmod(directory, 0o711);
try {
  const server = await startEmbedded({ dataDir: join(directory, "data"), say });
  try {
    await Promise.race([run(server.url), interrupted]);
  } finally {
    await server.stop();
  }
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
// Whatever an interruption left running ends here.
process.exit();

async function run(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 4, statementMsMax: 0 });
  const about = await machine(db);
  await migrate(db);
  const result = { machine: about, ...(await measure(databaseUrl, db)) };
  await db.end();
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else if ("webhooks" in result) console.log(webhooksTables(result));
  else console.log("routes" in result ? routesTable(result) : scaleTable(result));
}

function measure(databaseUrl: string, db: Db) {
  const profile = values["cpu-prof"] === undefined ? undefined : resolve(values["cpu-prof"]);
  const among = (names: readonly string[]) => values.only?.split(",") ?? names;
  if (values.scale) return benchScale({ databaseUrl, db, say });
  if (values.webhooks)
    return benchWebhooks(
      {
        databaseUrl,
        db,
        say,
        seconds: Number(values.seconds ?? 20),
        rounds: Number(values.rounds ?? 5),
        deliveries: Number(values.deliveries),
        profile,
      },
      among(webhookBenchNames),
    );
  return benchRoutes({
    databaseUrl,
    db,
    say,
    only: among(routeNames),
    seconds: Number(values.seconds ?? 3),
    rounds: Number(values.rounds ?? 5),
    ...(profile !== undefined && { profile }),
  });
}
