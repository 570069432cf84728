import { EventEmitter, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createServer as createSecureServer, type TLSSocket, type TlsOptions } from "node:tls";
import { type Authority, type Certificate, makeAuthority } from "./certificates.ts";
import { holdAgainstLibrary } from "./signatures.ts";

/** A receiver on loopback that can write any bytes at any time on a TLS connection. */

export interface Received {
  readonly method: string;
  readonly path: string;
  /** In the order and spelling in which they arrived. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The number of the connection, from 1. */
  readonly connection: number;
  /** The number of earlier requests on this connection. */
  readonly before: number;
  /** When the request was complete, by this process's clock. */
  readonly receivedAt: number;
}

/** The action of a receiver after a complete request. Bytes are written unchanged. */
export type Behaviour = (line: Line, request: Received) => void | Promise<void>;

/** The receiver's end of a connection. */
export class Line {
  readonly socket: TLSSocket;
  readonly #plain: Socket;

  constructor(socket: TLSSocket, plain: Socket) {
    this.socket = socket;
    this.#plain = plain;
  }

  /** Resolves when the system has taken the bytes, even if the other end is closed. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) return resolve();
      this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, () =>
        resolve(),
      );
    });
  }

  /** Writes each piece in its own TLS record. */
  async writeApart(pieces: Iterable<string | Buffer>): Promise<void> {
    for (const piece of pieces) {
      if (this.isOver) return;
      await this.write(piece);
    }
  }

  /** Writes the same bytes until the other end closes. */
  async writeForEver(bytes: string | Buffer): Promise<void> {
    while (!this.isOver) {
      await this.write(bytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  end(bytes = ""): void {
    this.socket.end(Buffer.from(bytes, "latin1"));
  }

  /** Closes the connection with RST. */
  reset(): void {
    this.#plain.resetAndDestroy();
  }

  get isOver(): boolean {
    return this.socket.destroyed || !this.socket.writable;
  }
}

export interface ReceiverOptions {
  behaviour?: Behaviour;
  /** Runs for a new connection before TLS. Returns true if it has handled the connection. */
  onConnection?: (socket: Socket, number: number) => boolean;
  /** Runs after the handshake, before any request. */
  onSecure?: (line: Line) => void;
  certificate?: Certificate;
  tls?: TlsOptions;
  host?: string;
  /** The behaviour verifies messages itself, because a long run makes them too old to verify at the end. */
  verifies?: true;
  /** Requests are not messages and are not verified. */
  unsigned?: true;
}

export interface Receiver {
  readonly port: number;
  /** The URL with the address, which `certificate` must name. */
  readonly url: string;
  readonly requests: readonly Received[];
  /** The number of requests that have begun, complete or not. */
  readonly begun: number;
  readonly connections: number;
  /** The number of handshakes, of which `resumed` resumed a session. */
  readonly handshakes: number;
  readonly resumed: number;
  /** The server names of the clients, in order. */
  readonly serverNames: readonly string[];
  behave(behaviour: Behaviour): void;
  /** Resolves when that many connections have been closed. */
  closed(count: number): Promise<void>;
  /** Resolves when that many requests have arrived in total. */
  received(count: number): Promise<void>;
  /** Ends each open connection like an idle one. */
  endAll(): void;
  close(): Promise<void>;
}

let shared: { authority: Authority; good: Certificate } | undefined;

/** Created once per process, because keys are expensive. */
export function testAuthority(): Authority {
  return sharedCertificates().authority;
}

export function goodCertificate(): Certificate {
  return sharedCertificates().good;
}

function sharedCertificates() {
  if (!shared) {
    const authority = makeAuthority();
    const names = ["127.0.0.1", "::1", "receiver.example", "*.receiver.example"];
    shared = { authority, good: authority.issue(names) };
  }
  return shared;
}

export const ok: Behaviour = (line) => line.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

/** Responds with these bytes and leaves the connection open. */
export const answering =
  (...pieces: readonly (string | Buffer)[]): Behaviour =>
  (line) =>
    line.writeApart(pieces);

/** Never responds. */
export const hanging: Behaviour = () => undefined;

/** Does not respond until it is opened, and then responds to all waiting and later requests. */
export function gate(then: Behaviour = ok): { behaviour: Behaviour; open: () => void } {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return {
    open,
    behaviour: async (line, request) => {
      await opened;
      await then(line, request);
    },
  };
}

/** Responds with a status and an empty body. */
export const saying = (code: number, ...headers: readonly string[]): Behaviour =>
  answering(
    `HTTP/1.1 ${code} Whatever\r\nContent-Length: 0\r\n${headers.map((one) => `${one}\r\n`).join("")}\r\n`,
  );

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { certificate = goodCertificate(), host = "127.0.0.1", onConnection, onSecure } = options;
  let behaviour = options.behaviour ?? ok;
  const happenings = new EventEmitter().setMaxListeners(0);
  const open = new Set<Socket>();
  const requests: Received[] = [];
  if (!options.verifies && !options.unsigned) holdAgainstLibrary(requests);
  const serverNames: string[] = [];
  const counts = { connections: 0, closed: 0, handshakes: 0, resumed: 0, begun: 0 };
  const numbers = new Map<number, { socket: Socket; number: number }>();

  const secure = createSecureServer({ ...certificate, ...options.tls }, (socket) => {
    counts.handshakes++;
    if (socket.isSessionReused()) counts.resumed++;
    if (socket.servername) serverNames.push(socket.servername);
    const { socket: plain = socket, number = 0 } = numbers.get(socket.remotePort ?? 0) ?? {};
    const line = new Line(socket, plain);
    onSecure?.(line);
    let heard = Buffer.alloc(0);
    let before = 0;
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (heard.length === 0) counts.begun++;
      heard = Buffer.concat([heard, bytes]);
      for (let parsed = parse(heard); parsed; parsed = parse(heard)) {
        heard = heard.subarray(parsed.length);
        const request = {
          ...parsed.request,
          connection: number,
          before: before++,
          receivedAt: Date.now(),
        };
        requests.push(request);
        happenings.emit("happened");
        void behaviour(line, request);
      }
    });
  });
  secure.on("tlsClientError", () => {});

