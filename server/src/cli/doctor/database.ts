import { HOUR, now, SECOND } from "../../base/clock.ts";
import type { Config } from "../../app/config.ts";
import type { Db } from "../../store/db.ts";
import { standingOf } from "../../store/migrate.ts";
import { passingIndexes } from "../../store/passing-indexes.ts";
import { type Finding, few, finding } from "./finding.ts";

const OLDEST_MAJOR = 15;
const EXTENSIONS = ["pg_trgm", "btree_gin", "unaccent"];
const CLOCK_MS_MAX = 2 * SECOND;

export interface DatabaseFacts {
  version: string;
  /** Answered once the schema is the one this version knows: only then can churches be looked at. */
  schemaFits: boolean;
}

/** The server and the schema. What needs no schema comes first. */
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
        `The database is PostgreSQL ${version}, and Vestry needs ${OLDEST_MAJOR} or newer.`,
        "Upgrade it.",
      ),
    );
  if (server?.encoding !== "UTF8")
    found(
      finding(
        "database-encoding",
        `The database is encoded in ${server?.encoding}, and names need UTF8.`,
        "Make a new one with encoding UTF8 and move the data there.",
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
  // Answered somewhere in between.
  const apart = Math.abs((row?.ms ?? asked) - (asked + now()) / 2);
  if (apart > CLOCK_MS_MAX)
    found(
      finding(
        "clocks-differ",
        `The clocks of this machine and of the database are ${Math.round(apart / SECOND)} s apart.`,
        "Let both follow a time server (NTP).",
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
        "Install PostgreSQL's contrib package there.",
      ),
    );
}

async function examineMigrations(db: Db, found: Found): Promise<boolean> {
  const { changed, later, pending } = await standingOf(db);
  if (pending.length > 0)
    found(
      finding(
        "migrations-pending",
        `The database lacks migrations of this version: ${few(pending)}.`,
        "Run npx vestry migrate.",
      ),
    );
  if (later.length > 0)
    found(
      finding(
        "migrations-unknown",
        `The database has migrations that this version does not know: ${few(later)}. A newer Vestry has run on it.`,
        "Bring this clone up to the version that did.",
      ),
    );
  if (changed.length > 0)
    found(
      finding(
        "migrations-changed",
        `Migrations were changed after they had been applied: ${few(changed)}.`,
        "Restore the files from version control.",
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
          : "Autovacuum is off: tables grow without end, and plans go wrong.",
        "Turn it on.",
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
        `Indexes were not built to the end and are not used: ${few(invalid.map(({ name }) => name))}.`,
        "Run reindex index concurrently on each.",
      ),
    );

  const passing = await passingIndexes(db);
  if (passing.length > 0)
    found(
      finding(
        "indexes-left-behind",
        `A church is being deleted, or that was interrupted: every write pays for indexes made for it (${few(passing)}).`,
        "Once no npx vestry accounts delete runs any more, drop index concurrently each.",
      ),
    );

  // What holds back the horizon keeps every dead row alive, in all tables.
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
        `Transactions have been open for more than an hour and keep dead rows alive: ${few(holding.map(({ what }) => what))}.`,
        "End them: select pg_terminate_backend(<process>), rollback prepared, or pg_drop_replication_slot.",
      ),
    );

  const [collation] = await db<{ differs: boolean }[]>`
    select datcollversion is distinct from pg_database_collation_actual_version(oid) as differs
    from pg_database where datname = current_database()`;
  if (collation?.differs)
    found(
      finding(
        "collation-changed",
        "The database's rules for sorting text have changed with its system: indexes on text may be wrong.",
        "Run reindex database, then alter database … refresh collation version.",
      ),
    );
}

/** Each node makes a key of its own where none is set, and could not read what another encrypted. */
async function examineNodes(db: Db, config: Config, found: Found): Promise<void> {
  if (config.databaseUrl === undefined || config.encryptionKeys.length > 0) return;
  const machines = await db`
    select distinct client_addr from pg_stat_activity
    where datname = current_database() and application_name in ('vestry-all', 'vestry-api', 'vestry-worker')`;
  if (machines.length > 1)
    found(
      finding(
        "encryption-keys-missing",
        `Nodes on ${machines.length} machines share this database, and ENCRYPTION_KEYS is not set.`,
        "Set the same ENCRYPTION_KEYS on all; the file encryption-keys in DATA_DIR has the one in use here.",
      ),
    );
}
