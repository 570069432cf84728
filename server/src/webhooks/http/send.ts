import { isIP } from "node:net";
import { SECOND } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { AnswerReader } from "./answer.ts";
import { connectToOne, createTrust, secure } from "./connect.ts";
import { Connection, IdleConnections, Sessions } from "./connections.ts";
import { type FailureReason, failureOf, SendFailure, type Stage } from "./failure.ts";
import { createResolve } from "./resolve.ts";
import { Wall } from "./wall.ts";

/**
 * One signed POST to a receiver, and what became of it.
 *
 * Of our own on TLS sockets, without an HTTP library: those follow, decompress, retry on a stale connection or count
 * bytes in their own way, and what an attempt may cost has to be known byte by byte. In exchange it can do nothing but
 * this: one request per attempt, written once, one answer read, the connection kept only if nothing at all was odd.
 */

/** What one answer may cost. */
const answerLimits = {
  headBytesMax: webhookLimits.answerHeaderBytesMax,
  bodyBytesMax: webhookLimits.answerBodyBytesMax,
} as const;

export interface SendRequest {
  /** `https:`, normalised and judged before. */
  readonly url: string;
  /** Without those that belong to the connection: they are written here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Connections and TLS sessions are shared under it: the endpoint and the version of its destination. */
  readonly destination: string;
  readonly wallMs?: number;
  /** Only a verification reads the body. */
  readonly keepBody?: boolean;
}

interface Course {
  /** From the call to the end, in milliseconds. */
  readonly ms: number;
  /** What of it each stage took that was begun. */
  readonly stages: Readonly<Partial<Record<Stage, number>>>;
  /** How the connection came about, if there was one. */
  readonly connection: "new" | "resumed" | "reused" | undefined;
}

export interface Answer extends Course {
  readonly kind: "answered";
  /** Any of three digits but an interim one. 101 is final. */
  readonly status: number;
  /** As it came. */
  readonly retryAfter?: string;
  /** Up to 4 KiB, as they came, if they were asked for. */
  readonly bodyBytes?: Buffer;
}

export interface Failure extends Course {
  readonly kind: "failed";
  readonly reason: FailureReason;
  /** For the operator. */
  readonly detail: string;
  /** If the headers had come before it failed. */
  readonly status?: number;
  readonly retryAfter?: string;
}

export type Sent = Answer | Failure;

export interface SenderOptions {
  /** Answers what is wrong with them. All addresses of a host are judged together, for each new connection. */
  readonly judge: (addresses: readonly string[]) => string | undefined;
  /** PEM, beside what this process trusts anyway. */
  readonly authorities?: string | undefined;
  /** In place of the system's. */
  readonly dnsServers?: readonly string[];
  readonly idleMs?: number;
}

export interface Sender {
  /** Never rejects. */
  send(request: SendRequest): Promise<Sent>;
  readonly idleConnections: number;
  /** Connections are no longer kept; what is on its way goes on to its end. */
  close(): void;
}

