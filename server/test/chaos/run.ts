/**
 * `npm run chaos [-- --minutes 2 --workers 3 --json]`
 *
 * Real processes, a real PostgreSQL, real HTTPS receivers that misbehave: the API writes under load while workers, API and
 * PostgreSQL are killed at random. At the end everybody is left in peace, and what the API accepted is compared with what
 * the receivers got. Ends with 1 unless something was accepted, and of it nothing is lost, stuck or signed wrongly.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MINUTE, SECOND } from "../../src/base/clock.ts";
import { connect } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { freePort } from "../../src/store/embedded.ts";
import { testAuthority } from "../support/receiver.ts";
import { makeAccounts } from "./accounts.ts";
import { drain, holds, judge, table } from "./judgement.ts";
import { startLoad } from "./load.ts";
import { Node } from "./node.ts";
import { startTrouble } from "./trouble.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    workers: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stderr.write(`${line}\n`);

const directory = await mkdtemp(join(tmpdir(), "vestry-chaos-"));
// PostgreSQL that root starts runs as another user, who must be able to reach the directory.
await chmod(directory, 0o711);
const server = await startEmbedded({ dataDir: join(directory, "data"), say });
// The runner's own connection survives the trouble it causes.
const db = connect(server.url, { max: 2, name: "chaos", statementMsMax: 0 });
let nodes: Node[] = [];
try {
  await migrate(db);
  const accounts = await makeAccounts(db, 4);
  const authority = join(directory, "authority.pem");
  await writeFile(authority, testAuthority().cert);

  const port = await freePort();
  const settings = {
    DATABASE_URL: server.url,
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
  const load = startLoad(`http://127.0.0.1:${port}`, accounts);
  const trouble = startTrouble({ api, workers, server, say });
  await wait(Number(values.minutes) * MINUTE);
  await trouble.stop();
  const accepted = await load.stop();

  say("Now everybody is left in peace …");
  for (const { receiver } of accounts) receiver.calmDown();
  const stuck = await drain(db, 3 * MINUTE);
  await wait(SECOND);
  const verdict = await judge(db, { accounts, accepted, stuck, troubles: trouble.done });
  console.log(values.json ? JSON.stringify(verdict, null, 2) : table(verdict));
  if (!holds(verdict)) process.exitCode = 1;
  for (const { receiver } of accounts) await receiver.close();
} finally {
  for (const node of nodes) node.end();
  await db.end({ timeout: 1 }).catch(() => undefined);
  await server.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
