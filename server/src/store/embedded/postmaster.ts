import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { now, SECOND } from "../../base/clock.ts";
import type { Binaries } from "./binaries.ts";
import { cleanEnvironment, giveToOwnerOf, type Home } from "./cluster.ts";
import { identityOf, serves } from "./processes.ts";

/** One run of the server's first process, from which all its others come. */
export interface Postmaster {
  readonly pid: number;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  /** Ends it in good order: clients are disconnected, everything is written, the log says "shut down". */
  stop(): Promise<void>;
}

export interface Listening {
  /** Absent: on the loopback address, where there are no Unix sockets. */
  readonly socketDirectory: string | undefined;
  readonly port: number;
}

const windows = process.platform === "win32";
/** A fast shutdown takes as long as a checkpoint. Longer than this, the next start recovers instead. */
const STOP_MS_MAX = 30 * SECOND;
const LOG_BYTES_MAX = 10 * 1_024 * 1_024;

/**
 * A shell starts a guard and then becomes PostgreSQL.
 *
 * The guard reads a pipe from the service, descriptor 3. A line on the pipe means that PostgreSQL has ended and the guard
 * may end. The end of the pipe without a line means that the service was killed. The guard then stops PostgreSQL, which
 * would otherwise keep the cluster locked. The guard is a grandchild of the shell, because PostgreSQL would mistake the
 * end of a direct child for the crash of a backend.
 */
const GUARDED = `( { read -r released <&3 || kill -INT $$; } >/dev/null 2>&1 & ); exec "$@" 3<&-`;

/** Resolves once the server accepts connections; rejects with its own words if it ends before. */
export async function launch(options: {
  dataDir: string;
  home: Home;
  binaries: Binaries;
  listening: Listening;
  say: (line: string) => void;
}): Promise<Postmaster> {
  const { home, binaries, listening } = options;
  const logFile = join(options.dataDir, "postgres.log");
  const log = openSync(logFile, "a", 0o600);
  giveToOwnerOf(options.dataDir, logFile);
  boundLog(logFile);
  const said = statSync(logFile).size;
  if (listening.socketDirectory !== undefined) emptySocketDirectory(listening.socketDirectory);

  const command = [binaries.postgres, "-D", home.cluster, ...flagsFor(listening)];
  const [file, ...args] = windows ? command : ["/bin/sh", "-c", GUARDED, "guard", ...command];
  const child = spawn(file as string, args, {
    ...home.account,
    // Away from our terminal: Ctrl-C is for us, and we stop it.
    detached: true,
    cwd: home.cluster,
    env: cleanEnvironment,
    stdio: ["ignore", log, log, windows ? "ignore" : "pipe"],
  });
  closeSync(log);
  const postmaster = follow(child, home, binaries);
  // Neither the process nor its pipe may keep the service alive. `stop` ends the process.
  child.unref();

  let ended: string | undefined;
  void postmaster.ended.then((how) => {
    ended = how;
  });
  const startedAt = now();
  let reported = false;
  while (!isReady(home.cluster, postmaster.pid)) {
    if (ended !== undefined) throw new PostmasterEnded(ended, wordsSince(logFile, said));
    if (!reported && now() - startedAt > 10 * SECOND) {
      reported = true;
      options.say("PostgreSQL is recovering what was not written when it was last stopped …");
    }
    await wait(5);
  }
  return postmaster;
}

/** It ended before it was ready, with its last words. */
export class PostmasterEnded extends Error {
  /** Processes of a server that was killed are still finishing; once they are gone, it can start. */
  readonly maySucceedSoon: boolean;

  constructor(how: string, words: string) {
    super(`PostgreSQL did not start (${how}):\n${words}`);
    this.name = "PostmasterEnded";
    this.maySucceedSoon = words.includes("shared memory block");
  }
}

function flagsFor({ socketDirectory, port }: Listening): string[] {
  const settings =
    socketDirectory === undefined
      ? { listen_addresses: "127.0.0.1" }
      : { listen_addresses: "", unix_socket_directories: socketDirectory };
  return Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
}

