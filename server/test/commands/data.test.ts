import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { demoAlias } from "../../src/app/demo.ts";
import { startLog } from "../../src/app/log.ts";
import { startMetrics } from "../../src/app/metrics.ts";
import { scheduledJobs } from "../../src/catalogue.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { resetMails } from "../../src/features/sign-in/mails/mails.ts";
import { enqueue } from "../../src/jobs/queues.ts";
import { type Db, inGlobalTransaction } from "../../src/store/db.ts";
import { plansOf } from "../../src/sample-data/plan.ts";
import { ensurePartitions } from "../../src/store/partitions.ts";
import { vestry } from "../support/command.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { happen } from "../support/engine.ts";
import { startMailServer } from "../support/mail-server.ts";
import { assertNoContradictions } from "../support/sample-data.ts";
import { makeAccount, makeCourse, makeEndpoint, makePerson } from "../support/make.ts";

/** The commands migrate, seed and doctor, and the scheduled jobs. */

const opened: FreshDatabase[] = [];
after(() => Promise.all(opened.map((database) => database.close())));
async function fresh() {
  const database = await freshDatabase("commands migrate and fill whole databases");
  opened.push(database);
  return { ...database, env: { DATABASE_URL: database.url, METRICS_PORT: "off" } };
}

/** A database with the partitions of all coming days. Databases for tests have only two. */
async function whole() {
  const database = await fresh();
  await ensurePartitions(database.db);
  return database;
}

interface Found {
  findings: { code: string; problem: string; remedy: string }[];
}
const findingsOf = ({ json }: { json: Record<string, unknown> }) =>
  (json as unknown as Found).findings.map(({ code }) => code);

test("migrate · updates an empty database and then has nothing to do; other commands require it", async () => {
  const { db, env } = await fresh();
  await db.query("drop schema public cascade");
  await db.query("create schema public");

  const early = await vestry(["accounts", "approve", "--alias", "abc", "--json"], { env });
  assert.equal(early.status, 1);
  assert.match(early.stdout, /migrations-pending.*npx vestry migrate/);
  assert.ok(findingsOf(await vestry(["doctor", "--json"], { env })).includes("migrations-pending"));

  // The clone can have a used database in its DATA_DIR.
  const first = await vestry(["migrate", "--begin-empty", "--json"], { env });
  assert.equal(first.status, 0, first.stderr);
  assert.ok((first.json["applied"] as string[]).includes("0001_baseline.sql"));
  assert.deepEqual((await vestry(["migrate", "--json"], { env })).json, { applied: [] });
});

