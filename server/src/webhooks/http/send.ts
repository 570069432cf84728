import { isIP } from "node:net";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { Answer } from "./answer.ts";
import { Connection, IdleConnections } from "./connections.ts";
import { createTrust, dial } from "./dial.ts";
import type { Judgement } from "./public-address.ts";
import { type FailureReason, failureOf, SendFailure, type Stage } from "./failure.ts";
import { createResolve } from "./resolve.ts";
import { Sessions } from "./sessions.ts";

/**
 * Sends one signed POST to a receiver and reports the result.
 *
 * The client of Node speaks HTTP. This room decides where a connection leads, how long it is kept, and how long an attempt takes.
 * There are no redirects, no retries and no decompression.
 */

export interface SendRequest {
  /** `https:`, normalised and validated. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Connections and TLS sessions are shared under this name: the endpoint and its destination version. */
  readonly destination: string;
  readonly timeoutMs?: number;
}

interface Timing {
  /** From the call to the result, in milliseconds. */
  readonly ms: number;
  /** The time that each stage took, as far as the attempt got. */
  readonly stages: Readonly<Partial<Record<Stage, number>>>;
  /** How the connection was obtained, if there was one. */
  readonly connection: ConnectionKind | undefined;
}

type ConnectionKind = "new" | "resumed" | "reused";

export interface ReceiverResponse extends Timing {
  readonly kind: "answered";
  /** Any final status. 101 is final too. */
  readonly status: number;
  /** As received. */
  readonly retryAfter?: string | undefined;
  /** Up to 4 KiB, if there was a body. */
  readonly bodyBytes?: Buffer;
}

export interface Failure extends Timing {
  readonly kind: "failed";
  readonly reason: FailureReason;
  /** For the operator. */
  readonly detail: string;
  /** Set if the headers were complete before the failure. */
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
  /** The part of the body that arrived. */
  readonly bodyBytes?: Buffer;
}

export type Sent = ReceiverResponse | Failure;

export interface SenderOptions {
  /** Judges all addresses of a host. The sender dials exactly the addresses that this returns. */
  readonly judge: (addresses: readonly string[]) => Judgement;
  /** PEM. Trusted in addition to the default authorities. */
  readonly authorities?: string | undefined;
  /** Replaces the system's name servers. */
  readonly dnsServers?: readonly string[];
  readonly idleMs?: number;
}

export interface Sender {
  /** Never rejects. */
  send(request: SendRequest): Promise<Sent>;
  readonly idleConnections: number;
  /** Closes idle connections and keeps no more. Requests under way continue. */
  close(): void;
}

export function createSender(options: SenderOptions): Sender {
  const { judge, authorities, dnsServers, idleMs = webhookLimits.connectionIdleMsMax } = options;
  const trust = createTrust(authorities);
  const resolve = createResolve(dnsServers);
  const idle = new IdleConnections(webhookLimits.connectionsIdleMax);
  const sessions = new Sessions(webhookLimits.tlsSessionsMax, webhookLimits.tlsSessionMsMax);
  let closed = false;

  async function open(
    target: Target,
    stopwatch: Stopwatch,
    signal: AbortSignal,
  ): Promise<Connection> {
    stopwatch.begin("resolving");
    const judgement = judge(await resolve(target.host, stopwatch.timeoutMs));
    if (judgement.verdict === "none")
      throw new SendFailure("dns-failure", `resolving ${target.host}: no address`);
    if (judgement.verdict === "refused")
      throw new SendFailure(
        "dns-private-address",
        `resolving ${target.host}: ${judgement.address} is not public (${judgement.range})`,
      );

    stopwatch.begin("connecting");
    try {
      const socket = await dial({
        ...target,
        addresses: judgement.addresses,
        trust,
        session: sessions.get(target.key),
        onSession: (session) => sessions.set(target.key, session),
        onConnect: () => stopwatch.begin("securing"),
        signal,
      });
      stopwatch.connection = socket.isSessionReused() ? "resumed" : "new";
      const connection = new Connection(socket, idleMs);
      socket.once("close", () => idle.remove(connection));
      return connection;
    } catch (error) {
      // The session may be the cause. The next connection does without it.
      sessions.delete(target.key);
      throw error;
    }
  }

  async function attempt(
    request: SendRequest,
    stopwatch: Stopwatch,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<void> {
    const target = parseTarget(request);
    let connection = idle.take(target.key);
    if (connection) stopwatch.connection = "reused";
    else connection = await open(target, stopwatch, signal);

    stopwatch.begin("answering");
    const headers = {
      "Host": target.authority,
      "Connection": "keep-alive",
      ...request.headers,
      "Accept-Encoding": "identity",
    };
    await connection.exchange({ path: target.path, headers, body: request.body }, answer, signal);
    if (!closed && connection.isReusable) idle.keep(target.key, connection);
    else connection.destroy();
  }

  return {
    async send(request) {
      const stopwatch = new Stopwatch(request.timeoutMs ?? webhookLimits.attemptMsMax);
      const deadline = new AbortController();
      const expire = () => deadline.abort(new SendFailure("timeout", stopwatch.overrun));
      // Timers run before input is read. A process that was suspended must first read the answer that came meanwhile.
      const timer = setTimeout(() => setImmediate(expire), stopwatch.timeoutMs);
      const answer = new Answer();
      try {
        await attempt(request, stopwatch, answer, deadline.signal);
        const { status, retryAfter, body } = answer;
        if (status === undefined) throw new TypeError("A complete answer has no status.");
        return {
          kind: "answered",
          status,
          ...(retryAfter !== undefined && { retryAfter }),
          ...(body && { bodyBytes: body }),
          ...stopwatch.end(),
        };
      } catch (error) {
        const { reason, message } = failureOf(error, stopwatch.stage);
        // Closing idle connections frees descriptors for the requests that need them now.
        if (reason === "system-descriptors") idle.closeAll();
        const { body, status, retryAfter } = answer;
        return {
          kind: "failed",
          reason,
          // The receiver closed the connection while it was idle. The request is not repeated: it may have been read.
          detail:
            stopwatch.connection === "reused" && status === undefined
              ? `${message}; a kept connection`
              : message,
          ...(status !== undefined && { status }),
          ...(retryAfter !== undefined && { retryAfter }),
          ...(body && { bodyBytes: body }),
          ...stopwatch.end(),
        };
      } finally {
        clearTimeout(timer);
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

interface Target {
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  readonly path: string;
  /** Host and port, as the Host header names them. */
  readonly authority: string;
  /** Includes host and port, so that a connection never serves another host, whatever the destination's name. */
  readonly key: string;
}

function parseTarget({ url: text, destination }: SendRequest): Target {
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

/** Measures the stages of one attempt. */
class Stopwatch {
  readonly timeoutMs: number;
  connection: ConnectionKind | undefined;
  stage: Stage = "resolving";
  readonly #startedAt = performance.now();
  #stageStartedAt: number | undefined;
  readonly #stages: Partial<Record<Stage, number>> = {};

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  get overrun(): string {
    return `${this.stage}: not finished within ${this.timeoutMs} ms`;
  }

  begin(stage: Stage): void {
    this.#endStage();
    this.stage = stage;
    this.#stageStartedAt = performance.now();
  }

  end(): Timing {
    this.#endStage();
    return {
      ms: performance.now() - this.#startedAt,
      stages: this.#stages,
      connection: this.connection,
    };
  }

  #endStage(): void {
    if (this.#stageStartedAt === undefined) return;
    this.#stages[this.stage] = performance.now() - this.#stageStartedAt;
  }
}
