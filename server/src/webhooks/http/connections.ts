import type { TLSSocket } from "node:tls";
import { Client, errors } from "undici";
import { SECOND } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { ResponseHandler } from "./response-handler.ts";
import { SendFailure } from "./failure.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * A TLS connection to one destination and the undici client that speaks HTTP/1.1 on it, one request at a time.
 *
 * The client gets this one connection and can never open another, so it cannot repeat a request.
 */
export class Connection {
  readonly #socket: TLSSocket;
  readonly #client: Client;
  readonly #idleMs: number;
  readonly #openedAt = performance.now();
  #lastUsedAt = performance.now();
  #error: Error | undefined;

  constructor(origin: string, socket: TLSSocket, idleMs: number) {
    this.#socket = socket;
    this.#idleMs = idleMs;
    // The first error is the cause. undici reports the last: after a TLS alert, that the other side has closed.
    socket.on("error", (error) => {
      if (!(error instanceof errors.InformationalError)) this.#error ??= error;
    });
    let unused: TLSSocket | undefined = socket;
    this.#client = new Client(origin, {
      connect(_options, done) {
        const given = unused;
        unused = undefined;
        // Not at once: undici would not notice the connection and wait forever.
        process.nextTick(() =>
          given
            ? done(null, given)
            : done(
                new SendFailure("connection-reset", "answering: closed before the request"),
                null,
              ),
        );
      },
      maxHeaderSize: webhookLimits.answerHeaderBytesMax + 1,
      maxResponseSize: webhookLimits.answerBodyBytesMax,
      // The attempt's own timer covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // A Keep-Alive header shortens the wait, by one second more than it says. Otherwise the receiver could close the
      // connection while the next request is under way.
      keepAliveTimeoutThreshold: SECOND,
    });
  }

  /** Writes the request once. Rejects if no complete answer follows. */
  async exchange(
    request: HttpRequest,
    answer: ResponseHandler,
    signal: AbortSignal,
  ): Promise<void> {
    const abandon = () => this.#socket.destroy(signal.reason);
    signal.addEventListener("abort", abandon);
    try {
      this.#client.dispatch({ method: "POST", ...request }, answer);
      await answer.finished;
      // A reset in a body without a length looks like its end to undici.
      if (this.#error && "code" in this.#error && this.#error.code === "ECONNRESET")
        throw this.#error;
    } catch (error) {
      this.destroy();
      throw this.#causeOf(error, answer);
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#lastUsedAt = performance.now();
    }
    // The answer can overtake the news that the request was written.
    if (this.#socket.writableLength > 0) await new Promise((turn) => setImmediate(turn));
  }

  #causeOf(error: unknown, answer: ResponseHandler): unknown {
    const cause = this.#error ?? error;
    // undici reports every malformed header after a Content-Length as a wrong length.
    const isMalformed =
      cause instanceof errors.ResponseContentLengthMismatchError && answer.status === undefined;
    return isMalformed
      ? new SendFailure("protocol-error", "answering: malformed headers after Content-Length")
      : cause;
  }

  /** False for an answer that came before the whole request was written: the rest of it is still in the way. */
  get isReusable(): boolean {
    const now = performance.now();
    return (
      !this.#socket.destroyed &&
      this.#socket.writableLength === 0 &&
      now - this.#openedAt < webhookLimits.connectionMsMax &&
      // undici closes idle connections by a timer, which is late when the process was busy.
      now - this.#lastUsedAt < this.#idleMs
    );
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** The connections that wait for another request, by destination. */
export class IdleConnections<C extends Pick<Connection, "isReusable" | "destroy"> = Connection> {
  readonly #max: number;
  /** Each connection with its destination, the longest idle first. */
  readonly #keys = new Map<C, string>();
  readonly #byKey = new Map<string, C[]>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Returns the connection that was used last, so that the others can expire. */
  take(key: string): C | undefined {
    for (;;) {
      const connection = this.#byKey.get(key)?.at(-1);
      if (!connection) return undefined;
      this.remove(connection);
      if (connection.isReusable) return connection;
      connection.destroy();
    }
  }

  keep(key: string, connection: C): void {
    const [oldest] = this.#keys.keys();
    if (oldest && this.#keys.size >= this.#max) this.#close(oldest);
    this.#keys.set(connection, key);
    const same = this.#byKey.get(key);
    if (same) same.push(connection);
    else this.#byKey.set(key, [connection]);
  }

  remove(connection: C): void {
    const key = this.#keys.get(connection);
    if (key === undefined) return;
    this.#keys.delete(connection);
    const same = this.#byKey.get(key) ?? [];
    same.splice(same.lastIndexOf(connection), 1);
    if (same.length === 0) this.#byKey.delete(key);
  }

  closeAll(): void {
    for (const connection of this.#keys.keys()) this.#close(connection);
  }

  #close(connection: C): void {
    this.remove(connection);
    connection.destroy();
  }
}
