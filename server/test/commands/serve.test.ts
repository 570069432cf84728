import assert from "node:assert/strict";
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { identityOf } from "../../src/store/embedded/processes.ts";
import { makeAuthority } from "../support/certificates.ts";
import { spawnVestry, textOf, vestryProcess as vestry } from "../support/command.ts";
import { freePort } from "../../src/store/embedded.ts";
import { freshDatabase } from "../support/database.ts";
import { happen, makeLiveEndpoint } from "../support/engine.ts";
import { makeAccount, makeEndpoint } from "../support/make.ts";
import { startNameServer } from "../support/name-server.ts";
import { startReceiver, testAuthority } from "../support/receiver.ts";
import { type Document, document, type Resource } from "../support/service.ts";
import { tellSecret } from "../support/signatures.ts";

const directory = await mkdtemp(join(tmpdir(), "vestry-test-"));
// PostgreSQL that root starts runs as another user, who must be able to reach the directory.
await chmod(directory, 0o711);
const dataDir = join(directory, "data");
const [port, metricsPort] = [await freePort(), await freePort()];
const env = { DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: String(metricsPort) };

const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
});

interface Started {
  child: ChildProcess;
  /** The output until the service was ready. */
  said: string;
  ended: Promise<number | null>;
}

/** Resolves when the service is ready or has exited. */
async function serve(settings: Readonly<Record<string, string>> = env, ...more: string[]) {
  const child = spawnVestry(["serve", ...more], settings);
  running.add(child);
  const ended = once(child, "exit").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  child.stdout?.resume();
  const lines: string[] = [];
  if (child.stderr)
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      // The last line of a start.
      if (/^curl .*\/v1\/courses|integrations list|^Vestry works/.test(line)) break;
    }
  child.stderr?.resume();
  return { child, said: lines.join("\n"), ended } satisfies Started;
}

