import type { Config } from "./config.ts";
import { CannotStart } from "./cannot-start.ts";
import { version } from "../base/version.ts";
import { queues } from "../catalogue.ts";
import { prepareQueues } from "../jobs/boss.ts";
import { isDatabaseAway } from "../store/away.ts";
import {
  numberServer,
  POOLERS_IN_ORDER,
  ServersMissing,
  WrongServer,
  wrongPlaceOf,
} from "../store/number-servers.ts";
import { connect, type Db, HOME } from "../store/db.ts";
import { hasDatabase } from "../store/embedded.ts";
import { migrate, readMigrations, usableStanding } from "../store/migrate.ts";
import { ensurePartitions } from "../store/partitions.ts";
import {
  DIRECT_URL_MISSING,
  keepsPreparedStatements,
  lacksSettings,
  losesPreparedStatements,
  placeOfPooler,
  PoolerAway,
  prepareRole,
  refusesSettings,
} from "../store/pooler.ts";

export interface Server {
  number: number;
  /** PostgreSQL itself. */
  url: string;
  /** The address for requests, if it differs. */
  pooler: string | undefined;
  /** All servers. */
  db: Db;
}

/**
 * Makes a server ready for this version, or throws if it cannot be used. It has its own connections, because those of
 * requests fail while the server is held, and a pooler keeps no locks between transactions. `signal` ends them.
 */
export async function prepareServer(
  { db, number, pooler, url }: Server,
  config: Config,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const place = number === HOME ? {} : { place: { server: number, home: db } };
  const options = { max: 2, name: "vestry-start", ...place };
  const direct = connect(url, options);
  const pooled = pooler === undefined ? undefined : connect(pooler, { ...options, pooled: true });
  const end = async () => {
    await Promise.all([direct.end({ timeout: 1 }), pooled?.end({ timeout: 1 })]);
  };
  const cut = () => void end();
  signal.addEventListener("abort", cut);
  try {
    await bringUpToDate(direct, config, say);
    await prepareQueues(direct, queues);
    if (pooled) await preparePooler(direct, pooled, say);
    await numberServer(db, direct);
    if (pooled) await requireSamePlace(direct, pooled);
  } catch (error) {
    if (refusesSettings(error)) throw new CannotStart(DIRECT_URL_MISSING, { cause: error });
    if (error instanceof WrongServer || error instanceof ServersMissing)
      throw new CannotStart(error.message, { cause: error });
    throw error;
  } finally {
    signal.removeEventListener("abort", cut);
    await end();
  }
}

/** Requests need prepared statements, and the time limits of the role. */
async function preparePooler(direct: Db, pooled: Db, say: (line: string) => void): Promise<void> {
  await prepareRole(direct, pooled.address.user);
  const fits = await keepsPreparedStatements(pooled).catch((error: unknown) => {
    if (refusesSettings(error) || losesPreparedStatements(error)) return false;
    throw isDatabaseAway(error) ? new PoolerAway(pooled, error as Error) : error;
  });
  if (!fits)
    throw new CannotStart(
      `The pooler at ${placeOfPooler(pooled)} does not keep prepared statements. It must be PgBouncer 1.21 or newer with ` +
        'max_prepared_statements above 0, PgDog with prepared_statements = "extended", or one that does the same.',
    );
  if (await lacksSettings(pooled))
    say(
      `The pooler at ${placeOfPooler(pooled)} has connections without the time limits of its role, because it opened them before the role had any. To renew them, open the console of the pooler and run RECONNECT.`,
    );
}

async function requireSamePlace(direct: Db, pooled: Db): Promise<void> {
  const wrong = await wrongPlaceOf(direct, pooled);
  if (wrong !== undefined) throw new CannotStart(`${wrong} ${POOLERS_IN_ORDER}`);
}

/** Other nodes may use the database of DATABASE_URL, so the operator must run breaking migrations. */
async function bringUpToDate(db: Db, config: Config, say: (line: string) => void): Promise<void> {
  const oursAlone = config.databaseUrl === undefined;
  await requireEncoding(db);
  const { later, laterVersion, pending } = await usableStanding(db);
  if (later.length > 0)
    say(
      `${laterVersion === undefined ? "A newer Vestry" : `Vestry ${laterVersion}`} has changed the database (${later.join(", ")}), and this node is ${version}. It works. Update it before the next version.`,
    );
  if (pending.length === 0) {
    await ensurePartitions(db);
    return;
  }
  const migrations = await readMigrations();
  const breaking = migrations.filter(
    (migration) => migration.breaking && pending.includes(migration.name),
  );
  // No node of any version runs on a database that has nothing yet.
  const isEmpty = migrations.every(({ name }) => pending.includes(name));
  await requireNoOtherDatabase(config, pending);
  if (!oursAlone && breaking.length > 0 && !isEmpty)
    throw new CannotStart(
      `The migration ${breaking.map(({ name }) => name).join(", ")} breaks nodes of the previous version. ` +
        "Stop them all, run npx vestry migrate, and start again.",
    );
  say(`Applying migrations: ${pending.join(", ")}.`);
  await migrate(db);
}

export async function requireEncoding(db: Db): Promise<void> {
  const [database] = await db`select current_setting('server_encoding') as encoding`;
  if (database?.["encoding"] !== "UTF8")
    throw new CannotStart(
      `The encoding of the database is ${database?.["encoding"]} and must be UTF8. Create one with ` +
        "create database vestry encoding 'UTF8' template template0.",
    );
}

/** An empty database is often a mistake if the data of this installation is still in the embedded one. */
export async function requireNoOtherDatabase(
  { databaseUrl, dataDir }: Config,
  pending: readonly string[],
): Promise<void> {
  if (databaseUrl === undefined || !hasDatabase(dataDir)) return;
  const isEmpty = (await readMigrations()).every(({ name }) => pending.includes(name));
  if (!isEmpty) return;
  throw new CannotStart(
    `The database of DATABASE_URL is empty, and ${dataDir} contains an embedded database. ` +
      "To copy that one, stop its service and run npx vestry move. " +
      "To begin with an empty database, run npx vestry migrate --begin-empty.",
  );
}
