import assert from "node:assert/strict";
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Cipher } from "../../src/store/cipher.ts";
import { identityOf } from "../../src/store/embedded/processes.ts";
import { SigningSecret } from "../../src/webhooks/index.ts";
import { makeAuthority } from "../support/certificates.ts";
import { spawnVestry, textOf, vestry, vestryProcess } from "../support/command.ts";
import { freePort } from "../../src/store/embedded.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { happen, makeLiveEndpoint } from "../support/engine.ts";
import { makeAccount, makeEndpoint, type TestAccount } from "../support/make.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { pause } from "../support/pause.ts";
import { type Receiver, startReceiver, testAuthority } from "../support/receiver.ts";
import { type Document, document, type Resource } from "../support/service.ts";
import { tellSecret } from "../support/signatures.ts";

const directory = await mkdtemp(join(tmpdir(), "vestry-test-"));
// PostgreSQL that root starts runs as another user, who must be able to reach the directory.
await chmod(directory, 0o711);
const dataDir = join(directory, "data");
const [port, metricsPort] = [await freePort(), await freePort()];
const env = { DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: String(metricsPort) };
/** The compile cache of the first start, which finds none. */
const compiled = join(directory, "compiled");
/** The key of the tests' cipher, which encrypts the secrets of endpoints. */
const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

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
  while (identityOf(pid) !== undefined) await pause();
}

const metrics = async () => (await fetch(`http://localhost:${metricsPort}/metrics`)).text();

const bash = async (lines: readonly string[]) =>
  (await promisify(execFile)("bash", ["-c", lines.join("\n")])).stdout;

/** The services of this data directory, one after the other. */
let first: Started;
let second: Started;
let warm: Started;

