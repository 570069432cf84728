import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf } from "../../src/store/address.ts";
import { freePort } from "../../src/store/embedded.ts";
import { untilListening } from "./pooler.ts";
import { startWire, type Wire } from "./wire.ts";

/** Stands for a pooler that keeps prepared statements under names of its own. It hands out no connection twice. */
export interface FakePooler {
  readonly url: string;
  /** Nothing arrives in either direction until it is thawed, as after SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startFakePooler(databaseUrl: string): Promise<FakePooler> {
  const wire = await startWire(databaseUrl);
  const rests = new WeakMap<Socket, Buffer>();
  let held: (() => void)[] | undefined;
  const now = (act: () => void) => (held ? held.push(act) : act());
  wire.ask((bytes, database, client) =>
    now(() => {
      const known = rests.get(client);
      const all = known ? Buffer.concat([known, bytes]) : bytes;
      const { rest, whole } = known ? renamed(all) : renamed(all, startupLength(all));
      rests.set(client, rest);
      if (whole.length > 0) database.write(whole);
    }),
  );
  wire.pass((bytes, client) => now(() => client.write(bytes)));
  return {
    url: wire.url,
    freeze() {
      held ??= [];
    },
    thaw() {
      const acts = held ?? [];
      held = undefined;
      for (const act of acts) act();
    },
    stop: () => wire.close(),
  };
}

/** The first message of a client has no type. The driver sends it alone. */
const startupLength = (bytes: Buffer): number => bytes.readInt32BE(0);

/** The position of the statement's name in the messages that carry one, after the type and the length. */
function nameAt(message: Buffer): number | undefined {
  switch (String.fromCharCode(message[0] ?? 0)) {
    case "P":
      return 5;
    case "B":
      return message.indexOf(0, 5) + 1;
    case "C":
    case "D":
      return message[5] === "S".charCodeAt(0) ? 6 : undefined;
    default:
      return undefined;
  }
}

/** Whole messages with other names of statements, and the bytes of the message that is not complete yet. */
function renamed(bytes: Buffer, from = 0): { whole: Buffer; rest: Buffer } {
  const parts = [bytes.subarray(0, from)];
  let at = from;
  while (bytes.length >= at + 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes.length < end) break;
    const message = bytes.subarray(at, end);
    const name = nameAt(message);
    parts.push(name === undefined || message[name] === 0 ? message : withPrefix(message, name));
    at = end;
  }
  return { whole: Buffer.concat(parts), rest: bytes.subarray(at) };
}

function withPrefix(message: Buffer, at: number): Buffer {
  const prefix = Buffer.from("pooler_");
  const longer = Buffer.concat([message.subarray(0, at), prefix, message.subarray(at)]);
  longer.writeInt32BE(longer.length - 1, 1);
  return longer;
}

// -- PgDog ---------------------------------------------------------------------------------------------------------

const program = process.env["PGDOG_BIN"];

/** The reason to skip tests with PgDog, or false. */
export const noPgDog: string | false =
  program === undefined || !existsSync(program)
    ? "PGDOG_BIN does not name the program of PgDog, which is in no package registry"
    : false;

export interface PgDog {
  /** One for each server, in order. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/** PgDog in transaction mode in front of several servers, with the settings of `docs/scaling.md`. */
export async function startPgDog(databaseUrls: readonly string[]): Promise<PgDog> {
  // PostgreSQL listens on a socket.
  const wires: Wire[] = [];
  for (const url of databaseUrls) wires.push(await startWire(url));
  const directory = await mkdtemp(join(tmpdir(), "vestry-pgdog-"));
  const port = await freePort();
  const servers = wires.map((wire, index) => {
    const { hostname, password, pathname, port: wirePort, username } = new URL(wire.url);
    return {
      name: `vestry${index + 1}`,
      host: hostname,
      port: Number(wirePort),
      database: pathname.slice(1),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    };
  });
  const [config, users] = [join(directory, "pgdog.toml"), join(directory, "users.toml")];
  await writeFile(
    config,
    [
      "[general]",
      'host = "127.0.0.1"',
      `port = ${port}`,
      'pooler_mode = "transaction"',
      'prepared_statements = "extended"',
      "default_pool_size = 20",
      "connect_timeout = 1000",
      "checkout_timeout = 1000",
      ...servers.map(
        (one) =>
          `\n[[databases]]\nname = "${one.name}"\nhost = "${one.host}"\nport = ${one.port}\ndatabase_name = "${one.database}"`,
      ),
    ].join("\n"),
  );
  await writeFile(
    users,
    servers
      .map(
        (one) =>
          `[[users]]\nname = "${one.user}"\ndatabase = "${one.name}"\npassword = "${one.password}"\n`,
      )
      .join("\n"),
  );
  const child = spawn(program ?? "", ["--config", config, "--users", users], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await untilListening(port);
  return {
    urls: servers.map(({ name, password, user }) =>
      addressOf({ user, password, host: "127.0.0.1", port, database: name }),
    ),
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await Promise.all(wires.map((wire) => wire.close()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
