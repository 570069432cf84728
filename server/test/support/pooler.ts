import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf } from "../../src/store/address.ts";
import { freePort } from "../../src/store/embedded.ts";
import { startWire } from "./wire.ts";

/** `TEST_PGBOUNCER` names another build, for example one made from the source. */
const program = [process.env["TEST_PGBOUNCER"], "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(
  (path) => path !== undefined && path !== "" && existsSync(path),
);

/** 1.21 is 121. */
const version =
  program === undefined
    ? undefined
    : Number(
        /PgBouncer (\d+)\.(\d+)/
          .exec(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout)
          ?.slice(1)
          .map((part) => part.padStart(2, "0"))
          .join(""),
      );

const MISSING = "PgBouncer is not installed. On Debian: apt-get install pgbouncer";

/** The reasons to skip tests with a pooler of some kind, or false. */
export const noPooler: string | false = version === undefined && MISSING;
export const noRecentPooler: string | false =
  noPooler ||
  (Number(version) < 121 &&
    "PgBouncer is older than 1.21. TEST_PGBOUNCER names another build of it");

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** PgBouncer in transaction mode in front of a database, with fewer connections than a service has. */
export async function startPooler(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  // PostgreSQL listens on a socket that the user of PgBouncer cannot reach.
  const wire = await startWire(databaseUrl);
  const { hostname, password, pathname, port: wirePort, username } = new URL(wire.url);
  const directory = await mkdtemp(join(tmpdir(), "vestry-pooler-"));
  await chmod(directory, 0o755);
  const port = await freePort();
  const database = pathname.slice(1);
  const values = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 3,
    ...settings,
  };
  const file = join(directory, "pgbouncer.ini");
  await writeFile(
    file,
    [
      "[databases]",
      `${database} = host=${hostname} port=${wirePort} dbname=${database} user=${username} password=${decodeURIComponent(password)}`,
      "[pgbouncer]",
      ...Object.entries(values).map(([name, value]) => `${name} = ${value}`),
    ].join("\n"),
  );
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program ?? "", ["-q", file], { ...nobody, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await untilListening(port);
  return {
    url: addressOf({
      user: decodeURIComponent(username),
      password: "unused",
      host: "127.0.0.1",
      port,
      database,
    }),
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await wire.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function untilListening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise((resolve) => {
      const socket = connectTo(port, "127.0.0.1", () => resolve(socket.destroy() !== undefined));
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
  }
}