test("a first start creates a demo account and prints three lines that work when pasted", async () => {
  first = await serve({ ...env, NODE_COMPILE_CACHE: compiled });
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
  const text = await metrics();
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
  const refused = await vestry(["serve"], { env });
  assert.equal(refused.status, 1);
  assert.equal(refused.stderr.trim().split("\n").length, 1);
  assert.match(refused.stderr, new RegExp(`process ${first.child.pid}\\b.*${dataDir}`));
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
  assert.deepEqual(accounts.json, { accounts: [], next: null, away: [] });
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

test("a start and its compile cache survive that the start before was killed", async () => {
  const pid = await postmaster();
  first.child.kill("SIGKILL");
  await first.ended;
  await gone(pid);
  const files = await readdir(compiled, { recursive: true });
  assert.ok(files.length > 500, `${files.length} files`);

  const authorities = join(directory, "authority.pem");
  await writeFile(authorities, makeAuthority().cert);
  second = await serve({
    ...env,
    WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8, fd00::/8",
    WEBHOOK_CA_FILE: authorities,
    WEBHOOK_DNS_SERVERS: "127.0.0.1:5353",
  });
  // Each start prints the settings that allow more than the public internet.
  assert.deepEqual(
    second.said.split("\n").filter((line) => line.startsWith("Webhooks")),
    [
      "Webhooks may be sent to the private networks 127.0.0.0/8, fd00::/8.",
      "Webhooks trust the certificates of WEBHOOK_CA_FILE in addition to the usual ones.",
      "Webhooks resolve names with 127.0.0.1:5353.",
    ],
  );
  assert.equal((await fetch(`http://localhost:${port}/readyz`)).status, 200);
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

  second.child.kill("SIGTERM");
  while (!(await status("readyz")).startsWith("stopping"));
  request.write(body);
  assert.match(await answer, /^HTTP\/1.1 401 .*"code":"login-failed"/s);
  assert.equal(await second.ended, 0);
  assert.equal(identityOf(pid), undefined);
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
});

test("commands start the database themselves when no service runs, also two at once", async () => {
  const approve = () =>
    vestryProcess(["accounts", "approve", "--alias", "demo", "--json"], { env });
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

test("a warm start is ready within 3 seconds and shows no password again", async () => {
  const isSlow = ({ said }: Started) =>
    !(Number(/ready at \S+ \(in (\d+\.\d) s\)/.exec(said)?.[1]) <= 3 * crowding());
  warm = await serve();
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
});

test("a second signal stops the service at once, and PostgreSQL in order", async () => {
  const { child, ended } = warm;
  const pid = await postmaster();
  const request = createConnection(port, "localhost").on("error", () => undefined);
  request.write("POST /authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n");
  while (!/in_flight 1\n/.test(await metrics()));

  let status: number | null | undefined;
  void ended.then((code) => (status = code));
  while (status === undefined) {
    child.kill("SIGTERM");
    // A signal that follows closely counts as the same.
    await metrics().catch(() => pause());
  }
  assert.equal(status, 130);
  assert.equal(identityOf(pid), undefined);
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
});

describe("a service that sends webhooks", () => {
  let database: FreshDatabase;
  let account: TestAccount;
  let receiver: Receiver;
  let names: NameServer;
  let started: Started;
  const at = (name: string) => `https://${name}:${receiver.port}/hook`;

  before(async () => {
    [database, receiver, names] = await Promise.all([
      freshDatabase("other processes serve it"),
      startReceiver(),
      startNameServer((name) => [name.startsWith("private.") ? "127.0.0.2" : "127.0.0.1"]),
    ]);
    const { db } = database;
    account = await makeAccount(db);
    for (const name of ["hooks.receiver.example", "private.receiver.example", "127.0.0.2"])
      await makeLiveEndpoint(db, account.id, { url: at(name) });
    await makeRefused();
    const authority = join(directory, "authority.pem");
    await writeFile(authority, testAuthority().cert);
    started = await serve({
      ...env,
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS,
      WEBHOOK_ALLOW_NETWORKS: "127.0.0.1",
      WEBHOOK_CA_FILE: authority,
      WEBHOOK_DNS_SERVERS: names.address,
    });
  });
  after(async () => {
    await Promise.all([receiver.close(), names.close()]);
    await database.close();
  });

  /** Endpoints of another account at private addresses. One is paused, and the secret of the other one has a lost key. */
  async function makeRefused(): Promise<void> {
    const { db } = database;
    const { id: accountId } = await makeAccount(db);
    const endpointId = await makeEndpoint(db, accountId, { url: "https://10.0.0.1/" });
    const lost = new Cipher([{ id: "lost", bytes: () => Buffer.alloc(32, 8) }]);
    const owner = { accountId, endpointId, generation: 1 };
    await db`
      insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
      values (${accountId}, ${endpointId}, 1, ${SigningSecret.generate().encrypt(lost, owner)})`;
    const paused = await makeEndpoint(db, accountId, { url: "https://10.0.0.2/" });
    await db`
      update webhook_endpoints set status = 'paused', pause_reason = 'security-policy'
      where account_id = ${accountId} and id = ${paused}`;
  }

  test("a start reports refused and paused endpoints and missing keys", () => {
    const { said } = started;
    assert.match(said, /^Webhook endpoints at private addresses .*: 2\. .*doctor/m);
    assert.match(said, /^Webhook endpoints paused .*\(security-policy\): 1\. .*doctor/m);
    assert.match(said, /^Some signing secrets are encrypted with lost, .*doctor/m);
  });

  test("the operator's networks, authorities and name servers apply to sending, and allow nothing else", async () => {
    const { db } = database;
    await happen(db, account.id);
    const outcomes = () => db<{ url: string; status: string; reason: string | null }[]>`
      select url, delivery.status, suppression_reason as reason
      from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id`;
    while ((await outcomes()).some(({ status }) => /^(pending|processing)$/.test(status)))
      await pause();
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
  });

  test("messages name the service and its version as their User-Agent", async () => {
    const { version } = JSON.parse(
      await readFile(new URL("../../package.json", import.meta.url), "utf8"),
    );
    assert.equal(receiver.requests[0]?.headers["user-agent"], `Vestry/${version}`);
  });

  test("the networks and name servers apply to registration", async () => {
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

  test("SIGINT stops the service in order", async () => {
    started.child.kill("SIGINT");
    assert.equal(await started.ended, 0);
  });
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