test("seed · the same seed makes the same rows", async () => {
  const rows = async () => {
    const { db, env } = await fresh();
    const made = await vestry(["seed", "--size", "small", "--seed", "7", "--json"], { env });
    assert.equal(made.status, 0, made.stderr);
    assert.equal(made.json["people"], 200);
    // Password hashes differ each time because of their salt.
    const tables = await db<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
        and relname not in ('person_credentials', 'schema_facts', 'schema_migrations') order by 1`;
    const hashes: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await db.query(
        `select md5(string_agg(each::text, ' ' order by each::text)) as hash from ${name} each`,
      );
      if (row?.["hash"] != null) hashes[name] = row["hash"];
    }
    assert.ok(Object.keys(hashes).length > 10, JSON.stringify(hashes));
    return hashes;
  };
  assert.deepEqual(await rows(), await rows());
});

test("seed · cells, courses and their attendances agree with each other", async () => {
  const { db, env } = await fresh();
  assert.equal((await vestry(["seed", "--size", "small", "--json"], { env })).status, 0);
  await assertNoContradictions(db);
  const [counts] = await db`
    select (select count(*) from cells where level = 1)::int as supervisions,
      (select count(*) from cell_memberships where status = 'left')::int as past,
      (select count(*) from cell_meetings)::int as meetings,
      (select count(*) from cell_meetings where status = 'not-held')::int as failed,
      (select count(*) from cell_attendances)::int as attendances,
      (select count(*) from cell_attendances where first_time)::int as visitors,
      (select count(*) from form_submissions where status = 'new')::int as waiting,
      (select count(*) from form_submissions where person_id is not null)::int as processed`;
  assert.equal(counts?.["meetings"], 9 * 52);
  for (const [name, count] of Object.entries(counts ?? {})) assert.ok(count > 0, name);
  assert.ok(counts["attendances"] > 5 * counts["meetings"], JSON.stringify(counts));
});

test("seed · --people makes one account with this many people", async () => {
  const { db, env } = await fresh();
  for (const people of [20, 333]) {
    const made = await vestry(["seed", "--people", String(people), "--json"], { env });
    assert.equal(made.status, 0, made.stderr);
    assert.deepEqual(made.json["aliases"], [`people-${people}`]);
    const [row] = await db`
      select count(*) as count from people join accounts on accounts.id = account_id
      where alias = ${`people-${people}`}`;
    assert.equal(row?.["count"], people);
  }
  await assertNoContradictions(db);
  for (const args of [
    [],
    ["--people", "19"],
    ["--people", "100001"],
    ["--people", "50", "--size", "small"],
  ])
    assert.equal((await vestry(["seed", ...args], { env })).status, 2);
});

test("seed · existing accounts are rejected; another prefix makes other accounts", async () => {
  const { db, env } = await fresh();
  const run = (...args: string[]) =>
    vestry(["seed", "--size", "small", "--json", ...args], { env });
  assert.equal((await run()).status, 0);
  const again = await run();
  assert.equal(again.status, 1);
  assert.match(again.stdout, /already-exists/);
  assert.match((await run("--seed", "2")).stdout, /already-exists/);
  assert.equal((await run("--prefix", "second")).status, 0);
  const [row] = await db`select count(*)::int as count, count(distinct id)::int as ids from people`;
  assert.deepEqual({ ...row }, { count: 400, ids: 400 });
});

test("seed · a metropolis has a million people in 200 accounts, the largest first and none empty", () => {
  const plans = plansOf({ size: "metropolis", seed: 1, prefix: "city" });
  const people = plans.map(({ shape }) => shape.people);
  assert.equal(plans.length, 200);
  assert.equal(
    people.reduce((sum, each) => sum + each, 0),
    1_000_000,
  );
  assert.equal(people[0], 100_000);
  assert.equal(plans[0]?.shape.cells, 4_500);
  assert.deepEqual(
    people.toSorted((one, other) => other - one),
    people,
  );
  assert.ok(people.every((each) => each > 0));
  for (const key of ["alias", "accountId", "administrator"] as const)
    assert.equal(new Set(plans.map((plan) => plan[key])).size, 200, key);
});

test("seed · the full administrator can log in, and the password is not printed", async () => {
  const { db, env } = await fresh();
  const made = await vestry(["seed", "--size", "small", "--password-stdin", "--json"], {
    env,
    input: "under the oak",
  });
  assert.ok(!made.stdout.includes("under the oak"));
  const [login] = await db`
    select email, administrative_status, has_login, is_active from logins
    join people using (account_id, email) where account_id = people.account_id`;
  assert.equal(login?.["administrative_status"], "full-administrator");
});

test("doctor · a sound installation has no findings and exits 0", async () => {
  const { env } = await whole();
  const { status, stdout } = await vestry(["doctor"], { env });
  assert.match(stdout, /No problems found/);
  assert.equal(status, 0);
  assert.ok(!stdout.includes(new URL(env.DATABASE_URL).password), "the password is not shown");
});

test("doctor · each finding has a problem and a remedy, and the exit status is 1", async () => {
  const { db, env } = await fresh();
  const account = await makeAccount(db);
  await makeAccount(db);
  await db`update people set administrative_status = 'none' where account_id = ${account.id}`;
  await db`insert into schema_migrations (name, hash) values ('9999_later.sql', 'x')`;
  await db`alter table cells set (autovacuum_enabled = false)`;
  const strange = {
    ...env,
    HOST: "0.0.0.0",
    PUBLIC_URL: "http://church.example",
    ORIGINS: "https://app.example",
    RATE_LIMITS: "off",
  };
  const { status, json } = await vestry(["doctor", "--json"], { env: strange });
  assert.equal(status, 1);
  for (const { problem, remedy } of (json as unknown as Found).findings)
    for (const sentence of [problem, remedy]) assert.match(sentence, /^[A-Z].*\.$/);
  const found = findingsOf({ json });
  for (const code of [
    "public-url-without-tls",
    "rate-limits-off",
    "migrations-unknown",
    "autovacuum-off",
  ])
    assert.ok(found.includes(code), `${code} in ${found.join()}`);

  await db`delete from schema_migrations where name = '9999_later.sql'`;
  const accounts = findingsOf(await vestry(["doctor", "--json"], { env }));
  assert.ok(accounts.includes("no-full-administrator"));
  assert.ok(accounts.includes("administrators-without-login"));
});

test("doctor · without outgoing mail it names the settings, and a mail server that cannot be used is found", async () => {
  const { env } = await whole();
  const without = await vestry(["doctor"], { env });
  assert.match(without.stdout, /^mail: none; SMTP_URL and MAIL_FROM/m);
  const server = await startMailServer();
  const mail = { SMTP_URL: `${server.url}?requireTLS=false`, MAIL_FROM: "vestry@church.example" };
  const reachable = await vestry(["doctor"], { env: { ...env, ...mail } });
  assert.match(reachable.stdout, /^mail: 127.0.0.1:\d+, from vestry@church.example$/m);
  assert.equal(reachable.status, 0);
  await server.stop();
  const unreachable = await vestry(["doctor", "--json"], { env: { ...env, ...mail } });
  assert.deepEqual(findingsOf(unreachable), ["mail-server-unusable"]);
});

test("doctor · it names the place of the files, and finds one that cannot be used", async () => {
  const { env } = await whole();
  const folder = await vestry(["doctor"], { env: { ...env, FILES_DIR: "/srv/vestry-files" } });
  assert.match(folder.stdout, /^files: \/srv\/vestry-files$/m);
  const bucket = { FILES_S3_BUCKET: "church", FILES_S3_ENDPOINT: "http://127.0.0.1:9" };
  const keys = { FILES_S3_ACCESS_KEY_ID: "id", FILES_S3_SECRET_ACCESS_KEY: "a-secret" };
  const gone = await vestry(["doctor", "--json"], { env: { ...env, ...bucket, ...keys } });
  assert.deepEqual(findingsOf(gone), ["files-unusable"]);
  assert.doesNotMatch(gone.stdout + gone.stderr, /a-secret/);
});

test("doctor · jobs that no worker runs are found", async () => {
  const { db, env } = await whole();
  await inGlobalTransaction(db, (tx) =>
    enqueue(
      tx,
      resetMails,
      { accountId: null, personId: null },
      { accountId: null, personId: null },
    ),
  );
  assert.deepEqual(findingsOf(await vestry(["doctor", "--json"], { env })), []);
  await db`update pgboss.job set start_after = now() - interval '10 minutes'`;
  const { stdout } = await vestry(["doctor"], { env });
  assert.match(stdout, /due for more than 5 minutes: 2 of password-reset-mails\./);
});

test("doctor · an invalid index is found", async () => {
  const { db, env } = await whole();
  const account = await makeAccount(db);
  for (const name of ["Twice", "Twice"]) await makeCourse(db, account.id, name);
  await assert.rejects(
    db`create unique index concurrently courses_once on courses (account_id, name)`,
  );
  const { json } = await vestry(["doctor", "--json"], { env });
  const found = (json as unknown as Found).findings.find(({ code }) => code === "indexes-invalid");
  assert.match(found?.problem ?? "", /courses_once/);
});

test("doctor · an edited migration is named", async () => {
  const { db, env } = await whole();
  await db`update schema_migrations set hash = 'another' where name = '0001_baseline.sql'`;
  const { json } = await vestry(["doctor", "--json"], { env });
  assert.deepEqual(
    (json as unknown as Found).findings.map(({ code, problem, remedy }) => [
      code,
      /0001_baseline/.test(problem),
      /unharmed: dump it/.test(remedy),
    ]),
    [["migrations-changed", true, true]],
  );
});

test("doctor · the demo account is found if the service is public and the account active", async () => {
  const { db, env } = await whole();
  const { id } = await makeAccount(db);
  await db`update accounts set alias = ${demoAlias} where id = ${id}`;
  const found = async (more: Record<string, string> = {}) => {
    const answer = await vestry(["doctor", "--json"], { env: { ...env, ...more } });
    return findingsOf(answer).includes("demo-church-in-public");
  };
  const open = { PUBLIC_URL: "https://church.example" };
  assert.deepEqual([await found(), await found(open)], [false, true]);
  await db`update accounts set status = 'inactive' where id = ${id}`;
  assert.equal(await found(open), false);
});

test("doctor · conflicting settings are found, and matching ones are not", async () => {
  const { env } = await whole();
  const about = async (settings: Record<string, string>) =>
    findingsOf(await vestry(["doctor", "--json"], { env: { ...env, ...settings } }));
  const local = { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" };
  assert.deepEqual(await about(local), ["public-url-is-local"]);
  const origins = "https://church.example,http://app.example";
  const behind = { HOST: "127.0.0.1", PUBLIC_URL: "https://church.example", ORIGINS: origins };
  assert.deepEqual(await about(behind), ["origin-without-tls", "proxy-not-trusted"]);
  const fitting = { ORIGINS: "https://church.example", TRUSTED_PROXIES: "127.0.0.1" };
  assert.deepEqual(await about({ ...behind, ...fitting }), []);
});

test("doctor · an account whose full administrators are all inactive has none", async () => {
  const { db, env } = await fresh();
  const account = await makeAccount(db);
  await makePerson(db, account.id, { administrativeStatus: "administrator" });
  await db`
    update people set is_active = false
    where account_id = ${account.id} and administrative_status = 'full-administrator'`;
  const found = findingsOf(await vestry(["doctor", "--json"], { env }));
  assert.ok(found.includes("no-full-administrator"), found.join());
  assert.ok(!found.includes("administrators-without-login"), found.join());
});

test("doctor · endpoints at refused addresses and paused endpoints are named without their paths", async () => {
  const { db, env } = await fresh();
  const account = await makeAccount(db);
  const at = (url: string) => makeEndpoint(db, account.id, { url });
  const [four, six] = [await at("https://127.0.0.1:8443/key-9"), await at("https://[fd00::1]/")];
  const paused = await at("https://10.0.0.1/");
  await db`
    update webhook_endpoints set status = 'paused', pause_reason = 'security-policy'
    where account_id = ${account.id} and id = ${paused}`;
  await at("https://10.receiver.example/");
  await at("https://8.8.8.8/");
  const gone = await at("https://10.0.0.9/");
  await db`update webhook_endpoints set status = 'deleted' where id = ${gone}`;
  const closed = await makeAccount(db);
  const ofClosed = await makeEndpoint(db, closed.id, { url: "https://10.0.0.8/" });
  await db`update accounts set status = 'inactive' where id = ${closed.id}`;
  const about = async (networks: string) => {
    const { json } = await vestry(["doctor", "--json"], {
      env: { ...env, WEBHOOK_ALLOW_NETWORKS: networks },
    });
    const problemOf = (code: string) =>
      (json as unknown as Found).findings.find((one) => one.code === code)?.problem;
    return {
      threatened: problemOf("endpoints-at-refused-addresses"),
      paused: problemOf("endpoints-paused-for-security"),
    };
  };
  const none = await about("");
  assert.match(none.threatened ?? "", new RegExp(`${four} of \\S+ \\(https://127.0.0.1:8443\\)`));
  assert.match(none.threatened ?? "", new RegExp(`${six} of`));
  assert.doesNotMatch(none.threatened ?? "", /key-9|receiver|8\.8|and \d+ more/);
  for (const id of [gone, ofClosed]) assert.ok(!none.threatened?.includes(id));
  assert.match(none.paused ?? "", new RegExp(`${paused} of \\S+ \\(https://10.0.0.1\\)`));
  assert.ok(!none.threatened?.includes(paused));
  // A paused endpoint stays paused when its network is allowed.
  const all = await about("127.0.0.0/8,fd00::/8,10.0.0.0/8");
  assert.deepEqual(all, { threatened: undefined, paused: none.paused });
});

test("doctor · deliveries that have been due for more than five minutes are found", async () => {
  const { db, env } = await fresh();
  const account = await makeAccount(db);
  await makeEndpoint(db, account.id);
  for (let count = 0; count < 3; count++) await happen(db, account.id);
  const overdue = async (minutes: number) => {
    await db`update webhook_queue set due_at = now() - ${minutes} * interval '1 minute' where ready`;
    const { json } = await vestry(["doctor", "--json"], { env });
    return (json as unknown as Found).findings.find(({ code }) => code === "webhooks-overdue");
  };
  await db`
    update webhook_queue set ready = false, due_at = now() - interval '1 hour'
    where delivery_id = (select min(delivery_id::text)::uuid from webhook_queue)`;
  assert.equal(await overdue(4), undefined);
  assert.match((await overdue(7))?.problem ?? "", /^2 deliveries .* 7 minutes/);
});

test("doctor · allowed networks are named", async () => {
  const { env } = await whole();
  const about = async (networks: string) => {
    const { json } = await vestry(["doctor", "--json"], {
      env: { ...env, WEBHOOK_ALLOW_NETWORKS: networks },
    });
    return (json as unknown as Found).findings.map(({ code, problem }) => [code, problem]);
  };
  const [found, ...others] = await about("127.0.0.1, fd00::/8");
  assert.equal(others.length, 0);
  assert.equal(found?.[0], "private-networks-allowed");
  assert.match(found?.[1] ?? "", /127\.0\.0\.1, fd00::\/8/);
  assert.deepEqual(await about(""), []);
});

test("doctor · a broken configuration and an unreachable database are findings", async () => {
  const broken = await vestry(["doctor", "--json"], { env: { PORT: "many" } });
  assert.deepEqual(findingsOf(broken), ["configuration"]);
  const away = await vestry(["doctor", "--json"], {
    env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
  });
  assert.deepEqual(findingsOf(away), ["database-unavailable"]);
  assert.equal(away.status, 1);
});

test("a database that rejects the log-in is reported without the password", async () => {
  const { env } = await fresh();
  const [wrong, elsewhere] = [new URL(env.DATABASE_URL), new URL(env.DATABASE_URL)];
  wrong.password = "guessed";
  elsewhere.pathname = "nowhere";
  for (const [url, words] of [
    [
      wrong,
      /^The database server does not accept the user and password of DATABASE_URL \(28P01\)\.$/,
    ],
    [
      elsewhere,
      /^The database server has no database of the name in DATABASE_URL: .* \(3D000\)\.$/,
    ],
  ] as const) {
    const answer = await vestry(["migrate", "--json"], { env: { ...env, DATABASE_URL: url.href } });
    assert.equal(answer.status, 1);
    const error = answer.json["error"] as Record<string, string>;
    assert.equal(error["code"], "database-unavailable");
    assert.match(error["message"] ?? "", words);
    assert.ok(!`${answer.stdout}${answer.stderr}`.includes("guessed"));
  }
});

test("doctor and serve · an unknown name in .env is reported but is no error", async (context) => {
  const { env } = await whole();
  const directory = await mkdtemp(join(tmpdir(), "vestry-env-"));
  context.after(() => rm(directory, { recursive: true }));
  const envFile = join(directory, ".env");
  await writeFile(envFile, "METRIC_PORT=off\n");
  const note = /In \.env, .*: METRIC_PORT \(did you mean METRICS_PORT\?\)\./;

  const { status, stdout } = await vestry(["doctor"], { env, envFile });
  assert.match(stdout, note);
  assert.match(stdout, /No problems found/);
  assert.equal(status, 0);
  const { json } = await vestry(["doctor", "--json"], { env, envFile });
  assert.match(String(json["notes"]), note);

  // This start ends at once because of its port.
  const { stderr } = await vestry(["serve"], { env: { PORT: "many" }, envFile });
  assert.match(stderr, note);
});

test("expired access tokens and idempotency keys are deleted by their jobs, which report the number", async () => {
  const { db } = await fresh();
  const account = await makeAccount(db);
  await db`update access_tokens set expires_at = now() - interval '1 second'`;
  await db`
    insert into idempotency_keys (account_id, route, key, fingerprint, created_at)
    values (${account.id}, 'POST /v1/courses', 'k', '\\x00', now() - interval '2 days')`;
  const seen: Observation[] = [];
  const stop = onObservation((observation) => seen.push(observation));
  await runAllJobs(db);
  stop();
  for (const job of ["access-tokens", "idempotency-keys"])
    assert.deepEqual(
      seen.filter((each) => each.kind === "job-finished" && each.job === job),
      [{ kind: "job-finished", job, rows: 1 }],
    );
});

const runAllJobs = async (db: Db) => {
  for (const job of scheduledJobs) await runJob(db, job).catch(() => undefined);
};

/** The name of the partition that is `days` days from today by the database's clock. */
async function partitionOf({ db }: FreshDatabase, table: string, days: number): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select ${table}::text || to_char(current_date + ${days}::int, '_YYYYMMDD') as name`;
  return row?.name ?? assert.fail();
}

async function attach({ db }: FreshDatabase, table: string, day: string): Promise<string> {
  const name = `${table}_${day.replaceAll("-", "")}`;
  await db.query(`create table ${name} (like ${table} including all)`);
  await db.query(
    `alter table ${table} attach partition ${name} for values` +
      ` from (history_floor('${day}T00:00Z')) to (history_floor('${day}T00:00Z'::timestamptz + interval '1 day'))`,
  );
  return name;
}

/** The findings of doctor about partitions. */
async function aboutPartitions(env: Record<string, string>) {
  const { json } = await vestry(["doctor", "--json"], { env });
  const problemOf = (code: string) =>
    (json as unknown as Found).findings.find((one) => one.code === code)?.problem;
  return { missing: problemOf("partitions-missing"), overdue: problemOf("partitions-overdue") };
}

test("a failed job reports the reason in log and metrics, and doctor reports the partitions it left", async () => {
  const database = await whole();
  const { db, env } = database;
  await makeAccount(db);
  await db`update access_tokens set expires_at = now() - interval '1 second'`;
  const blocked = await partitionOf(database, "webhook_controls", 1);
  const free = await partitionOf(database, "webhook_deliveries", 1);
  await db.query(`drop table ${blocked}, ${free}`);
  await db.query(`create view ${blocked} as select 1 as one`);
  const attached = await attach(database, "webhook_events", "2020-01-01");
  const old = await attach(database, "webhook_events", "2020-01-02");
  await db.query(`create view reading as select id from ${attached}`);

  const round = async () => {
    let lines = "";
    const log = startLog("info", { write: (line) => void (lines += line) });
    const metrics = startMetrics({ poolSize: 1 });
    await runAllJobs(db);
    log.stop();
    const counted = (await metrics.text()).match(/^vestry_job_failures_total{.*$/gm) ?? [];
    metrics.stop();
    const told = lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    return { counted, failed: told.filter(({ kind }) => kind === "job-failed"), told };
  };
  const first = await round();
  assert.deepEqual(
    first.failed.map(({ level, job }) => [level, job]),
    [
      ["error", "missing-partitions"],
      ["error", "history"],
    ],
  );
  assert.match(first.failed[0].error.message, new RegExp(`already exists \\(${blocked}\\)`));
  assert.match(first.failed[1].error.message, new RegExp(`depend on it \\(${attached}\\)`));
  assert.deepEqual(first.counted, [
    'vestry_job_failures_total{job="missing-partitions"} 1',
    'vestry_job_failures_total{job="history"} 1',
  ]);
  assert.ok(first.told.some(({ job, rows }) => job === "access-tokens" && rows > 0));
  const there = await db<{ name: string }[]>`
    select relname::text as name from pg_class where relkind = 'r' and relname in (${free}, ${old})`;
  assert.deepEqual([...there], [{ name: free }]);

  const { missing = "", overdue = "" } = await aboutPartitions(env);
  assert.ok(missing.includes(blocked) && !missing.includes(free), missing);
  assert.ok(overdue.includes(attached) && !overdue.includes(old), overdue);

  await db.query(`drop view ${blocked}, reading`);
  assert.deepEqual((await round()).failed, []);
  assert.deepEqual(await aboutPartitions(env), { missing: undefined, overdue: undefined });
});

test("doctor · a third missing partition is found, and a table that is no partition does not count", async () => {
  const database = await whole();
  const { db, env } = database;
  for (const days of [7, 6])
    await db.query(`drop table ${await partitionOf(database, "webhook_events", days)}`);
  assert.deepEqual(await aboutPartitions(env), { missing: undefined, overdue: undefined });
  const third = await partitionOf(database, "webhook_events", 5);
  await db.query(`drop table ${third}`);
  assert.match((await aboutPartitions(env)).missing ?? "", new RegExp(`: ${third}\\.`));
  await db.query(`create table ${third} (id uuid)`);
  assert.match((await aboutPartitions(env)).missing ?? "", new RegExp(`: ${third}\\.`));
  // `vestry migrate`, which doctor recommends, reports the obstacle or creates the partitions.
  const { status, stderr } = await vestry(["migrate"], { env });
  assert.equal(status, 1);
  assert.match(
    stderr,
    new RegExp(`^Partitions cannot be made: .*already exists \\(${third}\\)\\.$`, "m"),
  );
  await db.query(`drop table ${third}`);
  assert.equal((await vestry(["migrate"], { env })).status, 0);
  assert.deepEqual(await aboutPartitions(env), { missing: undefined, overdue: undefined });
});
