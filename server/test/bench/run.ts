/**
 * `npm run bench [-- --only read,list --seconds 3 --rounds 5 --json]`  the service against the floor
 * `npm run bench -- --scale [--json]`                                   a church of 100,000 against one of 5,000
 *
 * Each starts a PostgreSQL of its own, set up as the service sets up its own, in a directory that is removed
 * afterwards. docs/benchmarks.md says how to read the figures.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { machine, routesTable, scaleTable } from "./report.ts";
import { benchRoutes, routeNames } from "./routes.ts";
import { benchScale } from "./scale.ts";

const { values } = parseArgs({
  options: {
    "scale": { type: "boolean", default: false },
    "only": { type: "string", default: routeNames.join(",") },
    "seconds": { type: "string", default: "3" },
    "rounds": { type: "string", default: "5" },
    "json": { type: "boolean", default: false },
    /** CPU profiles of the service go into this directory. */
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
  const result = values.scale
    ? { machine: about, ...(await benchScale({ databaseUrl, db, say })) }
    : {
        machine: about,
        ...(await benchRoutes({
          databaseUrl,
          db,
          say,
          only: values.only.split(","),
          seconds: Number(values.seconds),
          rounds: Number(values.rounds),
          ...(values["cpu-prof"] && { profile: resolve(values["cpu-prof"]) }),
        })),
      };
  await db.end();
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else console.log("routes" in result ? routesTable(result) : scaleTable(result));
}