export function createSender(options: SenderOptions): Sender {
  const { judge, authorities, dnsServers, idleMs = webhookLimits.connectionIdleMsMax } = options;
  const trust = createTrust(authorities);
  const resolve = createResolve(dnsServers);
  const idle = new IdleConnections(webhookLimits.connectionsIdleMax);
  const sessions = new Sessions(webhookLimits.tlsSessionsMax, webhookLimits.tlsSessionMsMax);
  let closed = false;

  /** To a judged address and to no other. */
  async function open(target: Target, wall: Wall, course: Running): Promise<Connection> {
    course.begin("resolving");
    const addresses = await wall.during<string[]>("resolving", (done, failed) => {
      resolve(target.host, wall.ms).then(done, failed);
      return () => {};
    });
    const refused = judge(addresses);
    if (refused !== undefined)
      throw new SendFailure("dns-private-address", `resolving ${target.host}: ${refused}`);

    course.begin("connecting");
    const plain = await connectToOne(addresses, target.port, wall);

    course.begin("securing");
    const last = sessions.get(target.key);
    let verifiedAt = performance.now();
    const given: Buffer[] = [];
    let remember: (session: Buffer) => void = (session) => given.push(session);
    try {
      const secured = await secure(
        plain,
        {
          host: target.host,
          isAddress: target.isAddress,
          trust,
          session: last?.session,
          onSession: (session) => remember(session),
        },
        wall,
      );
      const resumed = secured.isSessionReused();
      if (resumed && last) verifiedAt = last.verifiedAt;
      remember = (session) => sessions.set(target.key, { session, verifiedAt });
      for (const session of given) remember(session);
      course.connection = resumed ? "resumed" : "new";
      return new Connection(secured);
    } catch (error) {
      // Not to fail for ever on what only the session broke.
      sessions.delete(target.key);
      throw error;
    }
  }

  async function attempt(
    request: SendRequest,
    wall: Wall,
    course: Running,
    reader: AnswerReader,
  ): Promise<void> {
    const target = targetOf(request);
    const bytes = requestBytes(target, request);
    let connection = idle.take(target.key);
    if (connection) course.connection = "reused";
    else connection = await open(target, wall, course);

    course.begin("answering");
    await connection.exchange(bytes, reader, wall);
    // An answer may be quicker than the socket with the news that all was sent.
    if (connection.isWriting) await new Promise((turn) => setImmediate(turn));

    const keepMs = Math.min(idleMs, restMs(reader.keepAliveSeconds));
    if (!closed && keepMs > 0 && connection.isReusable(reader, webhookLimits.connectionMsMax))
      idle.keep(target.key, connection, keepMs);
    else connection.destroy();
  }

  return {
    async send(request) {
      const wall = new Wall(request.wallMs ?? webhookLimits.attemptMsMax);
      const course = new Running();
      const reader = new AnswerReader(answerLimits, request.keepBody);
      try {
        await attempt(request, wall, course, reader);
        const { status, retryAfter, body } = reader;
        if (status === undefined) throw new TypeError("An answer without a status is complete.");
        return {
          kind: "answered",
          status,
          ...(retryAfter !== undefined && { retryAfter }),
          ...(body && { bodyBytes: body }),
          ...course.over(),
        };
      } catch (error) {
        const { reason, message } = failureOf(error, course.stage);
        // What waits for another request may go, for one that needs it now.
        if (reason === "system-descriptors") idle.closeAll();
        const { status, retryAfter } = reader;
        return {
          kind: "failed",
          reason,
          detail: message,
          ...(status !== undefined && { status }),
          ...(retryAfter !== undefined && status !== undefined && { retryAfter }),
          ...course.over(),
        };
      } finally {
        wall.clear();
      }
    },
    get idleConnections() {
      return idle.size;
    },
    close() {
      closed = true;
      idle.closeAll();
    },
  };
}

/** A second less than the receiver says, so that it does not close while the next request is on its way. */
function restMs(keepAliveSeconds: number | undefined): number {
  return keepAliveSeconds === undefined
    ? Number.POSITIVE_INFINITY
    : (keepAliveSeconds - 1) * SECOND;
}

interface Target {
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  readonly path: string;
  readonly authority: string;
  /** With host and port: a connection never serves another host, whatever the caller calls its destination. */
  readonly key: string;
}

function targetOf({ url: text, destination }: SendRequest): Target {
  const url = new URL(text);
  if (url.protocol !== "https:") throw new TypeError(`Not an https address: ${url.protocol}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return {
    host,
    isAddress: isIP(host) !== 0,
    port: url.port === "" ? 443 : Number(url.port),
    path: url.pathname + url.search,
    authority: url.host,
    key: `${url.host} ${destination}`,
  };
}

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\x20-\x7e]*$/;
const CONNECTION_HEADER =
  /^(host|content-length|transfer-encoding|accept-encoding|connection|keep-alive|te|trailer|upgrade|expect):/i;

/** Head and body in one piece: one write, one TLS record if it fits. */
function requestBytes({ path, authority }: Target, { headers, body }: SendRequest): Buffer {
  let head = `POST ${path} HTTP/1.1\r\nHost: ${authority}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    const line = `${name}: ${value}`;
    if (!HEADER.test(line) || CONNECTION_HEADER.test(line))
      throw new TypeError(`Not a header to send: ${JSON.stringify(name)}`);
    head += `${line}\r\n`;
  }
  head += `Accept-Encoding: identity\r\nContent-Length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, "latin1");
  bytes.set(body, head.length);
  return bytes;
}

/** What has been done so far, and how long it took. */
class Running {
  connection: Course["connection"];
  stage: Stage = "resolving";
  readonly #startedAt = performance.now();
  #begunAt: number | undefined;
  readonly #stages: Partial<Record<Stage, number>> = {};

  begin(stage: Stage): void {
    this.#end();
    this.stage = stage;
    this.#begunAt = performance.now();
  }

  over(): Course {
    this.#end();
    return {
      ms: performance.now() - this.#startedAt,
      stages: this.#stages,
      connection: this.connection,
    };
  }

  #end(): void {
    if (this.#begunAt !== undefined) this.#stages[this.stage] = performance.now() - this.#begunAt;
  }
}
