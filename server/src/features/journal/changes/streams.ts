import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Actor } from "../../../access/actor.ts";
import { ApiError, problem, unavailable } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { SECOND } from "../../../base/clock.ts";
import type { Db } from "../../../store/db.ts";
import { onEach } from "../../../store/on-each.ts";
import { assertKept, NOW, type Position, positionOf, presentPosition } from "./position.ts";
import { readChanges } from "./read-changes.ts";
import type { ChangeContext } from "./rows.ts";
import { resourceText } from "./resource-text.ts";

interface StreamQuery {
  after: Position | typeof NOW | undefined;
  types: readonly string[] | undefined;
}

/**
 * The listeners of this node. One statement in each interval asks for the heads of their accounts. NOTIFY would make
 * commits wait for each other.
 */
export class Streams {
  readonly #db: Db;
  readonly #byAccount = new Map<string, Set<Listener>>();
  readonly #moments = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  async open(
    context: ChangeContext,
    { after, types }: StreamQuery,
    identify: () => Promise<Actor>,
  ): Promise<PassThrough> {
    const { accountId } = context.actor;
    const listener = new Listener(context, types, identify);
    const others = this.#byAccount.get(accountId) ?? new Set();
    this.#assertRoom(context.actor, others);
    // The place is taken before the first statement, so that requests that arrive together cannot take more.
    this.#byAccount.set(accountId, others.add(listener));
    listener.stream.once("close", () => {
      others.delete(listener);
      if (others.size > 0 || this.#byAccount.get(accountId) !== others) return;
      this.#byAccount.delete(accountId);
      this.#moments.delete(accountId);
    });
    try {
      const start = after === NOW || !after ? await presentPosition(context) : after;
      await assertKept(context, start);
      listener.start(start);
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    this.#timer ??= setTimeout(() => void this.#poll(), limits.streamPollMs).unref();
    return listener.stream;
  }

  #assertRoom({ personId }: Actor, others: ReadonlySet<Listener>): void {
    if (this.#isClosed) throw unavailable(1, "The service is stopping.");
    const own = [...others].filter((one) => one.personId === personId).length;
    if (own >= limits.streamsPerPerson)
      throw new ApiError(
        [problem("rate-limited", `At most ${limits.streamsPerPerson} streams for each person.`)],
        { "Retry-After": String(limits.streamCommentMs / SECOND) },
      );
    if (others.size >= limits.streamsPerAccount)
      throw unavailable(
        limits.streamCommentMs / SECOND,
        `This node has ${limits.streamsPerAccount} streams of the account.`,
      );
  }

  /** Without an answer, the next interval asks again. */
  async #poll(): Promise<void> {
    const accounts = [...this.#byAccount.keys()];
    const db = this.#db;
    const heads = await onEach(
      db.servers,
      (server) => server<{ accountId: string; moment: string }[]>`
        select account_id as "accountId", moment::text as moment from journal_heads
        where account_id = any(${accounts}::uuid[])`,
    ).catch(() => []);
    for (const { accountId, moment } of heads.flat()) {
      if (this.#moments.get(accountId) === moment) continue;
      const listeners = this.#byAccount.get(accountId);
      if (!listeners) continue;
      this.#moments.set(accountId, moment);
      for (const listener of listeners) listener.wake();
    }
    this.#timer =
      this.#byAccount.size > 0 && !this.#isClosed
        ? setTimeout(() => void this.#poll(), limits.streamPollMs).unref()
        : undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const listeners of this.#byAccount.values())
      for (const listener of listeners) listener.end();
  }
}

class Listener {
  readonly stream = new PassThrough();
  readonly personId: string;
  readonly #context: ChangeContext;
  readonly #types: readonly string[] | undefined;
  readonly #identify: () => Promise<Actor>;
  readonly #rights: string;
  readonly #timers: NodeJS.Timeout[] = [];
  #position: Position | undefined;
  #isReading = false;
  #isAwake = false;

  constructor(
    context: ChangeContext,
    types: readonly string[] | undefined,
    identify: () => Promise<Actor>,
  ) {
    this.personId = context.actor.personId;
    this.#context = context;
    this.#types = types;
    this.#identify = identify;
    this.#rights = rightsOf(context.actor);
    this.stream.once("close", () => this.#timers.forEach((one) => clearTimeout(one)));
    // The response reports what ended it.
    this.stream.on("error", () => undefined);
  }

  start(position: Position): void {
    this.#position = position;
    this.#timers.push(
      setInterval(() => {
        if (this.stream.writableNeedDrain) return;
        this.stream.write(":\n\n");
        this.#confirm().catch(() => this.end());
      }, limits.streamCommentMs).unref(),
      setTimeout(() => this.end(), limits.streamMsMax).unref(),
    );
    // A client that connects again before the first row continues here.
    this.stream.write(idLine(position.source));
    this.wake();
  }

  end(): void {
    if (!this.stream.writableEnded) this.stream.end();
  }

  /** There may be rows. While the listener reads, this makes it read once more. */
  wake(): void {
    this.#isAwake = true;
    if (this.#isReading || !this.#position) return;
    this.#isReading = true;
    // The client connects again, and then gets the error.
    this.#read().catch(() => this.end());
  }

  async #read(): Promise<void> {
    try {
      while (this.#isAwake && this.stream.writable) {
        this.#isAwake = false;
        await this.#readPage();
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readPage(): Promise<void> {
    const page = await readChanges(this.#context, {
      after: this.#position,
      size: limits.changesPageSizeMax,
      types: this.#types,
    });
    if (!page.isComplete) this.#isAwake = true;
    if (page.last === this.#position?.source && !this.#position.again) return;
    // After the rows were read: a change of the rights that came before them is then known.
    if (page.changes.length > 0 && !(await this.#confirm())) return;
    const events = page.changes.map(
      (one) => `id: ${one.position}\nevent: change\ndata: ${resourceText(one)}\n\n`,
    );
    this.#position = positionOf(page.last);
    // The last row that was read may be one that the caller does not see.
    await this.#send(events.join("") + idLine(page.last));
  }

  /** Ends the stream if the caller's rights are no longer those with which it was opened. */
  async #confirm(): Promise<boolean> {
    const isSame = rightsOf(await this.#identify()) === this.#rights;
    if (!isSame) this.end();
    return isSame;
  }

  /** Waits for a slow client for some seconds, and then disconnects it. */
  async #send(text: string): Promise<void> {
    if (!this.stream.writable || this.stream.write(text)) return;
    const signal = AbortSignal.timeout(limits.streamStallMsMax);
    await once(this.stream, "drain", { signal }).catch(() => this.stream.destroy());
  }
}

/** Moves `Last-Event-ID` of the client without an event. */
const idLine = (position: string): string => `id: ${position}\n\n`;

const rightsOf = ({ administrativeStatus, assignments, integrationId }: Actor): string =>
  JSON.stringify([
    administrativeStatus,
    integrationId,
    assignments
      .map((one) =>
        JSON.stringify([one.permissions, one.scopeType, [...one.scopeIds].sort(), one.until]),
      )
      .sort(),
  ]);
