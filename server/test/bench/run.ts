/**
 * `npm run bench [-- --only read,list --seconds 3 --rounds 5 --json]`  the service against the floor
 * `npm run bench -- --scale [--only import --json]`                     an account of 100,000 people against one of 5,000,
 *                                                                       and an import of 50,000 people
 * `npm run bench -- --fair [--seconds 5 --rounds 5 --json]`             a cheap read beside heavy reads of another account
 * `npm run bench -- --listeners [--seconds 5 --rounds 3 --json]`        writes beside 200 listeners of the feed
 * `npm run bench -- --servers [--only read --seconds 3 --rounds 5 --json]`
 *                                                                       an account on the second of two servers against one server
 * `npm run bench -- --webhooks [--only throughput,lag --seconds 20 --rounds 3 --deliveries 500000 --json]`
 *                                                                       the cost of webhooks, each figure beside its floor
 * `npm run bench -- --path [--only delivered,create --seconds 10 --turns 3 --against 1f2e3d4 --json]`
 *                                                                       the processor time of a change until its delivery
 * `npm run bench -- --path --guard [--seconds 3]`                       the same against the baseline of docs/benchmarks.md;
 *                                                                       exits 1 if it takes much longer
 * `npm run bench -- --check`                                            every figure with a budget; exits 1 if one is missed
 * `npm run bench -- --against 1f2e3d4 [--turns 3 and any of the above]`  the same here and at another commit, in turns, with
 *                                                                       the ratio of each figure
 *
 * Each starts its own PostgreSQL, configured as the service configures its own, in a directory that is removed
 * afterwards. docs/benchmarks.md says how to read the figures.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect, type Db } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { benchAgainst, here, withCheckout } from "./against.ts";
import { isWithin, type Judged, judgeRoutes, judgeScale, judgeWebhooks } from "./budgets.ts";
import { benchFair } from "./fair.ts";
import { guardPath } from "./guard.ts";
import { benchListeners } from "./listeners.ts";
import { benchPath, pathNames } from "./path.ts";
import {
  againstTable,
  budgetsTable,
  machine,
  pathTable,
  routesTable,
  scaleTable,
  webhooksTables,
} from "./report.ts";
import { benchRoutes, routeNames } from "./routes.ts";
import { benchScale } from "./scale.ts";
import { benchServers, serversBenchNames } from "./servers.ts";
import { benchWebhooks, webhookBenchNames } from "./webhooks/benches.ts";

const { tokens, values } = parseArgs({
  tokens: true,
  options: {
    "check": { type: "boolean", default: false },
    "scale": { type: "boolean", default: false },
    "webhooks": { type: "boolean", default: false },
    "fair": { type: "boolean", default: false },
    "path": { type: "boolean", default: false },
    "guard": { type: "boolean", default: false },
    "listeners": { type: "boolean", default: false },
    "servers": { type: "boolean", default: false },
    "only": { type: "string" },
    "seconds": { type: "string" },
    "rounds": { type: "string" },
    "deliveries": { type: "string", default: "2100000" },
    "json": { type: "boolean", default: false },
    /** A commit. */
    "against": { type: "string" },
    "turns": { type: "string", default: "3" },
    /** CPU profiles of the service, or of the engine, go into this directory. */
    "cpu-prof": { type: "string" },
  },
});

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => reject(new Error(`Ended by ${signal}.`)));
});

const WITH_BUDGETS = ["throughput", "lag", "isolation", "history"];
/** The large and the small account, and few others: neighbors do not change the cost of a page. */
const PEOPLE = 105_200;
const profile = values["cpu-prof"] === undefined ? undefined : resolve(values["cpu-prof"]);
const among = (names: readonly string[]) => values.only?.split(",") ?? names;

