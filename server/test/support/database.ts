import { randomBytes } from "node:crypto";
import { connect, type Db } from "../../src/store/db.ts";
import { connectServers } from "../../src/store/servers.ts";
import { patient } from "./patience.ts";
import { shared } from "./shared.ts";

export interface FreshDatabase {
  /** Connects as the service does, as the owner of the database and not as a superuser. */
  readonly url: string;
  readonly db: Db;
  /** The same for a service. With TEST_SERVERS=2 it has a home beside `db`, where nothing of a test's accounts lives. */
  readonly whole: Db;
  /** Where rows of no account are. */
  readonly home: Db;
  /** Closes all connections and rejects new ones, like a server that restarts. */
  readonly goAway: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  /**
   * Ends `db` and disconnects everybody else. The database goes with the server: it is some hundred files, and where as
   * many have just been deleted, a file system may take ten times as long to make those of the next one.
   */
  close(): Promise<void>;
}

/** The key of the advisory lock. */
const CLONE_LOCK = 0x63_6c_6f_6e;

/**
 * The migrated database of all test files of this process that need no other. Its accounts are those of earlier files,
 * so a test names its account in each statement. `close` does nothing, because later files need the database.
 */
export const sharedDatabase: () => Promise<FreshDatabase> = shared(async () => {
  const database = await clone();
  return {
    value: { ...database, close: () => Promise.resolve() },
    end: () => database.close(),
  };
});

/** A migrated, empty database of its own, for a test file that says why an account of its own is not enough. */
export const freshDatabase = (
  _because: string,
  options: { max?: number } = {},
): Promise<FreshDatabase> => clone(options);

/** Two servers of one installation. The service of `second.whole` has both, and accounts on `second` are listed at home. */
export async function freshServers(
  _because: string,
): Promise<{ home: FreshDatabase; second: FreshDatabase }> {
  const home = await cloneOne({});
  return { home, second: await cloneOne({ home }) };
}

/** With TEST_SERVERS=2, the database of a test is the second server of an installation. */
async function clone(options: { max?: number } = {}): Promise<FreshDatabase> {
  if (process.env["TEST_SERVERS"] !== "2") return cloneOne(options);
  const home = await cloneOne({});
  const database = await cloneOne({ ...options, home });
  const close = async () => {
    await database.close();
    await home.close();
  };
  return { ...database, close };
}

async function cloneOne({
  home,
  max = 10,
}: {
  home?: FreshDatabase;
  max?: number;
}): Promise<FreshDatabase> {
  const template = new URL(setting("TEST_TEMPLATE_URL"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asAdministrator(async (admin) => {
    // One clone at a time, because PostgreSQL cannot copy a database that is in use.
    await admin`select pg_advisory_lock(${CLONE_LOCK}::bigint)`;
    const [from, owner] = [nameOf(template), template.username];
    // Copying files takes a third of the time of writing them through the log.
    await admin.query(`create database ${name} template ${from} owner ${owner} strategy file_copy`);
  });

  const own = new URL(template);
  own.pathname = name;
  const options = { max, name: "test", ...patient };
  const place = home && { place: { server: 2, home: home.db } };
  const db = connect(own.href, { ...options, ...place });
  const whole = home ? connectServers([home.url, own.href], options) : db;
  const goAway = () =>
    asAdministrator(async (admin) => {
      await admin.query(`alter database ${name} with allow_connections false`);
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    });
  return {
    url: own.href,
    db,
    whole,
    home: home?.db ?? db,
    goAway,
    comeBack: () =>
      asAdministrator((admin) => admin.query(`alter database ${name} with allow_connections true`)),
    async close() {
      await whole.end({ timeout: 5 });
      await db.end({ timeout: 5 });
      await goAway();
    },
  };
}

const nameOf = (url: URL) => url.pathname.slice(1);

/** Acts as the superuser, in the database of this name. */
export async function asAdministrator<T>(
  act: (admin: Db) => PromiseLike<T>,
  database?: string,
): Promise<void> {
  const url = new URL(setting("TEST_ADMIN_URL"));
  if (database !== undefined) url.pathname = database;
  const admin = connect(url.href, { max: 1, name: "administrator", ...patient });
  try {
    await act(admin);
  } finally {
    // Closing the connection releases its locks.
    await admin.end({ timeout: 5 });
  }
}

/** Set by test/run.ts. */
function setting(name: "TEST_ADMIN_URL" | "TEST_TEMPLATE_URL"): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(
      "This test needs the database of the test run: start it with npm test -- <file>.",
    );
  return value;
}
