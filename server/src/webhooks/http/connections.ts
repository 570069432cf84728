import type { ClientRequest } from "node:http";
import { request as startRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import { SECOND } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { Answer } from "./answer.ts";
import { SendFailure } from "./failure.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * A TLS connection to one destination, on which Node's client speaks HTTP/1.1, one request at a time.
 *
 * A request is given this one connection and can never open another, so it cannot be repeated.
 */
export class Connection {
  readonly #socket: TLSSocket;
  readonly #openedAt = performance.now();
  #idleMs: number;
  #lastUsedAt = performance.now();
  /** Whether the last request was written and its answer read. */
  #isFree = true;
  #error: Error | undefined;

  constructor(socket: TLSSocket, idleMs: number) {
    this.#socket = socket;
    this.#idleMs = idleMs;
    // The first error is the cause. A later one only says that the connection has ended.
    socket.on("error", (error) => {
      this.#error ??= error;
    });
    socket.on("timeout", this.destroy);
  }

  /** Writes the request once. Rejects if no complete answer follows. */
  async exchange(request: HttpRequest, answer: Answer, signal: AbortSignal): Promise<void> {
    const abandon = () => this.#socket.destroy(signal.reason);
    signal.addEventListener("abort", abandon);
    try {
      await this.#post(request, answer);
    } catch (error) {
      this.destroy();
      throw this.#error ?? error;
    } finally {
      signal.removeEventListener("abort", abandon);
    }
    if (answer.keepMs !== undefined) {
      // One second less than the receiver says. It could close the connection while the next request is under way.
      this.#idleMs = Math.min(this.#idleMs, answer.keepMs - SECOND);
    }
    this.#lastUsedAt = performance.now();
    if (this.isReusable) this.#socket.setTimeout(this.#idleMs).on("data", this.destroy);
    else this.destroy();
  }

  async #post({ path, headers, body }: HttpRequest, answer: Answer): Promise<void> {
    const socket = this.#socket.setTimeout(0).off("data", this.destroy);
    if (!socket.writable)
      throw new SendFailure("connection-reset", "answering: closed before the request");
    const answered = Promise.withResolvers<void>();
    this.#isFree = false;
    const sending: ClientRequest = startRequest({
      method: "POST",
      path,
      headers,
      createConnection: () => socket,
      // Counts the reason phrase too, and the trailers once more.
      maxHeaderSize: webhookLimits.answerHeaderBytesMax + 1,
    })
      .on("error", answered.reject)
      .on("close", () => {
        this.#isFree = true;
      })
      .on("information", () => {
        const failure = answer.addInterim();
        if (failure) answered.reject(failure);
      })
      // The connection is no longer one of HTTP.
      .on("upgrade", (response) => {
        answer.readHead(response);
        socket.destroy();
        answered.resolve();
      })
      .on("response", (response) => {
        response
          .on("error", answered.reject)
          .on("end", answered.resolve)
          .on("data", (bytes: Buffer) => {
            // A destroyed socket reports its error later, after the end of an answer that arrived as a whole.
            const failure = answer.addData(bytes);
            if (failure) answered.reject(failure);
          });
        if (answer.readHead(response)) return;
        answered.resolve();
        socket.destroy();
      });
    sending.end(body);
    await answered.promise;
    // The answer can overtake the news that the request was written.
    if (!sending.writableFinished) await new Promise((turn) => setImmediate(turn));
  }

  /** False for an answer that came before the whole request was written: the rest of it is still in the way. */
  get isReusable(): boolean {
    const now = performance.now();
    return (
      this.#isFree &&
      this.#socket.writable &&
      now - this.#openedAt < webhookLimits.connectionMsMax &&
      // The timer is late when the process was busy.
      now - this.#lastUsedAt < this.#idleMs
    );
  }

  readonly destroy = (): void => {
    this.#socket.destroy();
  };
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
