import { EventEmitter, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createServer as createSecureServer, type TLSSocket, type TlsOptions } from "node:tls";
import { type Authority, type Certificate, makeAuthority } from "./certificates.ts";
import { holdAgainstLibrary } from "./signatures.ts";

/** A receiver on loopback that may say anything at any time: bytes on a TLS connection, not HTTP. */

export interface Received {
  readonly method: string;
  readonly path: string;
  /** In the order and the spelling in which they came. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Which of the receiver's connections it came on, from 1. */
  readonly connection: number;
  /** How many came before it on this connection. */
  readonly before: number;
  /** By this process' clock, when it was whole. */
  readonly receivedAt: number;
}

/** What a receiver does once it has a whole request. Bytes are written as they are. */
export type Behaviour = (line: Line, request: Received) => void | Promise<void>;

/** The receiver's end of a connection. */
export class Line {
  readonly socket: TLSSocket;
  readonly #plain: Socket;

  constructor(socket: TLSSocket, plain: Socket) {
    this.socket = socket;
    this.#plain = plain;
  }

  /** Resolves when it has been handed to the system; also when nobody is there to take it. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) return resolve();
      this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, () =>
        resolve(),
      );
    });
  }

  /** Each piece in a write, and so in a record, of its own. */
  async writeApart(pieces: Iterable<string | Buffer>): Promise<void> {
    for (const piece of pieces) {
      if (this.isOver) return;
      await this.write(piece);
    }
  }

  /** The same again and again until the other end has had enough. */
  async writeForEver(bytes: string | Buffer): Promise<void> {
    while (!this.isOver) {
      await this.write(bytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  end(bytes = ""): void {
    this.socket.end(Buffer.from(bytes, "latin1"));
  }

  /** RST instead of an end. */
  reset(): void {
    this.#plain.resetAndDestroy();
  }

  get isOver(): boolean {
    return this.socket.destroyed || !this.socket.writable;
  }
}

export interface ReceiverOptions {
  behaviour?: Behaviour;
  /** Instead of TLS: what happens to a connection that was just accepted. True: it was dealt with. */
  onConnection?: (socket: Socket, number: number) => boolean;
  /** Right after the handshake, before any request. */
  onSecure?: (line: Line) => void;
  certificate?: Certificate;
  tls?: TlsOptions;
  host?: string;
  /** Its behaviour verifies what comes, at once: for a run of which the first messages are too old at the end. */
  verifies?: true;
  /** What comes is no message: it is sent to try the sender. */
  unsigned?: true;
}

export interface Receiver {
  readonly port: number;
  /** By its address; `certificate` must name it. */
  readonly url: string;
  readonly requests: readonly Received[];
  /** Requests of which a first byte came, whole or not. */
  readonly begun: number;
  readonly connections: number;
  /** Of all handshakes, `resumed` were shortened. */
  readonly handshakes: number;
  readonly resumed: number;
  /** Server names that clients gave, in order. */
  readonly serverNames: readonly string[];
  behave(behaviour: Behaviour): void;
  /** Until that many connections have been closed. */
  closed(count: number): Promise<void>;
  /** Until that many requests have come, in all. */
  received(count: number): Promise<void>;
  /** Ends each open connection as an idle one is ended. */
  endAll(): void;
  close(): Promise<void>;
}

let shared: { authority: Authority; good: Certificate } | undefined;

/** Made once for the process: keys cost more than anything else here. */
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

/** Answers with these bytes, one after the other or all at once, and leaves the connection open. */
export const answering =
  (...pieces: readonly (string | Buffer)[]): Behaviour =>
  (line) =>
    line.writeApart(pieces);

/** Says nothing. */
export const hanging: Behaviour = () => undefined;

/** Says nothing before it is opened; then whoever waits, and whoever comes, gets an answer. */
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

/** A status and nothing more. */
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
    // Read, or it would never be noticed that the other end has gone.
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

/** A whole request with a length, from the beginning of the bytes. */
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
