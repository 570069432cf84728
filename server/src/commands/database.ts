import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config.ts";
import { type Db, connect } from "../store/db.ts";
import { isDatabaseAway } from "../store/away.ts";
import { DataDirectoryInUse, findRunning, startEmbedded } from "../store/embedded.ts";
import { pendingMigrations } from "../store/migrate.ts";
import { CommandError, type Context } from "./command.ts";

interface Options {
  /** Off for what makes or inspects the schema. */
  schema?: boolean;
  connections?: number;
  statementMsMax?: number;
}

/** What our connections call themselves, so that one command sees whether another still works. */
const NAME = "vestry-command";
const OWN_NAME = `${NAME}-${process.pid}`;

/** Runs on the database of this installation, whether or not the service runs; closes whatever it opened. */
export async function withDatabase<T>(
  { config, say }: Context,
  act: (db: Db) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const { db, release } = await openDatabase(config(), say, options);
  try {
    if (options.schema ?? true) await requireSchema(db);
    return await act(db);
  } finally {
    if (release) await othersAreDone(db);
    await db.end({ timeout: 1 });
    await release?.();
  }
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
    await db`select 1`;
    return { db };
  } catch (error) {
    await db.end({ timeout: 0 });
    throw error;
  }
}

const connectTo = (url: string, { connections = 2, statementMsMax }: Options): Db =>
  connect(url, {
    max: connections,
    name: OWN_NAME,
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
 * Another command may have found the server that was started for this one: it is not stopped under its feet. Whatever
 * goes wrong with asking is no reason to leave a server behind.
 */
async function othersAreDone(db: Db): Promise<void> {
  try {
    for (;;) {
      const [others] = await db`
        select from pg_stat_activity
        where starts_with(application_name, ${NAME}) and application_name <> ${OWN_NAME}
          and datname = current_database()`;
      if (!others) return;
      await wait(100);
    }
  } catch {
    return;
  }
}
