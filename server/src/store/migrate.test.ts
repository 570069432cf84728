import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type FreshDatabase, freshDatabase } from "../../test/support/database.ts";
import { patient } from "../../test/support/patience.ts";
import { untilWaiting } from "../../test/support/together.ts";
import { version } from "../base/version.ts";
import { connect, inGlobalTransaction } from "./db.ts";
import { type Facts, readFacts } from "./facts.ts";
import { isTooNew, migrate, pendingMigrations, readMigrations, standingOf } from "./migrate.ts";
import { schemaSql } from "./schema.ts";

const opened: FreshDatabase[] = [];
after(() => Promise.all(opened.map((database) => database.close())));
async function fresh() {
  const database = await freshDatabase("it migrates");
  opened.push(database);
  return database;
}

/** An empty database, as `create database` makes it. */
async function empty() {
  const database = await fresh();
  await database.db.query("drop schema public cascade; create schema public");
  return database;
}

const released = await readMigrations();
const names = released.map(({ name }) => name);
const everything = [...names, "facts"];
const DAYS_AHEAD = 1;

/** The migrations of a later version. */
const later = [
  ...released,
  { name: "9001_more.sql", sql: "create table more (id uuid)", breaking: false, hash: "9001" },
  { name: "9002_most.sql", sql: "create table most (id uuid)", breaking: false, hash: "9002" },
];

test("each migration is applied once when several nodes start on an empty database", async () => {
  const { db, url } = await empty();
  assert.deepEqual(await pendingMigrations(db), everything);
  const nodes = Array.from({ length: 4 }, () => connect(url, { max: 1 }));
  const applied = await Promise.all(nodes.map((node) => migrate(node, DAYS_AHEAD)));
  await Promise.all(nodes.map((node) => node.end()));
  assert.deepEqual(applied.flat().sort(), everything);
  assert.deepEqual(await pendingMigrations(db), []);
});

test("a node waits for another node's migration beyond the statement timeout", async () => {
  const { db, url } = await fresh();
  const impatient = connect(url, { max: 1, ...patient });
  // Only PostgreSQL measures this time, and only that of a statement.
  await impatient`set statement_timeout = 500`;
  let migrating: Promise<string[]> | undefined;
  await inGlobalTransaction(db, async (other) => {
    await other`select pg_advisory_xact_lock(${0x76_65_73_74}::bigint)`;
    migrating = migrate(impatient, DAYS_AHEAD);
    migrating.catch(() => undefined);
    await untilWaiting(db, 1);
    await other`select pg_sleep(0.6)`;
  });
  assert.deepEqual(await migrating, []);
  await impatient.end();
});

test("an edited migration stops migrate() before it changes anything", async () => {
  const { db } = await fresh();
  const [, second = ""] = names;
  await db`update schema_migrations set hash = 'another' where name = ${second}`;
  await assert.rejects(migrate(db, DAYS_AHEAD, later), {
    message: `Migration ${second} was edited after it was applied. Restore it from version control.`,
  });
  assert.deepEqual((await standingOf(db, later)).pending, ["9001_more.sql", "9002_most.sql"]);
});

test("a database whose first migration was another one is unharmed, and the error says how to keep its data", async () => {
  const { db } = await fresh();
  await db`update schema_migrations set hash = 'another' where name = ${names[0]}`;
  for (const start of [pendingMigrations, migrate])
    await assert.rejects(start(db), /older state of Vestry.* unharmed.* pg_dump .* import them/);
});

test("a version works with a database of the next minor version at most", () => {
  const own = "1.4.2";
  assert.deepEqual(
    ["1.4.9", "1.5.0", "1.5.7", "1.3.0", "0.9.0"].filter((other) => isTooNew(other, own)),
    [],
  );
  for (const other of ["1.6.0", "1.10.0", "2.0.0"]) assert.ok(isTooNew(other, own), other);
});

