import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../app/config.ts";
import { SECOND } from "../base/clock.ts";
import { type Db, inGlobalTransaction } from "../store/db.ts";
import { numberServer } from "../store/number-servers.ts";
import { askEach } from "../store/on-each.ts";
import { connectServers } from "../store/servers.ts";
import { isDatabaseAway } from "../store/away.ts";
import { requireUsable } from "../store/data-directory.ts";
import { DataDirectoryInUse, findRunning, hasDatabase, startEmbedded } from "../store/embedded.ts";
import { pendingMigrations } from "../store/migrate.ts";
import type { Context } from "./context.ts";
import { awaySentence, CommandError } from "./failure.ts";

interface Options {
  /** False for commands that create or inspect the schema. */
  schema?: boolean;
  /** For commands that work with the servers that answer. They say which ones do not. */
  goesOn?: true;
  connections?: number;
  statementMsMax?: number;
}

/** The key of the advisory lock that running commands share. It is "work" in ASCII. */
export const COMMAND_LOCK = 0x77_6f_72_6b;

/** Calls `act` with the database of this installation, whether or not the service runs, and closes it afterwards. */
export async function withDatabase<T>(
  { config, say }: Context,
  act: (db: Db) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const schema = options.schema ?? true;
  if (schema) requireDatabase(config());
  const { db, release } = await openDatabase(config(), say, options);
  try {
    if (schema) await requireSchema(db, options.goesOn ? say : undefined);
    return await act(db);
  } finally {
    if (release) await stopWhenAlone(db, release);
    await db.end({ timeout: 1 });
  }
}

/** A command that reads data does not create an empty database. */
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined) return;
  requireUsable(dataDir);
  if (hasDatabase(dataDir)) return;
  throw new CommandError(
    "no-database",
    `There is no database in ${dataDir}. To create one with a demo account, run npm start. To create an empty one, run npx vestry migrate.`,
  );
}

interface OpenDatabase {
  db: Db;
  /** Stops the server, if this command started it. */
  release?: () => Promise<void>;
}

const TRIES_MAX = 100;
const PAUSE_MS = 100;

/** Opens DATABASE_URL, the embedded database of a running service, or one started for this command. */
async function openDatabase(
  config: Config,
  say: (line: string) => void,
  options: Options,
): Promise<OpenDatabase> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url !== undefined) {
    const several = config.databaseShards;
    return { db: connectTo(several.length > 0 ? several : [url], options) };
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await openEmbedded(config.dataDir, say, options);
    } catch (error) {
      // Another process is starting or stopping the server. Retry until it is up or free to start.
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
    return { db: connectTo([server.url], options), release: () => server.stop() };
  }
  const db = connectTo([running], options);
  try {
    await db`select pg_advisory_lock_shared(${COMMAND_LOCK}::bigint)`;
    return { db };
  } catch (error) {
    await db.end({ timeout: 0 });
    throw error;
  }
}

/** A command keeps no request waiting, so it is as patient with a server as with a statement. */
const ANSWER_MS_MAX = 15 * SECOND;

const connectTo = (urls: readonly string[], { connections = 2, statementMsMax }: Options): Db =>
  connectServers(urls, {
    max: connections,
    name: "vestry-command",
    answerMsMax: ANSWER_MS_MAX,
    ...(statementMsMax !== undefined && { statementMsMax }),
  });

async function requireSchema(db: Db, say: ((line: string) => void) | undefined): Promise<void> {
  const { answers, away } = await askEach(db.servers, async (server) => ({
    server,
    pending: await pendingMigrations(server),
  }));
  const [first] = away;
  if (first && (!say || answers.length === 0)) throw first.error;
  for (const { error } of away) say?.(`${awaySentence(error)}. The command goes on without it.`);
  const pending = [...new Set(answers.flatMap((one) => one.pending))];
  if (pending.length === 0) {
    // The home knows the places of all servers.
    const isHomeThere = answers.some(({ server }) => server.home === undefined);
    for (const { server } of isHomeThere ? answers : []) await numberServer(db, server);
    return;
  }
  throw new CommandError(
    "migrations-pending",
    `The database has ${pending.length === 1 ? "1 pending migration" : `${pending.length} pending migrations`}. Run npx vestry migrate first.`,
  );
}

/**
 * Stops the server once no other command uses it. Each command holds a shared lock while it works. This one takes the
 * exclusive lock and keeps it until the server has stopped. A later command fails to connect and starts its own server.
 */
async function stopWhenAlone(db: Db, stop: () => Promise<void>): Promise<void> {
  try {
    await inGlobalTransaction(db, async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`select pg_advisory_xact_lock(${COMMAND_LOCK}::bigint)`;
      await stop();
    });
  } catch {
    // The transaction ends with the server. After any other failure, the server must still be stopped.
  }
  await stop();
}
