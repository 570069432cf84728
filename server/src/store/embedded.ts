import { randomInt } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { MINUTE, now, SECOND } from "../base/clock.ts";
import { addressOf } from "./address.ts";
import { makeDataDirectory, ownRemedy } from "./data-directory.ts";
import { findBinaries } from "./embedded/binaries.ts";
import { reaches } from "./embedded/account.ts";
import {
  database,
  give,
  type Home,
  makeHome,
  prepareCluster,
  roles,
  writePrivately,
} from "./embedded/cluster.ts";
import { type Ownership, liveOwner, own } from "./embedded/owner.ts";
import {
  boundLog,
  emptySocketDirectory,
  freeCluster,
  type Listening,
  launch,
  type Postmaster,
  PostmasterEnded,
} from "./embedded/postmaster.ts";

/**
 * The embedded PostgreSQL: a real server from the binaries in an npm package, run as a child process.
 *
 * Its life:
 *
 *     own the data directory          one service per directory, where the file of a dead process is void
 *     make the cluster                the first time only, under another name and then renamed
 *     free the cluster                stops a server left over from a killed service
 *     launch, wait until ready        a guard stops the server if the service dies
 *     relaunch when it dies           with growing pauses and at the same address
 *     stop                            disconnects clients, writes everything, then releases the directory
 *
 * Every step can be interrupted and repeated. Nothing needs repair by hand.
 */
export interface EmbeddedServer {
  /** The service's database, as its owner, which is not a superuser. Also for psql. */
  readonly url: string;
  /** The same server as its superuser, for tasks outside the service, such as making databases for tests. */
  readonly adminUrl: string;
  /** Resolves if the server died and could not be restarted. The service must end. */
  readonly exited: Promise<Error>;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** The directory of another PostgreSQL's programs, to test against. */
  binDir?: string;
  /** Over the service's own: for tests. */
  settings?: Readonly<Record<string, string>>;
  say: (line: string) => void;
}

export { DataDirectoryInUse } from "./embedded/owner.ts";

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  let owned: Ownership | undefined;
  try {
    makeDataDirectory(dataDir);
    requireNotMoved(dataDir);
    owned = own(dataDir, (path, text) => writePrivately(dataDir, path, text));
    return await startOwned({ ...options, dataDir }, owned);
  } catch (error) {
    owned?.release();
    throw inWords(error, dataDir);
  }
}

function inWords(error: unknown, dataDir: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const foreign = `belongs to another user: start the service as that user, ${ownRemedy(dataDir)}or give it another DATA_DIR`;
  const reasons: Record<string, string> = {
    EACCES: foreign,
    EPERM: foreign,
    EROFS: "is on a file system that cannot be written to: give the service another DATA_DIR",
    ENOSPC: "is on a disk that is full: make room and start again",
  };
  const reason = reasons[code ?? ""];
  if (reason === undefined) return error;
  const where = path === undefined ? code : `${code}: ${path}`;
  return new Error(`The data directory ${dataDir} ${reason} (${where}).`, { cause: error });
}

/** Whether a start has been here: to look makes none. */
export const hasDatabase = (dataDir: string): boolean =>
  lstatSync(join(dataDir, "postgres"), { throwIfNoEntry: false }) !== undefined;

const movedFile = (dataDir: string) => join(dataDir, "moved");

/** Records where the data is now. Work on the old copy would be lost. */
export const markMoved = (dataDir: string, to: string): void =>
  writePrivately(dataDir, movedFile(dataDir), `${to}\n`);

function requireNotMoved(dataDir: string): void {
  const file = movedFile(dataDir);
  if (!existsSync(file)) return;
  throw new Error(
    `The database in ${dataDir} was moved to ${readFileSync(file, "utf8").trim()}: set DATABASE_URL to that database. ` +
      `To use the old copy again, remove ${file}.`,
  );
}

/** The address of the server that a service in another process runs on this data directory now. */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  return liveOwner(resolve(dataDir))?.url;
}

async function startOwned(options: EmbeddedOptions, owned: Ownership): Promise<EmbeddedServer> {
  const { dataDir, say } = options;
  const home = makeHome(dataDir, say);
  const binaries = findBinaries(home.account, say, options.binDir);
  await freeCluster(home, binaries, say);
  const settings = options.settings ?? {};
  const { password } = prepareCluster({ dataDir, home, binaries, settings, say });

  if (owned.leftBehind !== undefined) removeSocketDirectory(owned.leftBehind);
  const { listening, temporary } = await placeToListen(home);
  if (temporary !== undefined) owned.update({ socketDirectory: temporary });
  const start = () => launch({ dataDir, home, binaries, listening, say });

  const keeper = keep(await startPatiently(start), start, say);
  const address = {
    password,
    host: listening.socketDirectory ?? "127.0.0.1",
    port: listening.port,
  };
  const url = addressOf({ ...address, user: roles.service, database });
  owned.update({ url });

  const logs = setInterval(() => boundLog(join(dataDir, "postgres.log")), 10 * MINUTE);
  logs.unref();
  return {
    url,
    adminUrl: addressOf({ ...address, user: roles.superuser, database: "postgres" }),
    exited: keeper.gaveUp,
    async stop() {
      clearInterval(logs);
      await keeper.stop();
      if (temporary !== undefined) removeSocketDirectory(temporary);
      owned.release();
    },
  };
}

