import { version } from "../base/version.ts";
import { insertion } from "./sql.ts";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type Db, inGlobalTransaction, type Tx } from "./db.ts";
import {
  appliedFacts,
  applyFacts,
  areNewer,
  FACTS,
  type Facts,
  forgetFacts,
  readFacts,
} from "./facts.ts";
import { withoutJournal } from "./journal.ts";
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
 * Brings the schema up to date and returns the names of the migrations it applied, and `facts` if it applied those.
 *
 * Migrations go forward only, each in a transaction of its own. One node migrates at a time: the others wait for the lock
 * and then find nothing left to do. A migration that was edited after it was applied stops the start, because the schema
 * of the database is then unknown. The facts follow the migrations, and the partitions of the next days are made as well.
 */
export async function migrate(
  db: Db,
  daysAhead?: number,
  migrations?: readonly Migration[],
  facts?: Facts,
): Promise<string[]> {
  await inGlobalTransaction(db, makeRecord);
  const applied: string[] = [];
  for (const migration of migrations ?? (await readMigrations()))
    if (await inGlobalTransaction(db, (tx) => apply(tx, migration))) applied.push(migration.name);
  const own = facts ?? (await readFacts());
  if (await inGlobalTransaction(db, (tx) => applyOwn(tx, own))) applied.push(FACTS);
  await ensurePartitions(db, daysAhead);
  return applied;
}

async function oneAtATime(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
}

/** In a transaction of its own, so that a reader never waits for a long migration. */
async function makeRecord(tx: Tx): Promise<void> {
  await oneAtATime(tx);
  await tx`
    create table if not exists schema_migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz(3) not null default now(),
      breaking boolean not null default false
    )`;
  // The version of Vestry that applied it. Null if that version did not note it.
  await tx`alter table schema_migrations add column if not exists version text`;
  await tx`
    create table if not exists schema_facts (
      revision integer primary key,
      hash text not null,
      applied_at timestamptz(3) not null default now()
    )`;
}

async function applyOwn(tx: Tx, facts: Facts): Promise<boolean> {
  await oneAtATime(tx);
  return applyFacts(tx, facts);
}

async function apply(tx: Tx, { breaking, hash, name, sql }: Migration): Promise<boolean> {
  await oneAtATime(tx);
  const [known] = await tx<{ hash: string }[]>`
    select hash from schema_migrations where name = ${name}`;
  if (known?.hash === hash) return false;
  if (known) throw wasChanged([name]);
  await withoutJournal(tx);
  await tx.query(sql);
  await tx`insert into schema_migrations ${insertion({ name, hash, breaking, version })}`;
  await forgetFacts(tx);
  return true;
}

/** Names of migrations, and `facts`, by what this version and this database know of them. */
export interface Standing {
  /** Not applied yet. The service must not serve before they are. */
  readonly pending: readonly string[];
  /** Applied, and edited since. */
  readonly changed: readonly string[];
  /** Applied by a newer version. */
  readonly later: readonly string[];
  /** Those of `later` that this version cannot work with. */
  readonly breaking: readonly string[];
  /** The newest version that applied one of `later`, if it is known. */
  readonly laterVersion: string | undefined;
}

/** The first migration of the versions before the first release, whose databases cannot be upgraded. */
const UNRELEASED = "0001_house.sql";

