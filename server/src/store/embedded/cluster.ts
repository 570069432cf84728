import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { type Account, accountFor, closedTo, passesTo } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { sharedPlace } from "./place.ts";

/**
 * The files of the data directory:
 *
 *     owner.json           the service that runs on it now
 *     postgres-password    of both roles, for the service and for an operator with psql
 *     postgres.log         what PostgreSQL says, with one predecessor
 *     postgres/cluster     the database itself
 *     postgres/run         its socket
 *
 * Started by root, `postgres` belongs to the unprivileged user who runs it, and is a symbolic link to a place in
 * /var/lib/vestry when that user cannot pass into the data directory.
 */
export interface Home {
  readonly account: Account | undefined;
  readonly cluster: string;
  readonly run: string;
}

/** The service owns its database and nothing else; only the superuser could read files or start programs. */
export const roles = { superuser: "postgres", service: "vestry" } as const;
export const database = "vestry";

const MEBIBYTE = 1_024 * 1_024;

/**
 * Settings for a small server that the service shares. Each start overwrites their file. Settings made with ALTER SYSTEM
 * take precedence.
 */
const settings: Readonly<Record<string, string>> = {
  max_connections: "100",
  // The hot part of a large installation; the system caches the rest, and is counted on to.
  shared_buffers: "256MB",
  effective_cache_size: `${Math.floor(totalmem() / 2 / MEBIBYTE)}MB`,
  // An answer says that something is stored: it is. Group commit hides what it costs under load.
  synchronous_commit: "on",
  // Rare checkpoints: after each, every page that is touched is written to the log in full, compressed.
  // These binaries are built without lz4.
  max_wal_size: "2GB",
  wal_compression: "pglz",
  // The queue is small and turns over all the time: its dead rows are swept as soon as they are many.
  autovacuum_naptime: "5s",
  // Statements are short; compiling them takes longer than running them.
  jit: "off",
  // Disks without moving parts read any page as soon as the next.
  random_page_cost: "1.1",
  // A transaction that waits for its client holds locks and keeps dead rows alive.
  idle_in_transaction_session_timeout: "30s",
  timezone: "UTC",
  log_timezone: "UTC",
  // A refused statement is the service's to report. Its text and its rows, which are people's data, stay out of the log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** Files get the owner of the data directory, also when root writes them. */
export function writePrivately(dataDir: string, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  giveToOwnerOf(dataDir, path);
}

export function giveToOwnerOf(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(path, uid, gid);
}

export function makeHome(dataDir: string, say: (line: string) => void): Home {
  const entry = join(dataDir, "postgres");
  const account = accountFor(join(entry, "cluster"));
  if (lstatSync(entry, { throwIfNoEntry: false }) === undefined) placeHome(entry, account, say);
  if (!existsSync(entry))
    throw new Error(`${entry} leads to a place that is gone. If its data is gone too, remove it.`);

  const home = realpathSync(entry);
  if (account) requireReachable(account, home);
  const run = join(home, "run");
  mkdirSync(run, { recursive: true });
  give(account, run, 0o700);
  return { account, cluster: join(home, "cluster"), run };
}

/** Whether the way is closed or the data somebody else's: one is opened, the other is given. */
function requireReachable(account: Account, home: string): void {
  const cluster = join(home, "cluster");
  const closed = closedTo(account, existsSync(cluster) ? cluster : home);
  if (closed.length === 0) return;
  const { gid, uid } = account;
  const remedy =
    closed.includes(home) || closed.includes(cluster)
      ? `it belongs to another one. Give it to them: chown -R ${uid}:${gid} ${home}`
      : `open the directories above it for passing: chmod a+x ${closed.join(" ")}`;
  throw new Error(
    `The user who runs PostgreSQL for root (uid ${uid}) cannot reach its data in ${home}: ${remedy}`,
  );
}

function placeHome(entry: string, account: Account | undefined, say: (line: string) => void): void {
  if (passesTo(account, join(entry, ".."))) {
    mkdirSync(entry);
    give(account, entry, 0o700);
    return;
  }
  // Each data directory gets a new place, so that a directory that was removed and made again does not find old data.
  const place = mkdtempSync(join(sharedPlace(), "data-"));
  give(account, place, 0o700);
  symlinkSync(place, entry);
  say(
    `PostgreSQL may not run as root, and no other user can reach ${entry}: its data is in ${place}.`,
  );
}

export function give(account: Account | undefined, path: string, mode: number): void {
  chmodSync(path, mode);
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

/** Makes the cluster if there is none, checks that these binaries can read it, and writes its settings. */
export function prepareCluster(options: {
  dataDir: string;
  home: Home;
  binaries: Binaries;
  settings: Readonly<Record<string, string>>;
  say: (line: string) => void;
}): { password: string } {
  const { dataDir, home, binaries } = options;
  const passwordFile = join(dataDir, "postgres-password");
  const keep = (text: string) => writePrivately(dataDir, passwordFile, `${text}\n`);
  const known = existsSync(passwordFile) ? readFileSync(passwordFile, "utf8").trim() : undefined;
  const password = known ?? randomBytes(24).toString("base64url");
  const values = { ...settings, ...options.settings };

  if (existsSync(join(home.cluster, "PG_VERSION"))) {
    checkVersion(home.cluster, binaries);
    writeSettings(home, values);
    if (known !== undefined) return { password };
    // In this order: a password that is kept is one that works.
    setPasswords(home.cluster, home, binaries, password);
    keep(password);
  } else {
    options.say("Creating the database …");
    if (known === undefined) keep(password);
    makeCluster(home, binaries, password, options.settings["fsync"] !== "off");
    writeSettings(home, values);
  }
  return { password };
}

/** Made aside and renamed when complete: an interrupted first start leaves nothing that looks like a database. */
function makeCluster(home: Home, binaries: Binaries, password: string, durably: boolean): void {
  const parent = join(home.cluster, "..");
  for (const name of readdirSync(parent))
    if (name.startsWith("cluster.")) rmSync(join(parent, name), { recursive: true, force: true });

  const aside = `${home.cluster}.${randomBytes(4).toString("hex")}`;
  // Text is compared by code point and folded by the rules of Unicode on every machine alike: no index depends on the
  // system's locale, which changes under a database when the system is upgraded.
  const locale =
    binaries.major >= 17
      ? ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
      : ["--locale=C.UTF-8"];
  const flags = ["--encoding=UTF8", "--auth=trust", `--username=${roles.superuser}`];
  const sync = durably ? [] : ["--no-sync"];
  run(home, binaries.initdb, ["-D", aside, ...flags, ...locale, ...sync, "--no-instructions"]);

  // "trust" ends here, before any server has listened.
  rewrite(home, join(aside, "pg_hba.conf"), [
    "# Every connection needs the password in the file postgres-password next to this cluster.",
    "local all all scram-sha-256",
    "host all all 127.0.0.1/32 scram-sha-256",
    "host all all ::1/128 scram-sha-256",
  ]);
  appendFileSync(join(aside, "postgresql.conf"), "\ninclude_if_exists = 'vestry.conf'\n");
  alone(aside, home, binaries, [
    `create role ${roles.service} login`,
    `create database ${database} owner ${roles.service}`,
  ]);
  setPasswords(aside, home, binaries, password);
  renameSync(aside, home.cluster);
}

function setPasswords(cluster: string, home: Home, binaries: Binaries, password: string): void {
  const statements = Object.values(roles).map(
    (role) => `alter role ${role} password '${password}'`,
  );
  alone(cluster, home, binaries, statements);
}

/** Runs statements, one per line, in a single-user server that accepts no connections. */
function alone(cluster: string, home: Home, binaries: Binaries, statements: string[]): void {
  const flags = ["--single", "-D", cluster, "-c", "exit_on_error=on", "-c", "log_checkpoints=off"];
  run(home, binaries.postgres, [...flags, "postgres"], `${statements.join("\n")}\n`);
}

/** PostgreSQL sees nothing of our environment: PGPORT and its kind would change what it does. */
export const cleanEnvironment = { LC_ALL: "C", TZ: "UTC" };

function run(home: Home, file: string, args: string[], input = ""): void {
  const result = spawnSync(file, args, {
    ...home.account,
    cwd: join(home.cluster, ".."),
    env: cleanEnvironment,
    input,
    encoding: "utf8",
  });
  if (result.status === 0) return;
  const words = result.error?.message ?? `${result.stdout}${result.stderr}`.trim();
  throw new Error(`PostgreSQL could not create its database in ${home.cluster}:\n${words}`);
}

function checkVersion(cluster: string, binaries: Binaries): void {
  const made = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (Number(made) === binaries.major) return;
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${made}, and this Vestry brings PostgreSQL ` +
      `${binaries.major}, which cannot read it. Start the Vestry that made it, dump the database, ` +
      "move the data directory away and restore the dump into a new one.",
  );
}

function writeSettings(home: Home, values: Readonly<Record<string, string>>): void {
  rewrite(home, join(home.cluster, "vestry.conf"), [
    "# Overwritten at each start. To change a setting, use ALTER SYSTEM, which takes precedence over this file.",
    ...Object.entries(values).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`),
  ]);
}

function rewrite(home: Home, file: string, lines: string[]): void {
  writeFileSync(file, `${lines.join("\n")}\n`);
  give(home.account, file, 0o600);
}
