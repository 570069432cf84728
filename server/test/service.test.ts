import { insertion } from "../src/store/sql.ts";
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect as connectTo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { SECOND } from "../src/base/clock.ts";
import { readConfig } from "../src/app/config.ts";
import { CannotStart } from "../src/app/cannot-start.ts";
import { type Service, type ServiceRole, startService } from "../src/app/service.ts";
import { freePort } from "../src/store/embedded.ts";
import { readMigrations } from "../src/store/migrate.ts";
import { partitionsOf } from "../src/store/partitions.ts";
import { textOf, vestry } from "./support/command.ts";
import { asAdministrator, freshDatabase } from "./support/database.ts";

/** The service in this process, with its start, its probes and its stop. */

const directory = await mkdtemp(join(tmpdir(), "vestry-service-"));
// PostgreSQL that root starts runs as another user, who must be able to reach the directory.
await chmod(directory, 0o711);
const database = await freshDatabase("the database becomes unreachable");
after(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const [port, metricsPort] = [await freePort(), await freePort()];
const settings = {
  DATABASE_URL: database.url,
  DATA_DIR: join(directory, "data"),
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  LOG_LEVEL: "silent",
  DEMO: "off",
};
const started: Service[] = [];
afterEach(async () => {
  for (const service of started.splice(0)) await service.stop("tested");
});
async function start(
  more: Readonly<Record<string, string>> = {},
  role: ServiceRole = "api",
  say: (line: string) => void = () => undefined,
) {
  const config = readConfig({ ...settings, ...more });
  const service = await startService({ config, role, say });
  started.push(service);
  return service;
}

const cannotStart = (words: RegExp) => (error: unknown) =>
  error instanceof CannotStart && words.test(error.message);

const ask = async (path: string, of = port) => {
  const answer = await fetch(`http://127.0.0.1:${of}/${path}`);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
const metric = async (name: string) => {
  const { text } = await ask("metrics", metricsPort);
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
};

test("a start creates the next partitions of the history, and no demo account if DEMO is off", async () => {
  const before = await partitionsOf(database.db, "webhook_events");
  const service = await start();
  assert.equal(service.demo, undefined);
  await service.stop("tested");
  assert.deepEqual([...(await database.db`select from accounts`)], []);
  const made = await partitionsOf(database.db, "webhook_events");
  assert.deepEqual([before.length, made.length], [3, 9]);
});

test("an API node sends nothing, and a worker node serves no API", async () => {
  const pools = async (role: ServiceRole) => {
    const service = await start({}, role);
    const rows = await database.db<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'vestry-%' order by name`;
    const listens = await fetch(`http://127.0.0.1:${port}/livez`).then(
      () => true,
      () => false,
    );
    await service.stop("tested");
    return [...rows.map(({ name }) => name), listens, service.url !== undefined];
  };
  assert.deepEqual(await pools("api"), ["vestry-api", true, true]);
  assert.deepEqual(await pools("worker"), ["vestry-worker", "vestry-worker-engine", false, false]);
  assert.deepEqual(await pools("all"), ["vestry-all", "vestry-all-engine", true, true]);
});

test("both ports report an unreachable database and a live process, and recover with the database", async () => {
  await start();
  const ports = [port, metricsPort];
  for (const each of ports) assert.equal((await ask("readyz", each)).status, 200);
  assert.equal(await metric("vestry_database_up"), 1);

  await database.goAway();
  const [own, other] = [await ask("readyz"), await ask("readyz", metricsPort)];
  assert.deepEqual([own.status, own.headers.get("retry-after")], [503, "1"]);
  assert.deepEqual([other.status, other.text], [503, "The database cannot be reached.\n"]);
  for (const each of ports) assert.equal((await ask("livez", each)).status, 200);
  assert.equal(await metric("vestry_database_up"), 0);
  assert.equal(await metric("vestry_database_errors_total"), 2);
  await ask("readyz");
  assert.equal(await metric("vestry_database_errors_total"), 3);

  await database.comeBack();
  // The service notices without a request.
  while ((await metric("vestry_database_up")) === 0);
  for (const each of ports) assert.equal((await ask("readyz", each)).status, 200);
});

test("a worker node notices that the database is unreachable and that it is back", async () => {
  await start({}, "worker");
  assert.equal(await metric("vestry_database_up"), 1);
  await database.goAway();
  while ((await metric("vestry_database_up")) === 1);
  await database.comeBack();
  while ((await metric("vestry_database_up")) === 0);
});

const incomplete = (body: string) =>
  `POST /authenticate-username HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:${port}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

/** Resolves when the service accepts no more connections. */
async function untilClosed(): Promise<void> {
  for (;;) {
    const refused = await new Promise((resolve) => {
      const socket = connectTo(port, "127.0.0.1", () => resolve(socket.destroy() === undefined));
      socket.on("error", () => resolve(true));
    });
    if (refused) return;
    await turn();
  }
}

const begun = async (body: string) => {
  const request = connectTo(port, "127.0.0.1");
  const answer = textOf(request);
  request.write(incomplete(body));
  while ((await metric("vestry_requests_in_flight")) !== 1);
  return { request, answer };
};

/** Stops all timers until the test moves them. */
function holdTime({ mock: { timers } }: TestContext) {
  timers.enable({ apis: ["setTimeout"] });
  return {
    pass: (ms: number) => timers.tick(ms),
    // Pending timers are dropped. Database connections clear the timers that they set earlier.
    end: () => timers.reset(),
  };
}

test("a stop does not wait for a connection without a pending request", async (context) => {
  const service = await start();
  const body = JSON.stringify({ username: "ana@grace.example" });
  const { answer, request } = await begun(body);
  const time = holdTime(context);
  const stopped = service.stop("tested");
  await untilClosed();
  time.end();
  request.write(body);
  assert.match(await answer, /^HTTP\/1.1 401 /);
  await stopped;
});

test("a stopping service answers open connections, and its readiness is 503 with Retry-After", async () => {
  const service = await start();
  const body = JSON.stringify({ username: "ana@grace.example" });
  const { answer, request } = await begun(body);
  const stopped = service.stop("tested");
  await untilClosed();
  request.write(`${body}GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [, login = "", ready = ""] = (await answer).split("HTTP/1.1 ");
  assert.match(login, /^401 /);
  assert.match(ready, /^503 .*\r\nretry-after: 5\r\n/is);
  await stopped;
});