// -- Where it listens ----------------------------------------------------------------------------------------------

/** The address of a Unix socket holds 108 bytes, on some systems 104, with a zero at the end. */
const SOCKET_PATH_BYTES_MAX = 103;
const PORT = 5432;

/** A socket is faster than TCP and needs no free port. The permissions of its directory protect it. */
async function placeToListen(home: Home): Promise<{ listening: Listening; temporary?: string }> {
  if (process.platform === "win32")
    return { listening: { socketDirectory: undefined, port: await freePort() } };
  if (canHoldSocket(home.run)) return { listening: { socketDirectory: home.run, port: PORT } };

  const candidates = [tmpdir(), "/tmp"].map((directory) => join(directory, "vestry-"));
  const prefix = candidates.find(
    (each) => canHoldSocket(`${each}XXXXXX`) && reaches(home.account, join(each, "..")),
  );
  if (prefix === undefined)
    throw new Error("There is no directory for temporary files with a short name: set TMPDIR.");
  const temporary = mkdtempSync(prefix);
  chmodSync(temporary, 0o700);
  give(home.account, temporary, 0o700);
  return { listening: { socketDirectory: temporary, port: PORT }, temporary };
}

/** Never more than a socket directory, since its name was read from a file that others may be able to write. */
function removeSocketDirectory(directory: string): void {
  try {
    emptySocketDirectory(directory);
    rmdirSync(directory);
  } catch {
    // It is gone, or it holds something that is not ours.
  }
}

function canHoldSocket(directory: string): boolean {
  const socket = join(directory, `.s.PGSQL.${PORT}`);
  // PostgreSQL reads the setting as a list, with rules for quoting that are not worth learning.
  return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX && !/[,"']/.test(directory);
}

/** Outgoing connections get the ports above, so none of them takes one of these before it is used. */
const PORTS = [20_000, 32_000] as const;

/** A TCP port that nothing uses at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    const listen = () => server.listen(randomInt(...PORTS), "127.0.0.1");
    server.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? listen() : reject(error),
    );
    server.once("listening", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolvePort(port));
    });
    listen();
  });
}

// -- Keeping it up -------------------------------------------------------------------------------------------------

const pauses = [0.1, 0.2, 0.5, 1, 2, 5, 5, 5, 5, 5].map((seconds) => seconds * SECOND);

/** A server that lived this long did not die of how it was started. */
const SOUND_MS = MINUTE;

/** Processes of a server that was killed a moment ago may take a moment to notice. */
async function startPatiently(start: () => Promise<Postmaster>): Promise<Postmaster> {
  for (const pause of pauses) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PostmasterEnded && error.maySucceedSoon)) throw error;
      await wait(pause);
    }
  }
  return start();
}

interface Keeper {
  readonly gaveUp: Promise<Error>;
  stop(): Promise<void>;
}

function keep(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  say: (line: string) => void,
): Keeper {
  const stopping = new AbortController();
  let current: Postmaster | undefined = first;
  let giveUp: (error: Error) => void;
  const gaveUp = new Promise<Error>((resolveGaveUp) => {
    giveUp = resolveGaveUp;
  });

  async function watch(): Promise<void> {
    let failures = 0;
    let startedAt = now();
    while (current !== undefined) {
      const how = await current.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      say(`PostgreSQL ended unexpectedly (${how}): starting it again.`);
      if (now() - startedAt > SOUND_MS) failures = 0;

      let last: unknown;
      for (; current === undefined && failures < pauses.length; failures += 1) {
        await wait(pauses[failures], undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        current = await start().catch((error: unknown) => {
          last = error;
          return undefined;
        });
      }
      if (stopping.signal.aborted) return;
      if (current === undefined)
        return giveUp(last instanceof Error ? last : new Error("PostgreSQL keeps ending."));
      startedAt = now();
      say("PostgreSQL is back.");
    }
  }

  const watching = watch();
  return {
    gaveUp,
    async stop() {
      stopping.abort();
      await current?.stop();
      await watching;
      // It was being started when we were asked to stop.
      await current?.stop();
    },
  };
}
