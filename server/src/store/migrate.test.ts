import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type FreshDatabase, freshDatabase } from "../../test/support/database.ts";
import { untilWaiting } from "../../test/support/together.ts";
import { connect } from "./db.ts";
import { migrate, pendingMigrations, readMigrations, standingOf } from "./migrate.ts";
import { schemaSql } from "./schema.ts";

const opened: FreshDatabase[] = [];
after(() => Promise.all(opened.map((database) => database.close())));
async function fresh() {
  const database = await freshDatabase();
  opened.push(database);
  return database;
}

/** As `create database` leaves it. */
async function empty() {
  const database = await fresh();
  await database.db.query("drop schema public cascade; create schema public");
  return database;
}

const names = (await readMigrations()).map(({ name }) => name);
const DAYS_AHEAD = 1;

test("of nodes that start at once on an empty database each migration is applied by one, and none fails", async () => {
  const { db, url } = await empty();
  assert.deepEqual(await pendingMigrations(db), names);
  const nodes = Array.from({ length: 4 }, () => connect(url, { max: 1 }));
  const applied = await Promise.all(nodes.map((node) => migrate(node, DAYS_AHEAD)));
  await Promise.all(nodes.map((node) => node.end()));
  assert.deepEqual(applied.flat().sort(), names);
  assert.deepEqual(await pendingMigrations(db), []);
});

test("a node waits for the one that migrates, for longer than a statement may take", async () => {
  const { db, url } = await fresh();
  const impatient = connect(url, { max: 1, statementMsMax: 500 });
  let migrating: Promise<string[]> | undefined;
  await db.begin(async (other) => {
    await other`select pg_advisory_xact_lock(${0x76_65_73_74}::bigint)`;
    migrating = migrate(impatient, DAYS_AHEAD);
    migrating.catch(() => undefined);
    await untilWaiting(db, 1);
    await other`select pg_sleep(0.6)`;
  });
  assert.deepEqual(await migrating, []);
  await impatient.end();
});

test("a file that was changed after it had been applied stops whoever migrates, before anything else is done", async () => {
  const { db } = await fresh();
  const last = names.at(-1) ?? "";
  await db`delete from schema_migrations where name = ${last}`;
  await db`update schema_migrations set hash = 'another' where name = ${names[1] ?? ""}`;
  await assert.rejects(migrate(db, DAYS_AHEAD), {
    message: `Migration ${names[1]} was changed after it had been applied: restore it from version control.`,
  });
  assert.deepEqual((await standingOf(db)).pending, [last]);
});

test("a migration that fails leaves nothing of itself; those before it stay, and the next node goes on there", async () => {
  const [{ db }, whole] = [await empty(), await fresh()];
  await db`create table webhook_queue (of_somebody_else text)`;
  await assert.rejects(migrate(db, DAYS_AHEAD), { code: "42P07" });
  assert.deepEqual(await pendingMigrations(db), names.slice(1));
  const [row] = await db`
    select to_regclass('accounts') as before, to_regclass('webhook_endpoints') as failed`;
  assert.deepEqual({ ...row }, { before: "accounts", failed: null });

  await db`drop table webhook_queue`;
  assert.deepEqual(await migrate(db, DAYS_AHEAD), names.slice(1));
  assert.equal(await schemaSql(db), await schemaSql(whole.db));
});