  const server = createServer({ noDelay: true }, (socket) => {
    const number = ++counts.connections;
    const port = socket.remotePort ?? 0;
    numbers.set(port, { socket, number });
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      counts.closed++;
      happenings.emit("happened");
    });
    // Reading is needed to notice that the other end has closed.
    if (onConnection?.(socket, number)) socket.resume();
    else secure.emit("connection", socket);
  });
  server.listen(0, host);
  await once(server, "listening");
  const at = server.address();
  const port = typeof at === "object" && at ? at.port : 0;

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(happenings, "happened");
  }

  return {
    port,
    url: `https://${host.includes(":") ? `[${host}]` : host}:${port}/hook`,
    requests,
    serverNames,
    get begun() {
      return counts.begun;
    },
    get connections() {
      return counts.connections;
    },
    get handshakes() {
      return counts.handshakes;
    },
    get resumed() {
      return counts.resumed;
    },
    behave(next) {
      behaviour = next;
    },
    closed: (count) => until(() => counts.closed >= count),
    received: (count) => until(() => requests.length >= count),
    endAll() {
      for (const socket of open) socket.end();
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Parses a complete request with a length from the start of the bytes. */
function parse(
  bytes: Buffer,
): { length: number; request: Omit<Received, "connection" | "before" | "receivedAt"> } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const rawHeaders = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = Object.fromEntries(
    rawHeaders.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const length = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.length < length) return undefined;
  const body = Buffer.from(bytes.subarray(headEnd + 4, length));
  return { length, request: { method, path, rawHeaders, headers, body } };
}