test("a database that a much newer version has migrated is refused with that version", async () => {
  const { db } = await empty();
  await migrate(db, DAYS_AHEAD);
  const [noted] = await db<{ versions: string[] }[]>`
    select array_agg(distinct version) as versions from schema_migrations`;
  assert.deepEqual(noted?.versions, [version]);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const note = (name: string, by: string) => db`
    insert into schema_migrations (name, hash, version) values (${name}, 'x', ${by})`;
  await note("9001_next.sql", `${major}.${minor + 1}.3`);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.equal((await standingOf(db)).laterVersion, `${major}.${minor + 1}.3`);
  const newest = `${major}.${minor + 10}.0`;
  await note("9002_far.sql", newest);
  await note("9003_between.sql", `${major}.${minor + 9}.0`);
  await assert.rejects(
    pendingMigrations(db),
    new RegExp(`Vestry ${newest} has changed .* this is`),
  );
});

test("a failed migration is rolled back, earlier ones stay, and the next node continues there", async () => {
  const { db } = await empty();
  await db`create table most (other text)`;
  await assert.rejects(migrate(db, DAYS_AHEAD, later), { code: "42P07" });
  assert.deepEqual(await pendingMigrations(db, later), ["9002_most.sql", "facts"]);

  await db`drop table most`;
  assert.deepEqual(await migrate(db, DAYS_AHEAD, later), ["9002_most.sql", "facts"]);
  await db`drop table more, most`;
  const whole = await fresh();
  assert.equal(await schemaSql(db), await schemaSql(whole.db));
});

test("a database from before the first release is rejected with the command that exports it", async () => {
  const { db } = await empty();
  // Earlier ones have no column `breaking`.
  await db`
    create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz)`;
  await db`insert into schema_migrations (name, hash) values ('0001_house.sql', 'x'), ('0002_webhooks.sql', 'y')`;
  await assert.rejects(
    pendingMigrations(db),
    /before the first release .* pg_dump .* vestry doctor/,
  );
});

const own = await readFacts();

/** Facts of another version, with a view that says so. */
const factsOf = (revision: number, text: string): Facts => ({
  sql: `create or replace view version_facts as select '${text}' as text;`,
  hash: text,
  revision: own.revision + revision,
});

async function migrated(facts: Facts) {
  const { db } = await fresh();
  const apply = (one: Facts) => migrate(db, DAYS_AHEAD, released, one);
  assert.deepEqual(await apply(facts), ["facts"]);
  const text = async () => (await db<{ text: string }[]>`select text from version_facts`)[0]?.text;
  return { db, apply, text };
}

test("facts are applied once for each text, also when several nodes start", async () => {
  const { db, url } = await fresh();
  const nodes = Array.from({ length: 4 }, () => connect(url, { max: 1 }));
  const applied = await Promise.all(
    nodes.map((node) => migrate(node, DAYS_AHEAD, released, factsOf(1, "new"))),
  );
  await Promise.all(nodes.map((node) => node.end()));
  assert.deepEqual(applied.flat(), ["facts"]);
  assert.deepEqual(await pendingMigrations(db, released, factsOf(1, "new")), []);
});

test("a text that changes before its revision does is applied", async () => {
  const { apply, text } = await migrated(factsOf(1, "one"));
  assert.deepEqual(await apply(factsOf(1, "another")), ["facts"]);
  assert.equal(await text(), "another");
});

test("an older node finds newer facts, keeps them and serves", async () => {
  const { apply, db, text } = await migrated(factsOf(2, "newer"));
  assert.deepEqual(await pendingMigrations(db, released, factsOf(1, "older")), []);
  assert.deepEqual((await standingOf(db, released, factsOf(1, "older"))).later, ["facts"]);
  assert.deepEqual(await apply(factsOf(1, "older")), []);
  assert.equal(await text(), "newer");
});

test("facts that take a column away are rolled back", async () => {
  const { apply, db, text } = await migrated(factsOf(1, "one"));
  const smaller = {
    ...factsOf(2, "two"),
    sql: "create or replace view version_facts as select 1 as number",
  };
  await assert.rejects(apply(smaller), { code: "42P16" });
  assert.equal(await text(), "one");
  assert.deepEqual(await pendingMigrations(db, released, factsOf(1, "one")), []);
});

test("facts that a migration drops are applied again", async () => {
  const { db } = await fresh();
  const sql = "drop view merged_people cascade";
  const dropping = [...released, { name: "9001_drop.sql", sql, breaking: true, hash: "9001" }];
  assert.deepEqual(await migrate(db, DAYS_AHEAD, dropping), ["9001_drop.sql", "facts"]);
  assert.deepEqual([...(await db`select from merged_people`)], []);
});
