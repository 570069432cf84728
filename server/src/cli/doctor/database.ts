import { HOUR, now, SECOND } from "../../base/clock.ts";
import { version as ownVersion } from "../../base/version.ts";
import type { Config } from "../../app/config.ts";
import type { Db } from "../../store/db.ts";
import { BASELINE, standingOf } from "../../store/migrate.ts";
import { type Finding, few, finding } from "./finding.ts";

const OLDEST_MAJOR = 15;
const EXTENSIONS = ["pg_trgm", "btree_gin", "unaccent"];
const CLOCK_MS_MAX = 2 * SECOND;

export interface DatabaseFacts {
  version: string;
  /** True when the schema is that of this version, so that accounts can be examined. */
  schemaFits: boolean;
}

/** Examines the server and the schema. Checks that need no schema come first. */
export async function examineDatabase(
  db: Db,
  config: Config,
  found: (one: Finding) => void,
): Promise<DatabaseFacts> {
  const [server] = await db<{ version: string; number: number; encoding: string }[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding`;
  const version = server?.version ?? "?";
  if ((server?.number ?? 0) < OLDEST_MAJOR * 10_000)
    found(
      finding(
        "database-too-old",
        `The database server is PostgreSQL ${version} and must be ${OLDEST_MAJOR} or newer.`,
        "Upgrade the database server.",
      ),
    );
  if (server?.encoding !== "UTF8")
    found(
      finding(
        "database-encoding",
        `The encoding of the database is ${server?.encoding} and must be UTF8.`,
        "Create a new database with encoding UTF8 and move the data there.",
      ),
    );
  await examineClock(db, found);
  await examineExtensions(db, found);
  await examineUpkeep(db, found);
  await examineNodes(db, config, found);
  return { version, schemaFits: await examineMigrations(db, found) };
}

type Found = (one: Finding) => void;

async function examineClock(db: Db, found: Found): Promise<void> {
  const asked = now();
  const [row] = await db<{ ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  // The server read its clock between the two local readings.
  const apart = Math.abs((row?.ms ?? asked) - (asked + now()) / 2);
  if (apart > CLOCK_MS_MAX)
    found(
      finding(
        "clocks-differ",
        `The clocks of this machine and of the database differ by ${Math.round(apart / SECOND)} s.`,
        "Synchronize both with a time server (NTP).",
      ),
    );
}

async function examineExtensions(db: Db, found: Found): Promise<void> {
  const rows = await db<{ name: string }[]>`select name from pg_available_extensions`;
  const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0)
    found(
      finding(
        "extensions-missing",
        `The database server lacks the extensions ${missing.join(", ")}.`,
        "Install the contrib package of PostgreSQL on the server.",
      ),
    );
}

async function examineMigrations(db: Db, found: Found): Promise<boolean> {
  const { changed, later, laterVersion, pending } = await standingOf(db);
  if (pending.length > 0)
    found(
      finding(
        "migrations-pending",
        `The database has pending migrations: ${few(pending)}.`,
        "Run npx vestry migrate.",
      ),
    );
  if (later.length > 0)
    found(
      finding(
        "migrations-unknown",
        `${laterVersion === undefined ? "A newer version of Vestry" : `Vestry ${laterVersion}`} has migrated the database: ${few(later)}. This is ${ownVersion}.`,
        "Update this clone to that version.",
      ),
    );
  if (changed.length > 0)
    found(
      finding(
        "migrations-changed",
        `Applied migrations have changed: ${few(changed)}.`,
        changed.includes(BASELINE)
          ? "This data was made by an older state of Vestry. It is unharmed: dump it, start with an empty database, and import it."
          : "Restore the files from version control.",
      ),
    );
  return pending.length + later.length + changed.length === 0;
}

async function examineUpkeep(db: Db, found: Found): Promise<void> {
  const [settings] = await db<{ on: boolean }[]>`
    select current_setting('autovacuum')::bool and current_setting('track_counts')::bool as on`;
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and 'autovacuum_enabled=false' = any (reloptions)`;
  if (!settings?.on || tables.length > 0)
    found(
      finding(
        "autovacuum-off",
        settings?.on
          ? `Autovacuum is off for ${few(tables.map(({ name }) => name))}.`
          : "Autovacuum is off, so tables keep growing and query plans become slow.",
        "Turn autovacuum on.",
      ),
    );

  const invalid = await db<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)`;
  if (invalid.length > 0)
    found(
      finding(
        "indexes-invalid",
        `Indexes are invalid, because their creation was interrupted: ${few(invalid.map(({ name }) => name))}.`,
        "Run reindex index concurrently for each.",
      ),
    );

  // Each of these keeps vacuum from removing dead rows in all tables.
  const holding = await db<{ what: string }[]>`
    select format('process %s (%s) since %s', pid, coalesce(nullif(application_name, ''), 'unnamed'),
      to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')) as what
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and xact_start < now() - make_interval(secs => ${HOUR / SECOND})
    union all
    select format('prepared transaction %s', gid) from pg_prepared_xacts
    where database = current_database() and prepared < now() - make_interval(secs => ${HOUR / SECOND})
    union all
    select format('replication slot %s', slot_name) from pg_replication_slots
    where not active and (xmin is not null or catalog_xmin is not null)`;
  if (holding.length > 0)
    found(
      finding(
        "old-transactions",
        `Transactions that have been open for more than an hour keep vacuum from removing dead rows: ${few(holding.map(({ what }) => what))}.`,
        "End them with pg_terminate_backend(<process>), rollback prepared or pg_drop_replication_slot().",
      ),
    );

  const [collation] = await db<{ differs: boolean }[]>`
    select datcollversion is distinct from pg_database_collation_actual_version(oid) as differs
    from pg_database where datname = current_database()`;
  if (collation?.differs)
    found(
      finding(
        "collation-changed",
        "The collation of the database has changed with its operating system, so indexes on text may be wrong.",
        "Run reindex database, then alter database with refresh collation version.",
      ),
    );
}

/** Without ENCRYPTION_KEYS each machine generates a key, and cannot decrypt the secrets of the others. */
async function examineNodes(db: Db, config: Config, found: Found): Promise<void> {
  if (config.databaseUrl === undefined || config.encryptionKeys.length > 0) return;
  const machines = await db`
    select distinct client_addr from pg_stat_activity
    where datname = current_database() and application_name in ('vestry-all', 'vestry-api', 'vestry-worker')`;
  if (machines.length > 1)
    found(
      finding(
        "encryption-keys-missing",
        `Nodes on ${machines.length} machines use this database, but ENCRYPTION_KEYS is not set.`,
        "Set the same ENCRYPTION_KEYS on all nodes. The file encryption-keys in DATA_DIR contains the current key of this node.",
      ),
    );
}
