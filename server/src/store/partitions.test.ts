import assert from "node:assert/strict";
import { after, test } from "node:test";
import { freshDatabase } from "../../test/support/database.ts";
import { recordEvent } from "../../test/support/history.ts";
import { makeAccount } from "../../test/support/make.ts";
import { cancelWaiting, untilWaiting } from "../../test/support/together.ts";
import { connect, inGlobalTransaction } from "./db.ts";
import { dropPartitions, ensurePartitions, partitionsOf } from "./partitions.ts";

const database = await freshDatabase("it adds and drops partitions");
after(() => database.close());
const { db } = database;

const tables = [
  "webhook_attempts",
  "webhook_controls",
  "webhook_deliveries",
  "webhook_events",
] as const;

/** The name of the partition that is `days` days from today by the database's clock. */
async function nameOf(table: string, days: number): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select ${table}::text || to_char(now() + make_interval(days => ${days}::int), '_YYYYMMDD') as name`;
  return row?.name ?? assert.fail();
}

async function attach(table: string, name: string): Promise<string> {
  const day = name.slice(-8);
  await db.query(`create table ${name} (like ${table} including all)`);
  await db.query(
    `alter table ${table} attach partition ${name} for values from (history_floor('${day}T00:00Z'))` +
      ` to (history_floor('${day}T00:00Z'::timestamptz + interval '1 day'))`,
  );
  return name;
}

const isThere = async (name: string) =>
  (await db`select to_regclass(${name}) is not null as there`)[0]?.["there"] as boolean;

test("partitions exist for yesterday and the next week, and concurrent nodes create each once", async () => {
  for (const table of tables) await db.query(`drop table ${await nameOf(table, -1)}`);
  const months = (await partitionsOf(db, "journal")).length;
  const nodes = Array.from({ length: 6 }, () => connect(database.url, { max: 1 }));
  const made = await Promise.all(nodes.map((node) => ensurePartitions(node)));
  await Promise.all(nodes.map((node) => node.end()));
  // A new test database has partitions for today and tomorrow. The next week can be in another month.
  const more = (await partitionsOf(db, "journal")).length - months;
  assert.deepEqual(made.sort((a, b) => b - a).slice(0, 2), [tables.length * 7 + more, 0]);
  for (const table of tables) {
    const days = [7, 6, 5, 4, 3, 2, 1, 0, -1];
    const expected = await Promise.all(days.map((each) => nameOf(table, each)));
    assert.deepEqual(await partitionsOf(db, table), expected);
  }
});

test("a partition is dropped 30 days after its day ended", async () => {
  const over: string[] = [];
  for (const table of tables) {
    over.push(await attach(table, await nameOf(table, -31)));
    await attach(table, await nameOf(table, -30));
  }
  assert.deepEqual((await dropPartitions(db)).sort(), over.sort());
  assert.deepEqual(await dropPartitions(db), []);
  for (const table of tables) {
    assert.equal(await isThere(await nameOf(table, -31)), false);
    assert.equal((await partitionsOf(db, table)).at(-1), await nameOf(table, -30));
  }
});

test("a partition that a dead node has detached is dropped by the next node; similar names stay", async () => {
  const strangers = ["webhook_letters_20200101", "people_20200101"];
  for (const name of strangers) await db.query(`create table ${name} (id uuid)`);
  const detached = "webhook_attempts_20200101";
  await db.query(`create table ${detached} (like webhook_attempts)`);
  const half = await attach("webhook_events", "webhook_events_20200101");
  await inGlobalTransaction(db, async (reader) => {
    await reader`select from webhook_events`;
    const dying = assert.rejects(
      db.query(`alter table webhook_events detach partition ${half} concurrently`),
      { code: "57014" },
    );
    await untilWaiting(db, 1);
    await cancelWaiting(db);
    await dying;
  });
  assert.deepEqual((await dropPartitions(db)).sort(), [detached, half]);
  for (const name of [detached, half]) assert.equal(await isThere(name), false, name);
  for (const name of strangers) assert.equal(await isThere(name), true, name);
});

test("creating and dropping partitions blocks neither writers nor readers", async () => {
  const account = await makeAccount(db);
  const impatient = connect(database.url, { max: 2, statementMsMax: 4_000 });
  const missing = await nameOf("webhook_events", 7);
  await db.query(`drop table ${missing}`);
  const old = await attach("webhook_events", "webhook_events_20200102");
  let dropping: Promise<string[]> | undefined;
  await inGlobalTransaction(db, async (slow) => {
    await recordEvent(slow as unknown as typeof db, account.id);
    assert.equal(await ensurePartitions(impatient), 1);
    dropping = dropPartitions(db);
    dropping.catch(() => undefined);
    await untilWaiting(db, 1);
    await recordEvent(impatient, account.id);
    await impatient`select from webhook_events where account_id = ${account.id}`;
  });
  assert.deepEqual(await dropping, [old]);
  await impatient.end();
});