test("a stop waits at most ten seconds for a pending request", async (context) => {
  const service = await start();
  const { answer } = await begun("never sent");
  let cut = false;
  void answer.then(() => (cut = true));
  const time = holdTime(context);
  const stopped = service.stop("tested");
  await untilClosed();
  time.pass(10 * SECOND - 1);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.equal(cut, false);
  time.pass(1);
  time.end();
  assert.equal(await answer, "");
  await stopped;
});

test("a failed start leaves no listener and no database connection", async () => {
  const accounts = { ...settings, DEMO: "on" };
  await database.db`alter table account_integrations add constraint nothing check (false)`;
  await assert.rejects(start(accounts, "all"));
  await database.db`alter table account_integrations drop constraint nothing`;
  for (const each of [port, metricsPort]) await assert.rejects(ask("livez", each));
  for (let left = 1; left > 0; )
    left = (
      await database.db`
        select from pg_stat_activity
        where datname = current_database() and application_name like 'vestry-%'`
    ).length;
});

test("an address or port that cannot be used is named with its setting", async () => {
  await assert.rejects(
    start({ HOST: "203.0.113.1" }),
    cannotStart(/^This machine has no address 203\.0\.113\.1\. Correct HOST\.$/),
  );
  const other = createServer().listen(metricsPort, "127.0.0.1");
  await assert.rejects(
    start(),
    cannotStart(
      new RegExp(`port ${metricsPort} of 127.* METRICS_PORT to another port, or off\\.$`),
    ),
  );
  await start({ METRICS_PORT: "off" });
  await new Promise((resolve) => other.close(resolve));
});

test("a database that is not encoded in UTF-8 is rejected at start and reported by doctor", async () => {
  const own = new URL(database.url);
  own.pathname = `${own.pathname}_ascii`;
  const name = own.pathname.slice(1);
  await asAdministrator((admin) =>
    admin.query(
      `create database ${name} owner ${own.username} encoding 'SQL_ASCII' locale 'C' template template0`,
    ),
  );
  const env = { ...settings, DATABASE_URL: own.href };
  await assert.rejects(
    start(env),
    cannotStart(/encoding of the database is SQL_ASCII .*encoding 'UTF8'/),
  );
  const { json } = await vestry(["doctor", "--json"], { env });
  const found = json["findings"] as { code: string }[];
  assert.ok(found.some(({ code }) => code === "database-encoding"));
});

test("a breaking migration of a newer version stops an older service, and other migrations do not", async () => {
  const record = (name: string, breaking: boolean) =>
    database.db`insert into schema_migrations ${insertion({ name, hash: "x", breaking })}`;
  await record("9998_later.sql", false);
  const said: string[] = [];
  await (await start({}, "api", (line) => void said.push(line))).stop("tested");
  assert.match(said.join("\n"), /A newer Vestry has changed the database \(9998_later\.sql\)/);
  await record("9999_much_later.sql", true);
  await assert.rejects(
    start(),
    /newer Vestry changed .* breaks this version \(9999_much_later\.sql\)/,
  );
  await database.db`delete from schema_migrations where name like '999%'`;
  await (await start()).stop("tested");
});

test("an edited migration stops every start and vestry migrate", async () => {
  const [, name = ""] = (await readMigrations()).map((one) => one.name);
  const [row] = await database.db`select hash from schema_migrations where name = ${name}`;
  const change = (hash: string) =>
    database.db`update schema_migrations set hash = ${hash} where name = ${name}`;
  await change("another");
  await assert.rejects(start(), /0002_cells\.sql was edited .* version control/);
  const { status } = await vestry(["migrate", "--json"], { env: settings });
  assert.notEqual(status, 0);
  await change(row?.["hash"]);
});
