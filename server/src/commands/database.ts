import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config.ts";
import { type Db, connect } from "../store/db.ts";
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
  context: Context,
  act: (db: Db) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const { url, release } = await findDatabase(context.config(), context.say);
  const db = connect(url, {
    max: options.connections ?? 2,
    name: OWN_NAME,
    ...(options.statementMsMax !== undefined && { statementMsMax: options.statementMsMax }),
  });
  try {
    if (options.schema ?? true) await requireSchema(db);
    return await act(db);
  } finally {
    if (release) await othersAreDone(db);
    await db.end({ timeout: 1 });
    await release?.();
  }
}

export interface FoundDatabase {
  url: string;
  /** There when the server was started for us alone. */
  release?: () => Promise<void>;
}

/** The database that is configured, or the one a service brought and runs, or our own until we are done. */
export async function findDatabase(
  config: Config,
  say: (line: string) => void,
): Promise<FoundDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl };
  for (let tries = 0; ; tries += 1) {
    const running = await findRunning(config.dataDir);
    if (running !== undefined) return { url: running };
    try {
      const server = await startEmbedded({ dataDir: config.dataDir, say });
      return { url: server.url, release: () => server.stop() };
    } catch (error) {
      // Another process has the directory but no server yet: a service that is just starting, or stopping.
      if (!(error instanceof DataDirectoryInUse) || tries >= 50) throw error;
      await wait(200);
    }
  }
}

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
