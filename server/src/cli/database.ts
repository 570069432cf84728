import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../app/config.ts";
import { connect, type Db, inTransaction } from "../store/db.ts";
import { isDatabaseAway } from "../store/away.ts";
import { requireUsable } from "../store/data-directory.ts";
import { DataDirectoryInUse, findRunning, hasDatabase, startEmbedded } from "../store/embedded.ts";
import { pendingMigrations } from "../store/migrate.ts";
import { CommandError, type Context } from "./command.ts";

interface Options {
  /** Off for what makes or inspects the schema. */
  schema?: boolean;
  connections?: number;
  statementMsMax?: number;
}

/** Any constant will do, as long as no other program locks it: "work" in ASCII. */
const AT_WORK = 0x77_6f_72_6b;

/** Runs on the database of this installation, whether or not the service runs; closes whatever it opened. */
export async function withDatabase<T>(
  { config, say }: Context,
  act: (db: Db) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const schema = options.schema ?? true;
  if (schema) requireDatabase(config());
  const { db, release } = await openDatabase(config(), say, options);
  try {
    if (schema) await requireSchema(db);
    return await act(db);
  } finally {
    if (release) await stopWhenAlone(db, release);
    await db.end({ timeout: 1 });
  }
}

/** Whoever asks about what there is makes no database to be told that it is empty. */
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined) return;
  requireUsable(dataDir);
  if (hasDatabase(dataDir)) return;
  throw new CommandError(
    "no-database",
    `There is no database in ${dataDir} yet: npm start makes it, with a demo church unless DEMO is off; npx vestry migrate makes an empty one.`,
  );
}

interface OpenDatabase {
  db: Db;
  /** There when the server was started for us alone. */
  release?: () => Promise<void>;
}

const TRIES_MAX = 100;
const PAUSE_MS = 100;

/** The database that is configured, or the one a service brought and runs, or our own until we are done. */
async function openDatabase(
  config: Config,
  say: (line: string) => void,
  options: Options,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return { db: connectTo(config.databaseUrl, options) };
  for (let tries = 1; ; tries += 1) {
    try {
      return await openEmbedded(config.dataDir, say, options);
    } catch (error) {
      // Somebody else's server that is just starting or stopping: soon it is there, or ours to start.
      const passing = error instanceof DataDirectoryInUse || isDatabaseAway(error);
      if (!passing || tries === TRIES_MAX) throw error;
      await wait(PAUSE_MS);
    }
  }
}

async function openEmbedded(
  dataDir: string,
  say: (line: string) => void,
  options: Options,
): Promise<OpenDatabase> {
  const running = await findRunning(dataDir);
  if (running === undefined) {
    const server = await startEmbedded({ dataDir, say });
    return { db: connectTo(server.url, options), release: () => server.stop() };
  }
  const db = connectTo(running, options);
  try {
    await db`select pg_advisory_lock_shared(${AT_WORK}::bigint)`;
    return { db };
  } catch (error) {
    await db.end({ timeout: 0 });
    throw error;
  }
}

const connectTo = (url: string, { connections = 2, statementMsMax }: Options): Db =>
  connect(url, {
    max: connections,
    name: "vestry-command",
    ...(statementMsMax !== undefined && { statementMsMax }),
  });

async function requireSchema(db: Db): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  throw new CommandError(
    "migrations-pending",
    `The database lacks ${pending.length === 1 ? "a migration" : `${pending.length} migrations`} of this version: run npx vestry migrate first.`,
  );
}

/**
 * Another command may have found the server that was started for this one: it is not stopped under its feet. Each of
 * them holds a lock for as long as it works, and this one waits for a lock on all of them, which it keeps until the
 * server is gone: who comes too late is refused at the door and starts a server of its own.
 */
async function stopWhenAlone(db: Db, stop: () => Promise<void>): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`select pg_advisory_xact_lock(${AT_WORK}::bigint)`;
      await stop();
    });
  } catch {
    // It ended with the server, as it should. Whatever else it was is no reason to leave a server behind.
  }
  await stop();
}
