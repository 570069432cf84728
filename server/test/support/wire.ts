import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { addressOf, socketDirectoryOf } from "../../src/store/address.ts";

/** Handles bytes from PostgreSQL. */
export type Passing = (bytes: Buffer, client: Socket) => void;

export const asItIs: Passing = (bytes, client) => void client.write(bytes);

/** Handles bytes to PostgreSQL. */
export type Asking = (bytes: Buffer, database: Socket, client: Socket) => void;

const asItIsAsked: Asking = (bytes, database) => void database.write(bytes);

/** A proxy for PostgreSQL that can delay, drop or replace the bytes of both sides. */
export interface Wire {
  /** The URL of the database through this proxy. */
  readonly url: string;
  pass(next: Passing): void;
  /** Without `next`, passes bytes unchanged again. */
  ask(next?: Asking): void;
  close(): Promise<void>;
}

export async function startWire(url: string): Promise<Wire> {
  const { hostname, password, pathname, port, username } = new URL(url);
  const directory = socketDirectoryOf(url);
  const open = new Set<Socket>();
  let passing = asItIs;
  let asking = asItIsAsked;

  const server = createServer({ noDelay: true }, (client) => {
    const database = directory
      ? connect(`${directory}/.s.PGSQL.${port}`)
      : connect(Number(port), hostname);
    client.on("data", (bytes: Buffer) => asking(bytes, database, client));
    database.on("data", (bytes: Buffer) => passing(bytes, client));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        open.delete(one);
        other.destroySoon();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = server.address();
  return {
    url: addressOf({
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      host: "127.0.0.1",
      port: typeof at === "object" ? (at?.port ?? 0) : 0,
      database: pathname.slice(1),
    }),
    pass(next) {
      passing = next;
    },
    ask(next = asItIsAsked) {
      asking = next;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
