import { chmod, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";

/** The server all test files share, each with databases of its own. */
export interface TestServer {
  /** As its superuser. */
  readonly adminUrl: string;
  /** A migrated database that nobody connects to: the others are cloned from it. Its owner owns them, too. */
  readonly templateUrl: string;
  stop(): Promise<void>;
}

/** Lost power would lose it, and it is thrown away within minutes: it waits for no disk. */
const throwAway = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  // A clone is copied, without a detour through the log; what is dropped needs no checkpoint of its own.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300",
};

export async function startTestServer(say: (line: string) => void): Promise<TestServer> {
  const place = await throwAwayPlace();
  await removeAbandoned(place);
  const directory = await mkdtemp(join(place, `vestry-test-${process.pid}-`));
  // Root's PostgreSQL runs as another user, who must be able to pass through.
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
      // Each partition is a file more in every clone.
      await migrate(db, 1);
    } catch (error) {
      await db.end();
      await stop();
      throw error;
    }
    await db.end();
    return { adminUrl: server.adminUrl, templateUrl: server.url, stop };
  } catch (error) {
    await removed();
    throw error;
  }
}

/** More than twice what all databases of a whole run take. */
const ROOM_BYTES = 4 * 2 ** 30;

/** Memory, if there is room: a clone is some hundred files, and a disk's file system takes up to ten times as long to make them. */
async function throwAwayPlace(): Promise<string> {
  const memory = "/dev/shm";
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) > ROOM_BYTES ? memory : tmpdir();
}

/** A run that was killed could not, and memory is dear. What belongs to another user stays. */
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
