import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sweep } from "../../src/sweeps.ts";
import { type Observation, onObservation } from "../../src/observe.ts";
import { vestry } from "../support/command.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { makeChurch, makeEndpoint, makePerson } from "../support/make.ts";

/** migrate, seed, doctor, and what is swept: what concerns all churches at once. */

const opened: FreshDatabase[] = [];
after(() => Promise.all(opened.map((database) => database.drop())));
async function fresh() {
  const database = await freshDatabase();
  opened.push(database);
  return { ...database, env: { DATABASE_URL: database.url, METRICS_PORT: "off" } };
}

interface Found {
  findings: { code: string; problem: string; remedy: string }[];
}
const findingsOf = ({ json }: { json: Record<string, unknown> }) =>
  (json as unknown as Found).findings.map(({ code }) => code);

test("migrate · brings an empty database up to date, and then has nothing to do; others wait for it", async () => {
  const { db, env } = await fresh();
  await db.unsafe("drop schema public cascade");
  await db.unsafe("create schema public");

  const early = await vestry(["accounts", "approve", "--alias", "abc", "--json"], { env });
  assert.equal(early.status, 1);
  assert.match(early.stdout, /migrations-pending.*npx vestry migrate/);
  assert.ok(findingsOf(await vestry(["doctor", "--json"], { env })).includes("migrations-pending"));

  const first = await vestry(["migrate", "--json"], { env });
  assert.equal(first.status, 0, first.stderr);
  assert.ok((first.json["applied"] as string[]).includes("0001_house.sql"));
  assert.deepEqual((await vestry(["migrate", "--json"], { env })).json, { applied: [] });
});

test("seed · the same seed makes the same people, whoever runs it", async () => {
  const rows = async () => {
    const { db, env } = await fresh();
    const made = await vestry(["seed", "--size", "small", "--seed", "7", "--json"], { env });
    assert.equal(made.status, 0, made.stderr);
    assert.equal(made.json["people"], 200);
    // What a password and its salt make is new each time.
    const tables = ["accounts", "roles", "people", "logins", "courses", "course_lessons"];
    const more = ["course_classes", "course_materials", "course_enrollments", "cells"];
    const hashes: string[] = [];
    for (const table of [...tables, ...more, "course_teachers", "cell_memberships"]) {
      const [row] = await db.unsafe(
        `select md5(string_agg(each::text, ' ' order by each::text)) as hash, count(*)::int as count from ${table} each`,
      );
      assert.ok(row?.["count"] > 0, table);
      hashes.push(row?.["hash"]);
    }
    return hashes;
  };
  assert.deepEqual(await rows(), await rows());
});

test("seed · what is there already is refused; another prefix makes other churches", async () => {
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
  const found = findingsOf(await vestry(["doctor", "--json"], { env }));
  assert.ok(!found.includes("row-counts-differ"));
});

test("seed · its full administrator logs in with the password that was given", async () => {
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

test("doctor · a sound installation has nothing to report, and exits 0", async () => {
  const { env } = await fresh();
  const { status, stdout } = await vestry(["doctor"], { env });
  assert.match(stdout, /Nothing is wrong/);
  assert.equal(status, 0);
  assert.ok(!stdout.includes(new URL(env.DATABASE_URL).password), "the password is not shown");
});

test("doctor · every finding says what is wrong and what to do, and the exit status is 1", async () => {
  const { db, env } = await fresh();
  const church = await makeChurch(db);
  await makeChurch(db);
  await db`update people set administrative_status = 'none' where account_id = ${church.id}`;
  await db`insert into schema_migrations (name, hash) values ('9999_later.sql', 'x')`;
  await db`alter table cells set (autovacuum_enabled = false)`;
  await db`create index passing_left on people (account_id, created_by)`;
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
    "own-origin-not-first-party",
    "rate-limits-off",
    "migrations-unknown",
    "autovacuum-off",
    "indexes-left-behind",
  ])
    assert.ok(found.includes(code), `${code} in ${found.join()}`);

  await db`delete from schema_migrations where name = '9999_later.sql'`;
  const churches = findingsOf(await vestry(["doctor", "--json"], { env }));
  assert.ok(churches.includes("no-full-administrator"));
  assert.ok(churches.includes("administrators-without-login"));
});

