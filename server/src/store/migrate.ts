import { insertion } from "./sql.ts";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type Db, inTransaction, type Tx } from "./db.ts";
import { ensurePartitions } from "./partitions.ts";

const folder = new URL("../../migrations/", import.meta.url);

/** Any constant will do, as long as no other program locks it: "vestry" in ASCII. */
const MIGRATION_LOCK = 0x76_65_73_74;

export interface Migration {
  name: string;
  sql: string;
  /** The first line says `-- breaking`: code of the version before must have stopped. */
  breaking: boolean;
  hash: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), "utf8");
      const hash = createHash("sha256").update(sql).digest("hex");
      return { name, sql, breaking: sql.startsWith("-- breaking"), hash };
    }),
  );
}

/**
 * Brings the schema up to date and answers the names of what it applied.
 *
 * Forward only, each file in a transaction of its own, one node at a time: others wait on the lock and then find
 * nothing left to do. A file that was changed after it was applied stops the start, since nobody could say what
 * schema there is. The partitions that history needs next belong to it.
 */
export async function migrate(db: Db, daysAhead?: number): Promise<string[]> {
  await inTransaction(db, makeRecord);
  const applied: string[] = [];
  for (const migration of await readMigrations())
    if (await inTransaction(db, (tx) => apply(tx, migration))) applied.push(migration.name);
  await ensurePartitions(db, daysAhead);
  return applied;
}

async function oneAtATime(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
}

/** By itself: nobody who only looks waits for a migration that takes long. */
async function makeRecord(tx: Tx): Promise<void> {
  await oneAtATime(tx);
  await tx`
    create table if not exists schema_migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz(3) not null default now()
    )`;
  await tx`alter table schema_migrations add column if not exists breaking boolean not null default false`;
}

async function apply(tx: Tx, { breaking, hash, name, sql }: Migration): Promise<boolean> {
  await oneAtATime(tx);
  const [known] = await tx<{ hash: string }[]>`
    select hash from schema_migrations where name = ${name}`;
  if (known?.hash === hash) return false;
  if (known) throw wasChanged([name]);
  await tx.query(sql);
  await tx`insert into schema_migrations ${insertion({ name, hash, breaking })}`;
  return true;
}

/** Names of migrations, by what this version and this database know of them. */
export interface Standing {
  /** This version has them and the database lacks them: the service must not serve before they are applied. */
  readonly pending: readonly string[];
  /** They were applied in other words than this version has. */
  readonly changed: readonly string[];
  /** A newer version has applied them. */
  readonly later: readonly string[];
  /** Those of them that this version would write against. */
  readonly breaking: readonly string[];
}

export async function standingOf(db: Db): Promise<Standing> {
  const own = new Map((await readMigrations()).map(({ hash, name }) => [name, hash]));
  const [table] = await db`select to_regclass('schema_migrations') as name`;
  // A record that versions before made has no column `breaking`.
  const applied =
    table?.["name"] === null
      ? []
      : await db<{ name: string; hash: string; breaking: boolean }[]>`
          select name, hash, coalesce((to_jsonb(record) ->> 'breaking')::boolean, false) as breaking
          from schema_migrations record order by name`;
  const there = new Set(applied.map(({ name }) => name));
  const later = applied.filter(({ name }) => !own.has(name));
  const namesOf = (some: readonly { name: string }[]) => some.map(({ name }) => name);
  return {
    pending: [...own.keys()].filter((name) => !there.has(name)),
    changed: namesOf(applied.filter(({ hash, name }) => own.has(name) && own.get(name) !== hash)),
    later: namesOf(later),
    breaking: namesOf(later.filter(({ breaking }) => breaking)),
  };
}

/** Throws where the schema is not one that this version knows: to read or write by it does harm that nobody sees. */
export async function pendingMigrations(db: Db): Promise<readonly string[]> {
  const { breaking, changed, pending } = await standingOf(db);
  if (changed.length > 0) throw wasChanged(changed);
  if (breaking.length > 0)
    throw new Error(
      `A newer Vestry has changed the database in a way that this version breaks on (${breaking.join(", ")}): ` +
        "bring this clone up to the version that did.",
    );
  return pending;
}

const wasChanged = (names: readonly string[]) =>
  new Error(
    `Migration ${names.join(", ")} was changed after it had been applied: restore it from version control.`,
  );