export async function standingOf(
  db: Db,
  migrations?: readonly Migration[],
  facts?: Facts,
): Promise<Standing> {
  const all = migrations ?? (await readMigrations());
  const own = new Map(all.map(({ hash, name }) => [name, hash]));
  const [table] = await db`select to_regclass('schema_migrations') as name`;
  const applied =
    table?.["name"] === null
      ? []
      : await db<{ name: string; hash: string; breaking?: boolean; version?: string | null }[]>`
          select * from schema_migrations order by name`;
  if (applied.some(({ name }) => name === UNRELEASED)) throw unreleasedDatabase();
  const there = new Set(applied.map(({ name }) => name));
  const ownFacts = facts ?? (await readFacts());
  const known = await appliedFacts(db);
  const hasLaterFacts = known !== undefined && known.revision > ownFacts.revision;
  const later = applied.filter(({ name }) => !own.has(name));
  const namesOf = (some: readonly { name: string }[]) => some.map(({ name }) => name);
  return {
    pending: [
      ...[...own.keys()].filter((name) => !there.has(name)),
      ...(areNewer(ownFacts, known) ? [FACTS] : []),
    ],
    changed: namesOf(applied.filter(({ hash, name }) => own.has(name) && own.get(name) !== hash)),
    later: [...namesOf(later), ...(hasLaterFacts ? [FACTS] : [])],
    breaking: namesOf(later.filter(({ breaking }) => breaking === true)),
    laterVersion: newestOf(later.flatMap((one) => one.version ?? [])),
  };
}

/** Throws when this version does not know the schema. Reading or writing could damage data silently. */
export async function pendingMigrations(
  db: Db,
  migrations?: readonly Migration[],
  facts?: Facts,
): Promise<readonly string[]> {
  return (await usableStanding(db, migrations, facts)).pending;
}

export async function usableStanding(
  db: Db,
  migrations?: readonly Migration[],
  facts?: Facts,
): Promise<Standing> {
  const standing = await standingOf(db, migrations, facts);
  const { breaking, changed, later, laterVersion } = standing;
  if (changed.length > 0) throw wasChanged(changed);
  if (breaking.length > 0)
    throw new Error(
      `A newer Vestry changed the database in a way that breaks this version (${breaking.join(", ")}). ` +
        "Update this clone to that version.",
    );
  if (laterVersion !== undefined && isTooNew(laterVersion, version))
    throw new Error(
      `Vestry ${laterVersion} has changed the database (${later.join(", ")}), and this is ${version}. ` +
        "A node works with a database of the next minor version at most. Update this clone.",
    );
  return standing;
}

/** Major, minor and patch. */
const partsOf = (text: string): readonly number[] =>
  text.split(/[.+-]/, 3).map((part) => Number(part) || 0);

function isNewer(one: string, other: string): boolean {
  const known = partsOf(other);
  const [first] = partsOf(one).flatMap((part, at) => {
    const difference = part - (known[at] ?? 0);
    return difference === 0 ? [] : [difference];
  });
  return first !== undefined && first > 0;
}

const newestOf = (versions: readonly string[]): string | undefined =>
  versions.reduce<string | undefined>(
    (newest, one) => (newest === undefined || isNewer(one, newest) ? one : newest),
    undefined,
  );

/** Whether a database that `other` has migrated is more than one minor version ahead of `own`. */
export function isTooNew(other: string, own: string): boolean {
  const [major = 0, minor = 0] = partsOf(other);
  const [ownMajor = 0, ownMinor = 0] = partsOf(own);
  return major > ownMajor || (major === ownMajor && minor > ownMinor + 1);
}

export const BASELINE = "0001_baseline.sql";

const wasChanged = (names: readonly string[]) =>
  new Error(
    names.includes(BASELINE)
      ? "This data was made by an older state of Vestry, whose first migration was another one. It is unharmed, and this state cannot use it. " +
          "To keep it, dump it with pg_dump --format=custom --file=vestry.dump, and export people with the older state. " +
          "Then start with an empty database or another DATA_DIR and import them."
      : `Migration ${names.join(", ")} was edited after it was applied. Restore it from version control.`,
  );

const unreleasedDatabase = () =>
  new Error(
    "This database was made by a version of Vestry before the first release and cannot be upgraded. " +
      "To export its data, start that version and run pg_dump --format=custom --file=vestry.dump with its address: " +
      "DATABASE_URL, or the one that npx vestry doctor shows. Then start with an empty database or another DATA_DIR.",
  );