test("doctor · totals that differ from what is there are found, and mended by what it says", async () => {
  const { db, env } = await fresh();
  const church = await makeChurch(db);
  await db`alter table people disable trigger count_inserted`;
  await makePerson(db, church.id);
  await db`alter table people enable trigger count_inserted`;
  const differ = async () => {
    const { json } = await vestry(["doctor", "--json"], { env });
    return (json as unknown as Found).findings.find(({ code }) => code === "row-counts-differ");
  };
  const found = await differ();
  assert.match(found?.problem ?? "", /people/);
  const [remedy = ""] = /select \w+\(\)/.exec(found?.remedy ?? "") ?? [];
  await db.unsafe(remedy);
  assert.equal(await differ(), undefined);
});

test("doctor · endpoints at addresses that are refused are named without their paths, and those already paused for it", async () => {
  const { db, env } = await fresh();
  const church = await makeChurch(db);
  const at = (url: string) => makeEndpoint(db, church.id, { url });
  const [four, six] = [await at("https://127.0.0.1:8443/key-9"), await at("https://[fd00::1]/")];
  const paused = await at("https://10.0.0.1/");
  await db`
    update webhook_endpoints set status = 'paused', pause_reason = 'security-policy'
    where account_id = ${church.id} and id = ${paused}`;
  await at("https://10.receiver.example/");
  await at("https://8.8.8.8/");
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
  assert.match(none.paused ?? "", new RegExp(`${paused} of \\S+ \\(https://10.0.0.1\\)`));
  assert.ok(!none.threatened?.includes(paused));
  // What is paused stays so, whatever is allowed by now.
  const all = await about("127.0.0.0/8,fd00::/8,10.0.0.0/8");
  assert.deepEqual(all, { threatened: undefined, paused: none.paused });
});

test("doctor · a broken configuration and a database that is away are findings, too", async () => {
  const broken = await vestry(["doctor", "--json"], { env: { PORT: "many" } });
  assert.deepEqual(findingsOf(broken), ["configuration"]);
  const away = await vestry(["doctor", "--json"], {
    env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
  });
  assert.deepEqual(findingsOf(away), ["database-unavailable"]);
  assert.equal(away.status, 1);
});

test("doctor · a remedy for several findings is said once", async () => {
  const broken = { PORT: "many", LOG_LEVEL: "loud", DEMO: "maybe" };
  const { stdout } = await vestry(["doctor"], { env: broken });
  for (const value of Object.values(broken)) assert.ok(stdout.includes(JSON.stringify(value)));
  assert.equal(stdout.split(".env.example explains every setting.").length, 2);
});

test("doctor and serve · a name in .env that is no setting is noted, and is no fault", async (context) => {
  const { env } = await fresh();
  const directory = await mkdtemp(join(tmpdir(), "vestry-env-"));
  context.after(() => rm(directory, { recursive: true }));
  const envFile = join(directory, ".env");
  await writeFile(envFile, "METRIC_PORT=off\n");
  const note = /In \.env, .*: METRIC_PORT \(did you mean METRICS_PORT\?\)\./;

  const { status, stdout } = await vestry(["doctor"], { env, envFile });
  assert.match(stdout, note);
  assert.match(stdout, /Nothing is wrong/);
  assert.equal(status, 0);
  const { json } = await vestry(["doctor", "--json"], { env, envFile });
  assert.match(String(json["notes"]), note);

  // A start that ends at once.
  const { stderr } = await vestry(["serve"], { env: { PORT: "many" }, envFile });
  assert.match(stderr, note);
});

test("a sweep forgets what is over, by one node at a time, and tells", async () => {
  const { db } = await fresh();
  const church = await makeChurch(db);
  await db`update access_tokens set expires_at = now() - interval '1 second'`;
  await db`
    insert into idempotency_keys (account_id, route, key, fingerprint, created_at)
    values (${church.id}, 'POST /v1/courses', 'k', '\\x00', now() - interval '2 days')`;
  const told: Observation[] = [];
  const stop = onObservation((observation) => told.push(observation));
  const [first, second] = await Promise.all([sweep(db), sweep(db)]);
  stop();
  assert.ok(first || second);
  const rows = (what: string) =>
    told.find((each) => each.kind === "sweep-finished" && each.what === what);
  assert.deepEqual(rows("access-tokens"), {
    kind: "sweep-finished",
    what: "access-tokens",
    rows: 1,
  });
  assert.deepEqual(rows("idempotency-keys"), {
    kind: "sweep-finished",
    what: "idempotency-keys",
    rows: 1,
  });

  const other = await db.reserve();
  await other`select pg_advisory_lock(${0x73_77_65_70}::bigint)`;
  assert.equal(await sweep(db), false, "another node is at it");
  await other`select pg_advisory_unlock(${0x73_77_65_70}::bigint)`;
  other.release();
});
