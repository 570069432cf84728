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
  const applied: string[] = [];
  for (const migration of await readMigrations())
    if (await inTransaction(db, (tx) => apply(tx, migration))) applied.push(migration.name);
  await ensurePartitions(db, daysAhead);
  return applied;
}

async function apply(tx: Tx, { hash, name, sql }: Migration): Promise<boolean> {
  await tx`set local statement_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
  await tx`
    create table if not exists schema_migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz(3) not null default now()
    )`;
  const [known] = await tx<{ hash: string }[]>`
    select hash from schema_migrations where name = ${name}`;
  if (known?.hash === hash) return false;
  if (known) throw new Error(`Migration ${name} was changed after it had been applied.`);
  await tx.unsafe(sql);
  await tx`insert into schema_migrations (name, hash) values (${name}, ${hash})`;
  return true;
}

/** The migrations this version knows and this database lacks: the service must not serve before they are applied. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await readMigrations();
  const [table] = await db`select to_regclass('schema_migrations') as name`;
  if (table?.["name"] === null) return migrations.map((migration) => migration.name);
  const rows = await db<{ name: string }[]>`select name from schema_migrations`;
  const known = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !known.has(migration.name)).map(({ name }) => name);
}
