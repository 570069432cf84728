import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Actor } from "../../../access/actor.ts";
import { ApiError, type Problem, problem, unavailable } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { SECOND } from "../../../base/clock.ts";
import { turns } from "../../../base/turns.ts";
import type { Db } from "../../../store/db.ts";
import { onEach } from "../../../store/on-each.ts";
import { assertValid, NOW, type Position, positionText, presentPosition } from "./position.ts";
import { digestOf, reachChanged, rightsOf } from "./rights.ts";
import { readChanges, readRows, type RowsQuery, type RowsRead } from "./read-changes.ts";
import type { ChangeContext } from "./rows.ts";
import { resourceText } from "./resource-text.ts";

interface StreamQuery {
  after: Position | typeof NOW | undefined;
  types: readonly string[] | undefined;
  actions: readonly string[] | undefined;
}

const isGone = ({ status }: Problem): boolean => status === 410;

/**
 * The listeners of this node. One statement in each interval asks for the heads of their accounts. NOTIFY would make
 * commits wait for each other.
 */
export class Streams {
  readonly #db: Db;
  readonly #byAccount = new Map<string, Audience>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  async open(
    context: ChangeContext,
    { after, ...filters }: StreamQuery,
    identify: () => Promise<Actor>,
  ): Promise<PassThrough> {
    const { accountId } = context.actor;
    const audience = this.#byAccount.get(accountId) ?? new Audience();
    this.#assertRoom(context.actor, audience);
    const listener = new Listener({ context, filters, identify, audience });
    // The place is taken before the first statement, so that requests that arrive together cannot take more.
    this.#byAccount.set(accountId, audience);
    audience.listeners.add(listener);
    listener.stream.once("close", () => {
      audience.listeners.delete(listener);
      if (audience.listeners.size === 0 && this.#byAccount.get(accountId) === audience)
        this.#byAccount.delete(accountId);
    });
    try {
      const start = after === NOW || !after ? await presentPosition(context) : after;
      await assertValid(context, start);
      listener.start(start);
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    this.#timer ??= setTimeout(() => void this.#poll(), limits.streamPollMs).unref();
    return listener.stream;
  }

  #assertRoom({ personId }: Actor, { listeners }: Audience): void {
    if (this.#isClosed) throw unavailable(1, "The service is stopping.");
    const own = [...listeners].filter((one) => one.personId === personId).length;
    if (own >= limits.streamsPerPerson)
      throw new ApiError(
        [problem("rate-limited", `At most ${limits.streamsPerPerson} streams for each person.`)],
        { "Retry-After": String(limits.streamCommentMs / SECOND) },
      );
    if (listeners.size >= limits.streamsPerAccount)
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
    for (const { accountId, moment } of heads.flat())
      this.#byAccount.get(accountId)?.follow(moment);
    this.#timer =
      this.#byAccount.size > 0 && !this.#isClosed
        ? setTimeout(() => void this.#poll(), limits.streamPollMs).unref()
        : undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { listeners } of this.#byAccount.values())
      for (const listener of listeners) listener.end();
  }
}

/** The listeners of an account. They take turns, so that the writers of the account keep most connections. */
class Audience {
  readonly listeners = new Set<Listener>();
  readonly inTurn = turns({ atOnce: limits.streamReadsAtOnce, busy: "Too many listeners read." });
  /** The rows that were read since the listeners were woken. */
  #rows = new Map<string, Promise<RowsRead>>();
  #moment: string | undefined;

  /** Wakes the listeners if the head of the account has moved. */
  follow(moment: string): void {
    if (this.#moment === moment) return;
    this.#moment = moment;
    this.#rows = new Map();
    for (const listener of this.listeners) listener.wake();
  }

  /** Listeners that wait for the same rows read them once. A failed read is not kept for the next listener. */
  readonly read = (context: ChangeContext, query: RowsQuery): Promise<RowsRead> => {
    const key = JSON.stringify([query.after?.source, query.after?.again, query.size, query.types]);
    const rows = this.#rows.get(key) ?? readRows(context, query);
    this.#rows.set(key, rows);
    rows.catch(() => this.#rows.delete(key));
    return rows;
  };
}

interface ListenerParts {
  context: ChangeContext;
  filters: Omit<StreamQuery, "after">;
  identify: () => Promise<Actor>;
  audience: Audience;
}

class Listener {
  readonly stream = new PassThrough();
  readonly personId: string;
  readonly #context: ChangeContext;
  readonly #filters: Omit<StreamQuery, "after">;
  readonly #identify: () => Promise<Actor>;
  readonly #audience: Audience;
  readonly #rights: string;
  readonly #timers: NodeJS.Timeout[] = [];
  #position: Position | undefined;
  #isReading = false;
  #isAwake = false;

  constructor({ audience, context, filters, identify }: ListenerParts) {
    this.personId = context.actor.personId;
    this.#context = context;
    this.#filters = filters;
    this.#identify = identify;
    this.#audience = audience;
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
        this.#confirm().catch((error: unknown) => this.#fail(error));
      }, limits.streamCommentMs).unref(),
      setTimeout(() => this.end(), limits.streamMsMax).unref(),
    );
    // A client that connects again before the first row continues here.
    this.stream.write(this.#idLine(position.source));
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
    this.#read().catch((error: unknown) => this.#fail(error));
  }

  /** The last event says that the position no longer holds. After another error the client connects again, and then gets it. */
  #fail(error: unknown): void {
    const gone = error instanceof ApiError ? error.problems.find(isGone) : undefined;
    if (gone && this.stream.writable) {
      const { code, detail } = gone;
      this.stream.write(`event: gone\ndata: ${JSON.stringify({ code, detail })}\n\n`);
    }
    this.end();
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
    const { actor } = this.#context;
    const query = { after: this.#position, size: limits.changesPageSizeMax, ...this.#filters };
    const page = await this.#audience.inTurn(async () => {
      const read = await readChanges(this.#context, query, this.#audience.read);
      // After the rows were read: a change of the rights that came before them is then known.
      if (read.changes.length > 0) await this.#confirm();
      return read;
    });
    if (!page.isComplete) this.#isAwake = true;
    if (page.last === this.#position?.source && !this.#position.again) return;
    const events = page.changes.map(
      (one) =>
        `id: ${positionText(one.position, actor)}\nevent: change\ndata: ${resourceText(one, actor)}\n\n`,
    );
    this.#position = { source: page.last, again: false, reach: digestOf(actor) };
    // The last row that was read may be one that the caller does not see.
    await this.#send(events.join("") + this.#idLine(page.last));
  }

  /** Moves `Last-Event-ID` of the client without an event. */
  readonly #idLine = (position: string): string =>
    `id: ${positionText(position, this.#context.actor)}\n\n`;

  /** Ends the stream if the caller's rights are no longer those with which it was opened. */
  async #confirm(): Promise<void> {
    if (rightsOf(await this.#identify()) !== this.#rights) throw reachChanged();
  }

  /** Waits for a slow client for some seconds, and then disconnects it. */
  async #send(text: string): Promise<void> {
    if (!this.stream.writable || this.stream.write(text)) return;
    const signal = AbortSignal.timeout(limits.streamStallMsMax);
    await once(this.stream, "drain", { signal }).catch(() => this.stream.destroy());
  }
}
