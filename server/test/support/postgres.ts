import { existsSync, globSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { queues } from "../../src/catalogue.ts";
import { prepareQueues } from "../../src/jobs/boss.ts";
import { connect } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";

/** All test files share this server. Each has its own databases. */
export interface TestServer {
  /** The URL of the superuser. */
  readonly adminUrl: string;
  /** The migrated template of all other databases. It has no connections. Its owner also owns the clones. */
  readonly templateUrl: string;
  /** The processor time of the server and of all its ended connections. Undefined on systems without /proc. */
  processorSeconds(): number | undefined;
  stop(): Promise<void>;
}

/** The data is discarded within minutes, so the server does not wait for the disk. */
const throwAway = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  // Clones are copied without the log, and dropping a database needs no checkpoint.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300",
  // No database lives long enough to need it. "off" would be a finding of the command that examines a database.
  autovacuum_naptime: "1d",
};

export async function startTestServer(say: (line: string) => void): Promise<TestServer> {
  const place = await throwAwayPlace();
  await removeAbandoned(place);
  const directory = await mkdtemp(join(place, `vestry-test-${process.pid}-`));
  // PostgreSQL that root starts runs as another user, who must be able to reach the directory.
  await chmod(directory, 0o711);
  const removed = () => rm(directory, { recursive: true, force: true });
  try {
    const binDir = process.env["TEST_POSTGRES_BIN"];
    const server = await startEmbedded({
      dataDir: join(directory, "data"),
      settings: throwAway,
      say: (line) => /unexpectedly|again/.test(line) && say(line),
      ...(binDir && { binDir }),
    });
    const stop = async () => {
      await server.stop();
      await removed();
    };
    const db = connect(server.url, { max: 1 });
    try {
      // Each partition adds a file to every clone.
      await migrate(db, 1);
      await prepareQueues(db, queues);
    } catch (error) {
      await db.end();
      await stop();
      throw error;
    }
    await db.end();
    const processorSeconds = () => processorSecondsOf(postmasterIn(directory));
    return { adminUrl: server.adminUrl, templateUrl: server.url, processorSeconds, stop };
  } catch (error) {
    await removed();
    throw error;
  }
}

const postmasterIn = (directory: string): string => {
  const [file = ""] = globSync("**/postmaster.pid", { cwd: directory });
  return readFileSync(join(directory, file), "utf8").split("\n")[0] ?? "";
};

/** Linux counts in hundredths of a second. */
const TICKS = 100;

function processorSecondsOf(pid: string): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in parentheses, can contain spaces. The times are the 14th to the 17th value.
  const [, after = ""] = /\) (.*)$/s.exec(readFileSync(file, "utf8")) ?? [];
  const times = after.split(" ").slice(11, 15).map(Number);
  return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS;
}

/** More than twice the size of all databases of a whole run. */
const ROOM_BYTES = 4 * 2 ** 30;

/** Uses memory if there is room, because a disk takes up to ten times as long to create a clone. */
async function throwAwayPlace(): Promise<string> {
  const memory = "/dev/shm";
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) > ROOM_BYTES ? memory : tmpdir();
}

/** Removes the files of killed runs. Files of other users stay. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = /^vestry-test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
