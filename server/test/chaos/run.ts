/**
 * `npm run chaos [-- --minutes 2 --workers 3 --servers 1 --json]`
 *
 * Real processes, a real PostgreSQL, real HTTPS receivers that misbehave: the API writes under load while workers, API and
 * PostgreSQL are killed at random. At the end everybody is left in peace, and what the API accepted is compared with what
 * the receivers got. Ends with 1 unless something was accepted, and of it nothing is lost, stuck or signed wrongly.
 *
 * With several servers, the accounts are spread over them. One server at a time, sometimes the home, is killed or frozen for a
 * while. The run also ends with 1 if the accounts of the others notice, or if a row is on a server that is not its account's.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MINUTE, SECOND } from "../../src/base/clock.ts";
import { numberServers } from "../../src/store/number-servers.ts";
import { freePort } from "../../src/store/embedded.ts";
import type { Db } from "../../src/store/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { connectServers } from "../../src/store/servers.ts";
import { testAuthority } from "../support/receiver.ts";
import { makeAccounts } from "./accounts.ts";
import { drain, holds, judge, table } from "./judgement.ts";
import { startLoad } from "./load.ts";
import { Node } from "./node.ts";
import { connectEach, Server } from "./servers.ts";
import { startTrouble } from "./trouble.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    workers: { type: "string", default: "3" },
    servers: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stderr.write(`${line}\n`);

const ACCOUNTS_MIN = 4;

const directory = await mkdtemp(join(tmpdir(), "vestry-chaos-"));
// PostgreSQL that root starts runs as another user, who must be able to reach the directory.
await chmod(directory, 0o711);
const servers: Server[] = [];
let nodes: Node[] = [];
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(name, () => {
    for (const node of nodes) node.end();
    for (const server of servers) server.thaw();
    process.exit(1);
  });
let dbs: Db[] = [];
try {
  for (let number = 1; number <= Number(values.servers); number += 1)
    servers.push(await Server.start({ number, dataDir: join(directory, `server-${number}`), say }));
  const urls = servers.map(({ url }) => url);
  dbs = connectEach(servers);
  for (const db of dbs) await migrate(db);
  const whole = connectServers(urls);
  await numberServers(whole);
  await whole.end();
  const accounts = await makeAccounts(dbs, Math.max(ACCOUNTS_MIN, servers.length));
  const authority = join(directory, "authority.pem");
  await writeFile(authority, testAuthority().cert);

  const port = await freePort();
  const settings = {
    [servers.length === 1 ? "DATABASE_URL" : "DATABASE_SHARDS"]: urls.join(" "),
    DATA_DIR: directory,
    PORT: String(port),
    METRICS_PORT: "off",
    DEMO: "off",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
    // The key of the tests' cipher, which encrypted the endpoints' secrets.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    WEBHOOK_CA_FILE: authority,
  };
  const api = new Node("api", settings);
  const workers = Array.from(
    { length: Number(values.workers) },
    // The clock of the last one is a day ahead.
    (_, index) => new Node("worker", settings, index === Number(values.workers) - 1),
  );
  nodes = [api, ...workers];
  for (const node of nodes) node.start();
  await api.isReady(`http://127.0.0.1:${port}`);

  say(`${values.minutes} minutes of load and trouble …`);
  const load = startLoad(`http://127.0.0.1:${port}`, accounts, { logsIn: servers.length > 1 });
  const trouble = startTrouble({ api, load, say, servers, workers });
  await wait(Number(values.minutes) * MINUTE);
  await trouble.stop();
  const accepted = await load.stop();

  say("Now everybody is left in peace …");
  for (const { receiver } of accounts) receiver.calmDown();
  const stuck = await drain(dbs, 3 * MINUTE);
  await wait(SECOND);
  const { answers } = load;
  const { done: troubles, outages } = trouble;
  const verdict = await judge(dbs, { accounts, accepted, answers, outages, stuck, troubles });
  console.log(values.json ? JSON.stringify(verdict, null, 2) : table(verdict));
  if (!holds(verdict)) process.exitCode = 1;
  for (const { receiver } of accounts) await receiver.close();
} finally {
  for (const node of nodes) node.end();
  for (const db of dbs) await db.end({ timeout: 1 }).catch(() => undefined);
  for (const server of servers) await server.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
