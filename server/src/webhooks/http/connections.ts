import type { TLSSocket } from "node:tls";
import type { AnswerReader } from "./answer.ts";
import { failureOf, SendFailure } from "./failure.ts";
import type { Wall } from "./wall.ts";

/** A secured connection to one destination, with at most one request on it. */
export class Connection {
  readonly #socket: TLSSocket;
  readonly #openedAt = performance.now();
  #used = false;
  #over = false;
  #idleUntil = 0;
  #onIdleEnd: (() => void) | undefined;
  #exchange: Exchange | undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#onData(bytes));
    socket.on("end", () => this.#onEnd());
    socket.on("error", (error) => this.#onError(failureOf(error, "answering")));
    socket.on("close", () =>
      this.#onError(new SendFailure("connection-reset", "answering: closed by the receiver")),
    );
  }

  get used(): boolean {
    return this.#used;
  }

  /** Resolves when the reader has a whole answer. The request is written once, whatever happens. */
  exchange(request: Buffer, reader: AnswerReader, wall: Wall): Promise<void> {
    return wall.during("answering", (resolve, reject) => {
      const again = this.#used;
      this.#used = true;
      this.#exchange = { reader, resolve, reject, again, heard: false };
      if (this.#over)
        this.#onError(new SendFailure("connection-reset", "answering: closed by the receiver"));
      else this.#socket.write(request);
      return () => this.destroy();
    });
  }

  /** As far as the socket knows: that a write is over, it says a turn later. */
  get isWriting(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Whether another request may follow. One that was answered before it was all sent ends the connection. */
  isReusable(reader: AnswerReader, ageMsMax: number): boolean {
    return (
      reader.reusable &&
      !this.#over &&
      !this.isWriting &&
      performance.now() - this.#openedAt < ageMsMax
    );
  }

  rest(ms: number, onEnd: () => void): void {
    this.#idleUntil = performance.now() + ms;
    this.#onIdleEnd = onEnd;
  }

  /** Answers whether it can be used: timers may be late, a clock is not. */
  wake(): boolean {
    this.#onIdleEnd = undefined;
    return !this.#over && performance.now() < this.#idleUntil;
  }

  destroy(): void {
    this.#over = true;
    this.#exchange = undefined;
    this.#socket.destroy();
    this.#idleEnded();
  }

  #idleEnded(): void {
    const onIdleEnd = this.#onIdleEnd;
    this.#onIdleEnd = undefined;
    onIdleEnd?.();
  }

  #onData(bytes: Buffer): void {
    const exchange = this.#exchange;
    // Nobody asked: what it belongs to cannot be known.
    if (!exchange) return this.destroy();
    exchange.heard = true;
    this.#progressed(exchange, exchange.reader.read(bytes));
  }

  #onEnd(): void {
    this.#over = true;
    if (this.#exchange) this.#progressed(this.#exchange, this.#exchange.reader.end());
    else this.destroy();
  }

  #progressed(exchange: Exchange, progress: ReturnType<AnswerReader["read"]>): void {
    if (progress === "more") return;
    this.#exchange = undefined;
    if (progress === "complete") return exchange.resolve();
    this.destroy();
    exchange.reject(
      progress === "torn"
        ? torn(exchange, "closed by the receiver")
        : new SendFailure(progress.reason, `answering: ${progress.detail}`),
    );
  }

  #onError(failure: SendFailure): void {
    const exchange = this.#exchange;
    this.destroy();
    exchange?.reject(
      failure.reason === "connection-reset" ? torn(exchange, failure.message) : failure,
    );
  }
}

interface Exchange {
  reader: AnswerReader;
  resolve: () => void;
  reject: (failure: SendFailure) => void;
  again: boolean;
  heard: boolean;
}

/** Never sent again here, on a new connection: the receiver may have read it all before it closed. */
function torn({ again, heard }: Exchange, detail: string): SendFailure {
  return new SendFailure(
    "connection-reset",
    again && !heard ? `${detail}; a kept connection, closed as it was used again` : detail,
  );
}

/** The connections that wait for another request, by destination. */
export class IdleConnections {
  readonly #max: number;
  readonly #byKey = new Map<string, Connection[]>();
  /** The longest idle first. */
  readonly #all = new Map<Connection, NodeJS.Timeout>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The one that was used last: the others may go. */
  take(key: string): Connection | undefined {
    for (;;) {
      const connection = this.#byKey.get(key)?.at(-1);
      if (!connection) return undefined;
      this.#remove(key, connection);
      if (connection.wake()) return connection;
      connection.destroy();
    }
  }

  keep(key: string, connection: Connection, ms: number): void {
    if (this.#all.size >= this.#max) this.#all.keys().next().value?.destroy();
    const timer = setTimeout(() => connection.destroy(), ms);
    timer.unref();
    this.#all.set(connection, timer);
    const same = this.#byKey.get(key);
    if (same) same.push(connection);
    else this.#byKey.set(key, [connection]);
    connection.rest(ms, () => this.#remove(key, connection));
  }

  closeAll(): void {
    for (const connection of this.#all.keys()) connection.destroy();
  }

  #remove(key: string, connection: Connection): void {
    clearTimeout(this.#all.get(connection));
    this.#all.delete(connection);
    const same = this.#byKey.get(key);
    if (!same) return;
    // Most often the last one, whether it is taken or not.
    const at = same.lastIndexOf(connection);
    if (at >= 0) same.splice(at, 1);
    if (same.length === 0) this.#byKey.delete(key);
  }
}

export interface Session {
  readonly session: Buffer;
  /** When a certificate was seen: a resumed connection shows none, and passes this on. */
  readonly verifiedAt: number;
}

/** What a destination's last connection left, so that its next one need not begin with certificates. */
export class Sessions {
  readonly #max: number;
  readonly #msMax: number;
  readonly #byKey = new Map<string, Session>();

  /** `msMax`: how long the last judgement of a certificate holds. */
  constructor(max: number, msMax: number) {
    this.#max = max;
    this.#msMax = msMax;
  }

  get(key: string): Session | undefined {
    const found = this.#byKey.get(key);
    return found && performance.now() - found.verifiedAt < this.#msMax ? found : undefined;
  }

  set(key: string, session: Session): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
    if (this.#byKey.size <= this.#max) return;
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined) this.#byKey.delete(oldest);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