function follow(child: ChildProcess, home: Home, binaries: Binaries): Postmaster {
  const guard = child.stdio[3] as Duplex | null;
  guard?.on("error", () => undefined);
  (guard as unknown as { unref?(): void } | null)?.unref?.();
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      guard?.end("released\n");
      resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`);
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.ref();
      stopFast(child.pid ?? 0, home, binaries);
      const slow = setTimeout(() => child.kill("SIGQUIT"), STOP_MS_MAX);
      await ended;
      clearTimeout(slow);
    },
  };
}

function stopFast(pid: number, home: Home, binaries: Binaries): void {
  if (windows) spawnSync(binaries.pgCtl, ["stop", "-D", home.cluster, "-m", "fast", "-W"]);
  else signal(pid, "SIGINT");
}

function signal(pid: number, name: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

// -- The file in which PostgreSQL says how it is -------------------------------------------------------------------

const pidFileOf = (cluster: string) => join(cluster, "postmaster.pid");

function pidFileLines(cluster: string): string[] {
  try {
    return readFileSync(pidFileOf(cluster), "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Reads the pid file as `pg_ctl --wait` does: line 1 is the process, line 8 is its state. */
function isReady(cluster: string, pid: number): boolean {
  const lines = pidFileLines(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

/**
 * Makes the cluster free for a new server, when the one before was not stopped by its service.
 *
 * A server that still runs is stopped, not adopted: it may be stopping already, since its guard saw its service die,
 * and it has the settings and the sockets of another start.
 */
export async function freeCluster(
  home: Home,
  binaries: Binaries,
  say: (line: string) => void,
): Promise<void> {
  const [first] = pidFileLines(home.cluster);
  if (first === undefined) return;
  const pid = Math.abs(Number(first));
  if (serves(pid, home.cluster)) {
    say("PostgreSQL is still running for a service that is gone: stopping it first …");
    await endOrphan(pid, home, binaries);
  }
  if (existsSync(pidFileOf(home.cluster))) disown(home.cluster);
}

async function endOrphan(pid: number, home: Home, binaries: Binaries): Promise<void> {
  const identity = identityOf(pid);
  const startedAt = now();
  try {
    stopFast(pid, home, binaries);
    for (let quit = false; identityOf(pid) === identity && identity !== undefined; await wait(10)) {
      const waited = now() - startedAt;
      if (waited > STOP_MS_MAX && !quit) {
        quit = true;
        signal(pid, "SIGQUIT");
      }
      if (waited > 2 * STOP_MS_MAX) throw new Error("it does not end");
    }
  } catch (error) {
    throw new Error(
      `PostgreSQL (process ${pid}) still runs on ${home.cluster} and cannot be stopped ` +
        `(${(error as Error).message}): stop it by hand.`,
    );
  }
}

/**
 * A file left by a server that was killed names a process that may be anybody's by now; PostgreSQL would refuse to
 * start as long as that one lives. Naming its parent-to-be, us, says that the name is stale. The rest of the file
 * stays: by it PostgreSQL finds shared memory that processes of the dead server still use, and must not start beside.
 */
function disown(cluster: string): void {
  const file = pidFileOf(cluster);
  if (windows) return rmSync(file);
  const [, ...rest] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, [String(process.pid), ...rest].join("\n"));
}

/** The cluster is free, so no server listens here. The socket's lock file could name an unrelated process. */
export function emptySocketDirectory(directory: string): void {
  for (const name of readdirSync(directory))
    if (name.startsWith(".s.PGSQL.")) rmSync(join(directory, name));
}

// -- Its log -------------------------------------------------------------------------------------------------------

/** Keeps one predecessor. The file is emptied in place, since PostgreSQL goes on writing to it, at its end. */
export function boundLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LOG_BYTES_MAX) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

function wordsSince(logFile: string, offset: number): string {
  const text = readFileSync(logFile).subarray(offset).toString("utf8").trim();
  return text.split("\n").slice(-10).join("\n") || `(nothing was said in ${logFile})`;
}