const postmaster = async () =>
  Number((await readFile(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8")).split("\n")[0]);

async function gone(pid: number): Promise<void> {
  while (identityOf(pid) !== undefined) await setImmediate();
}

const bash = async (lines: readonly string[]) =>
  (await promisify(execFile)("bash", ["-c", lines.join("\n")])).stdout;

let first: Started;

test("a first start creates a demo account and prints three lines that work when pasted", async () => {
  first = await serve();
  assert.match(first.said, /Vestry is ready at http:\/\/localhost:\d+/);
  assert.match(first.said, /vct_[\w-]{43}/);
  const lines = first.said.split("\n").filter((line) => /^(TOKEN|curl)/.test(line));
  assert.equal(lines.length, 3);
  const [people, course] = (await bash(lines))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(people.data.length, 3);
  assert.ok(people.meta.total >= 60);
  assert.equal(course.data.attributes.name, "Reading the Gospels");
});

test("every demo log-in works and is printed with its status", async () => {
  const rows = first.said.matchAll(/^ {2}(\S+@\S+) +(\S+) {2}\((.+)\)$/gm);
  const standings: string[] = [];
  for (const [, username = "", password, standing = ""] of rows) {
    const answer = await fetch(`http://localhost:${port}/authenticate`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Origin": `http://localhost:${port}` },
      body: JSON.stringify({ username, password, account: "demo" }),
    });
    assert.equal(answer.status, 200, username);
    standings.push(standing);
  }
  assert.deepEqual(standings, [
    "full administrator",
    "administrator",
    "secretary",
    "supervisor of three cells",
    "leader of one of them",
    "member of that cell",
    "teacher of a class",
  ]);
});

test("metrics have a port of their own and count requests, log-ins and events", async () => {
  const base = `http://localhost:${metricsPort}`;
  const text = await (await fetch(`${base}/metrics`)).text();
  assert.match(
    text,
    /vestry_request_duration_seconds_count\{route="\/v1\/people",method="GET",status="2xx"\} 1\n/,
  );
  assert.match(text, /vestry_logins_total\{outcome="succeeded"\} 8\n/);
  assert.match(text, /vestry_events_total\{type="course.created"\} 1\n/);
  assert.match(text, /vestry_requests_in_flight 0\n/);
  assert.equal((await fetch(`${base}/readyz`)).status, 200);
  assert.equal((await fetch(`${base}/people`)).status, 404);
});

test("commands find the database of the running service", async () => {
  const { status, json } = await vestry(["accounts", "approve", "--alias", "demo", "--json"], {
    env,
  });
  assert.equal(status, 0);
  assert.equal((json["account"] as Record<string, unknown>)["integration-approved"], true);
  const doctor = await vestry(["doctor"], { env });
  assert.match(doctor.stdout, /embedded/);
  assert.equal(doctor.status, 0, doctor.stdout);
});

test("a second service on a data directory names the process that uses it and exits", async () => {
  const second = await vestry(["serve"], { env });
  assert.equal(second.status, 1);
  assert.equal(second.stderr.trim().split("\n").length, 1);
  assert.match(second.stderr, new RegExp(`process ${first.child.pid}\\b.*${dataDir}`));
});

test("doctor and a start report an unusable data directory in the same words", async () => {
  const file = join(directory, "file");
  await writeFile(file, "");
  for (const databaseUrl of ["", "postgres://nobody:x@127.0.0.1:1/none"]) {
    const wrong = { ...env, DATA_DIR: join(file, "data"), DATABASE_URL: databaseUrl };
    const start = await vestry(["serve", "--json"], { env: wrong });
    assert.equal(start.status, 1);
    const error = start.json["error"] as Record<string, string>;
    assert.equal(error["code"], "data-directory-unusable");
    assert.doesNotMatch(start.stderr, /^ +at /m);
    const { json } = await vestry(["doctor", "--json"], { env: wrong });
    const findings = json["findings"] as Record<string, string>[];
    const found = findings.find(({ code }) => code === error["code"]);
    assert.equal(`${found?.["problem"]} ${found?.["remedy"]}`, error["message"]);
  }
});

test("without a database, commands say how to create one and create nothing; migrate creates one", async () => {
  const fresh = { DATA_DIR: join(directory, "fresh") };
  for (const words of [
    ["accounts", "list"],
    ["people", "list", "--alias", "grace"],
    ["integrations", "list"],
    ["keys", "list"],
    ["keys", "rotate"],
    ["seed", "--size", "small"],
  ]) {
    const answer = await vestry([...words, "--json"], { env: fresh });
    assert.equal(answer.status, 1, words.join(" "));
    const { code, message } = answer.json["error"] as Record<string, string>;
    assert.equal(code, "no-database");
    assert.match(message ?? "", /npm start.* npx vestry migrate/);
    assert.ok(!existsSync(fresh.DATA_DIR), `${words.join(" ")} made nothing`);
  }
  assert.equal((await vestry(["migrate", "--json"], { env: fresh })).status, 0);
  const accounts = await vestry(["accounts", "list", "--json"], { env: fresh });
  assert.deepEqual(accounts.json, { accounts: [] });
});

test("a port in use is reported with the setting that changes it", async () => {
  const elsewhere = { ...env, DATA_DIR: join(directory, "other") };
  const taken = await vestry(["serve", "--json"], { env: elsewhere });
  assert.equal(taken.status, 1);
  const { code, message } = taken.json["error"] as Record<string, string>;
  assert.equal(code, "cannot-start");
  assert.match(message ?? "", new RegExp(`port ${port}\\b.*PORT`));
  assert.ok(!existsSync(elsewhere.DATA_DIR), "nothing was made");
});

test("SIGTERM lets running requests finish and then stops the service and PostgreSQL", async () => {
  const pid = await postmaster();
  const request = createConnection(port, "localhost");
  const answer = textOf(request);
  const body = JSON.stringify({ username: "ana@grace.example" });
  request.write(
    `POST /authenticate-username HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:${port}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const status = async (path: string) =>
    (await fetch(`http://localhost:${metricsPort}/${path}`)).text();
  while (!/in_flight 1\n/.test(await status("metrics")));

  first.child.kill("SIGTERM");
  while (!(await status("readyz")).startsWith("stopping"));
  request.write(body);
  assert.match(await answer, /^HTTP\/1.1 401 .*"code":"login-failed"/s);
  assert.equal(await first.ended, 0);
  assert.equal(identityOf(pid), undefined);
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
});

test("commands start the database themselves when no service runs, also two at once", async () => {
  const approve = () => vestry(["accounts", "approve", "--alias", "demo", "--json"], { env });
  const both = await Promise.all([approve(), approve()]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [0, 0],
    both.map(({ stdout }) => stdout).join(),
  );
  assert.ok(!existsSync(join(dataDir, "postgres/cluster/postmaster.pid")));
});

/** How much slower the machine is now because other tests are running. */
function crowding(): number {
  const [began, before] = [performance.now(), process.cpuUsage()];
  let used = 0;
  while (used < 200) {
    const { system, user } = process.cpuUsage(before);
    used = (system + user) / 1_000;
  }
  return (performance.now() - began) / used;
}

test("a warm start is ready within 3 seconds, shows no password again, and survives being killed", async (context) => {
  const isSlow = ({ said }: Started) =>
    !(Number(/ready at \S+ \(in (\d+\.\d) s\)/.exec(said)?.[1]) <= 3 * crowding());
  let warm = await serve();
  context.after(() => warm.child.kill("SIGKILL"));
  let slow = isSlow(warm);
  for (let more = 2; slow && more > 0; more -= 1) {
    warm.child.kill("SIGINT");
    await warm.ended;
    warm = await serve();
    slow = isSlow(warm);
  }
  assert.ok(!slow, warm.said);
  assert.doesNotMatch(warm.said, /vct_|\(full administrator\)|Webhooks/);
  assert.match(warm.said, /people set-password/);
  const pid = await postmaster();
  warm.child.kill("SIGKILL");
  await warm.ended;
  await gone(pid);

  const authorities = join(directory, "authority.pem");
  await writeFile(authorities, makeAuthority().cert);
  const again = await serve({
    ...env,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8, fd00::/8",
    WEBHOOK_CA_FILE: authorities,
    WEBHOOK_DNS_SERVERS: "127.0.0.1:5353",
  });
  // Each start prints the settings that allow more than the public internet.
  assert.deepEqual(
    again.said.split("\n").filter((line) => line.startsWith("Webhooks")),
    [
      "Webhooks may be sent to the private networks 127.0.0.0/8, fd00::/8.",
      "Webhooks trust the certificates of WEBHOOK_CA_FILE in addition to the usual ones.",
      "Webhooks resolve names with 127.0.0.1:5353.",
    ],
  );
  const people = await fetch(`http://localhost:${port}/readyz`);
  assert.equal(people.status, 200);
  again.child.kill("SIGINT");
  assert.equal(await again.ended, 0);
});

test("the compile cache survives a killed start", async () => {
  const kept = join(directory, "compiled");
  const started = await serve({ ...env, NODE_COMPILE_CACHE: kept });
  const pid = await postmaster();
  started.child.kill("SIGKILL");
  await started.ended;
  await gone(pid);
  const files = await readdir(kept, { recursive: true });
  assert.ok(files.length > 500, `${files.length} files`);
});

test("a second signal stops the service at once, and PostgreSQL in order", async () => {
  const { child, ended } = await serve();
  const pid = await postmaster();
  const request = createConnection(port, "localhost").on("error", () => undefined);
  request.write("POST /authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n");
  const metrics = async () => (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  while (!/in_flight 1\n/.test(await metrics()));

  let status: number | null | undefined;
  void ended.then((code) => (status = code));
  while (status === undefined) {
    child.kill("SIGTERM");
    // A signal that follows closely counts as the same.
    await metrics().catch(() => setImmediate());
  }
  assert.equal(status, 130);
  assert.equal(identityOf(pid), undefined);
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
});

test("a start reports refused and paused endpoints and missing keys", async (context) => {
  const database = await freshDatabase("other processes serve it");
  context.after(() => database.close());
  const { db } = database;
  const account = await makeAccount(db);
  await makeLiveEndpoint(db, account.id, { url: "https://127.0.0.1:8443/" });
  for (const url of ["https://10.0.0.1/", "https://10.0.0.2/"])
    await makeEndpoint(db, account.id, { url });
  await db`
    update webhook_endpoints set status = 'paused', pause_reason = 'security-policy'
    where account_id = ${account.id} and url = 'https://10.0.0.2/'`;
  const started = await serve({
    ...env,
    DATABASE_URL: database.url,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
  });
  assert.match(started.said, /^Webhook endpoints at private addresses .*: 1\. .*doctor/m);
  assert.match(started.said, /^Webhook endpoints paused .*\(security-policy\): 1\. .*doctor/m);
  assert.match(started.said, /^Some signing secrets are encrypted with test, .*doctor/m);
  started.child.kill("SIGTERM");
  await started.ended;
});

test("messages name the service and its version as their User-Agent", async (context) => {
  const database = await freshDatabase("other processes serve it");
  const receiver = await startReceiver();
  const authority = join(directory, "authority.pem");
  await writeFile(authority, testAuthority().cert);
  const account = await makeAccount(database.db);
  await makeLiveEndpoint(database.db, account.id, receiver);
  await happen(database.db, account.id);
  const { child, ended } = await serve({
    ...env,
    DATABASE_URL: database.url,
    // The key of the tests' cipher, which encrypted the endpoint's secret.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    WEBHOOK_CA_FILE: authority,
  });
  context.after(async () => {
    child.kill("SIGTERM");
    await ended;
    await receiver.close();
    await database.close();
  });
  await receiver.received(1);
  const { version } = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  assert.equal(receiver.requests[0]?.headers["user-agent"], `Vestry/${version}`);
});

test("the operator's networks, authorities and name servers apply to registration and sending, and allow nothing else", async (context) => {
  const [database, receiver, names] = await Promise.all([
    freshDatabase("other processes serve it"),
    startReceiver(),
    startNameServer((name) => [name.startsWith("private.") ? "127.0.0.2" : "127.0.0.1"]),
  ]);
  const { db } = database;
  const authority = join(directory, "authority.pem");
  await writeFile(authority, testAuthority().cert);
  const account = await makeAccount(db);
  const at = (name: string) => `https://${name}:${receiver.port}/hook`;
  for (const name of ["hooks.receiver.example", "private.receiver.example", "127.0.0.2"])
    await makeLiveEndpoint(db, account.id, { url: at(name) });
  await happen(db, account.id);
  const { child, ended } = await serve({
    ...env,
    DATABASE_URL: database.url,
    // The key of the tests' cipher, which encrypted the endpoints' secrets.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.1",
    WEBHOOK_CA_FILE: authority,
    WEBHOOK_DNS_SERVERS: names.address,
  });
  context.after(async () => {
    child.kill("SIGTERM");
    await ended;
    await Promise.all([receiver.close(), names.close()]);
    await database.close();
  });
  const outcomes = () => db<{ url: string; status: string; reason: string | null }[]>`
    select url, delivery.status, suppression_reason as reason
    from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id`;
  while ((await outcomes()).some(({ status }) => /^(pending|processing)$/.test(status)))
    await setImmediate();
  assert.deepEqual(
    Object.fromEntries(
      (await outcomes()).map(({ reason, status, url }) => [url, reason ?? status]),
    ),
    {
      [at("hooks.receiver.example")]: "delivered",
      [at("private.receiver.example")]: "security-policy",
      [at("127.0.0.2")]: "security-policy",
    },
  );
  assert.equal(receiver.requests.length, 1);

  const register = async (url: string) => {
    const askedAt = Date.now();
    const answer = await fetch(`http://localhost:${port}/v1/webhook-endpoints`, {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${account.administrator.token}`,
        "Content-Type": "application/vnd.api+json",
        "Origin": `http://localhost:${port}`,
      },
      body: JSON.stringify(document("webhook-endpoints", { url, events: ["person.created"] })),
    });
    const { data, errors } = (await answer.json()) as Document;
    if (data) {
      const { id: endpointId, meta } = data as Resource;
      tellSecret({ endpointId, url, secret: String(meta?.["secret"]), askedAt });
    }
    return [answer.status, errors?.[0]?.source?.pointer];
  };
  assert.deepEqual(await register(`${at("new.receiver.example")}/2`), [201, undefined]);
  assert.deepEqual(await register(`${at("127.0.0.1")}/2`), [201, undefined]);
  const refused = [422, "/data/attributes/url"];
  assert.deepEqual(await register(`${at("private.receiver.example")}/2`), refused);
  assert.deepEqual(await register(`${at("127.0.0.2")}/2`), refused);
});

test("a worker serves no API but answers /livez on the metrics port; --json prints one object", async () => {
  const database = await freshDatabase("other processes serve it");
  const child = spawnVestry(["serve", "--role", "worker", "--json"], {
    ...env,
    DATABASE_URL: database.url,
  });
  running.add(child);
  const errors = textOf(child.stderr);
  let text = "";
  if (child.stdout)
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (!text.endsWith("\n")) continue;
      assert.equal((await fetch(`http://localhost:${metricsPort}/livez`)).status, 200);
      await assert.rejects(fetch(`http://localhost:${port}/livez`));
      child.kill("SIGTERM");
    }
  assert.equal(JSON.parse(text).url, null);
  assert.match(await errors, /"kind":"service-stopping"/);
  running.delete(child);
  const [none] = await database.db`select from accounts`;
  assert.equal(none, undefined, "a worker makes no demo account");
  await database.close();
});