const say = (line: string) => void process.stderr.write(`${line}\n`);
if (values.against !== undefined && !values.path) {
  // The other commit may not know an option that this one adds, so only options that were given are passed on.
  const passed = tokens.flatMap((token) =>
    token.kind === "option" && !["against", "turns", "json"].includes(token.name)
      ? [token.rawName, ...(token.value === undefined ? [] : [token.value])]
      : [],
  );
  // The interrupted bench ends by itself, and the checkout is removed.
  interrupted.catch(() => undefined);
  const compared = await benchAgainst(values.against, passed, Number(values.turns), say);
  console.log(values.json ? JSON.stringify(compared, null, 2) : againstTable(compared));
  process.exit();
}
const directory = await mkdtemp(join(tmpdir(), "vestry-bench-"));
// Root's PostgreSQL runs as another user, who must be able to pass through.
await chmod(directory, 0o711);
try {
  if (values.path) await Promise.race([values.guard ? guard() : path(), interrupted]);
  else await withServer(run);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
// Stops everything that an interruption left running.
process.exit();

async function withServer(use: (databaseUrl: string) => Promise<void>): Promise<void> {
  const server = await startEmbedded({ dataDir: join(directory, "data"), say });
  try {
    await Promise.race([use(server.url), interrupted]);
  } finally {
    await server.stop();
  }
}

async function guard(): Promise<void> {
  const seconds = Number(values.seconds ?? 3);
  if (!(await guardPath({ directory, seconds, say }))) process.exitCode = 1;
}

/** Each service has a PostgreSQL of its own. */
async function path(): Promise<void> {
  const measure = (checkouts: readonly string[]) =>
    benchPath({
      checkouts,
      directory,
      say,
      only: among(pathNames),
      seconds: Number(values.seconds ?? 10),
      turns: Number(values.turns),
    });
  const result =
    values.against === undefined
      ? await measure([here])
      : await withCheckout(values.against, (there) => measure([there, here]));
  console.log(values.json ? JSON.stringify(result, null, 2) : pathTable(result));
}

async function run(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 4, statementMsMax: 0 });
  const about = await machine(db);
  await migrate(db);
  if (values.check) {
    const judged = await check(databaseUrl, db);
    console.log(budgetsTable(judged));
    if (!judged.every(isWithin)) process.exitCode = 1;
    return db.end();
  }
  const result = { machine: about, ...(await measure(databaseUrl, db)) };
  await db.end();
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else if ("webhooks" in result) console.log(webhooksTables(result));
  else if ("fair" in result) console.log(budgetsTable(result.fair));
  else if ("listeners" in result) console.log(budgetsTable(result.listeners));
  else if ("servers" in result) console.log(budgetsTable(result.servers));
  else console.log("routes" in result ? routesTable(result) : scaleTable(result));
}

function measure(databaseUrl: string, db: Db) {
  if (values.fair) return fair(databaseUrl, db);
  if (values.listeners) return listeners(databaseUrl, db);
  if (values.servers) return servers(databaseUrl, db);
  if (values.scale)
    return benchScale({ databaseUrl, db, say, onlyImport: values.only === "import" });
  return values.webhooks ? webhooks(databaseUrl, db) : routes(databaseUrl, db);
}

function routes(databaseUrl: string, db: Db) {
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

function fair(databaseUrl: string, db: Db) {
  const seconds = Number(values.seconds ?? 5);
  return benchFair({ databaseUrl, db, say, seconds, rounds: Number(values.rounds ?? 5) });
}

function listeners(databaseUrl: string, db: Db) {
  const seconds = Number(values.seconds ?? 5);
  return benchListeners({ databaseUrl, db, say, seconds, rounds: Number(values.rounds ?? 3) });
}

function servers(databaseUrl: string, db: Db, only = among(serversBenchNames)) {
  return benchServers({
    databaseUrl,
    db,
    dataDir: join(directory, "second"),
    say,
    only,
    ...(profile !== undefined && { profile }),
    seconds: Number(values.seconds ?? 3),
    rounds: Number(values.rounds ?? 5),
  });
}

function webhooks(databaseUrl: string, db: Db, only = among(webhookBenchNames)) {
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
    only,
  );
}

async function check(databaseUrl: string, db: Db): Promise<Judged[]> {
  return [
    ...judgeRoutes(await routes(databaseUrl, db)),
    ...judgeWebhooks(await webhooks(databaseUrl, db, WITH_BUDGETS)),
    ...(await fair(databaseUrl, db)).fair,
    ...(await listeners(databaseUrl, db)).listeners,
    ...(await servers(databaseUrl, db)).servers,
    ...judgeScale(await benchScale({ databaseUrl, db, say, people: PEOPLE })),
  ];
}
