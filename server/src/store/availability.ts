import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { asAway, isDatabaseAway } from "./away.ts";
import { connect, type Db, HOME } from "./db.ts";
import { PoolerAway } from "./pooler.ts";
import { readinessOf } from "./readiness.ts";

const ASK_MS = SECOND / 2;
/** Requests fail at once when their server takes longer to answer. */
const ANSWER_MS_MAX = 1.5 * SECOND;

/** An address by which a server is asked. */
interface Place {
  url: string;
  pooled?: boolean;
}

interface Options {
  answerMsMax: number;
  /** Reports losses. False for the second of two that watch one server. */
  reports: boolean;
}

/**
 * Whether one of several servers answers. While it does not, its statements fail at once, also those that are under way, so that
 * requests to it get 503 and hold nothing that requests to other servers need. The outcome of a transaction under way is then
 * unknown, as after every lost connection.
 *
 * It asks on connections of its own: one to the server, and one through the pooler that requests use. A server whose other
 * connections are all busy is not away.
 */
export class Availability {
  readonly #server: number;
  readonly #reports: boolean;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<(error: unknown) => void>();
  readonly end: () => Promise<unknown>;
  /** By the place that does not answer. */
  readonly #losses = new Map<Place, Error>();
  #hold: Error | undefined;

  constructor(server: number, places: readonly Place[], { answerMsMax, reports }: Options) {
    this.#server = server;
    this.#reports = reports;
    const pools = places.map((place) => {
      const db = connect(place.url, {
        max: 1,
        name: "vestry-availability",
        connectMsMax: answerMsMax,
        statementMsMax: answerMsMax,
        ...(place.pooled && { pooled: true, waitMsMax: answerMsMax }),
      });
      this.#watch(place, db, readinessOf(db, answerMsMax)).catch(() => undefined);
      return db;
    });
    this.end = () => {
      this.#ended.abort();
      return Promise.all(pools.map((db) => db.end({ timeout: 1 })));
    };
  }

  get isAway(): boolean {
    return this.#reason !== undefined;
  }

  get #reason(): Error | undefined {
    return this.#hold ?? this.#losses.values().next().value;
  }

  /** Fails with the loss while the server is away or held. */
  during<T>(work: () => Promise<T>): Promise<T> {
    const loss = this.#reason;
    if (loss) return Promise.reject(loss);
    const { promise, reject, resolve } = Promise.withResolvers<T>();
    this.#underWay.add(reject);
    work()
      .finally(() => this.#underWay.delete(reject))
      .then(resolve, reject);
    return promise;
  }

  /** Treats the server as away until `release`, also if it answers. Each new reason is reported. */
  hold(reason: Error): void {
    const isKnown = this.#hold?.message === reason.message;
    this.#hold = asAway(reason);
    if (!isKnown) this.#report(this.#hold);
  }

  /** For a server that has just answered, which may be later than this has asked. */
  release(): void {
    this.#hold = undefined;
    this.#losses.clear();
    this.#report(undefined);
  }

  async #watch(place: Place, db: Db, ask: () => Promise<void>): Promise<void> {
    for (;;) {
      await wait(ASK_MS, undefined, { signal: this.#ended.signal, ref: false });
      try {
        await ask();
        this.#note(place, undefined);
      } catch (error) {
        if (!isDatabaseAway(error)) continue;
        this.#note(place, place.pooled ? new PoolerAway(db, error as Error) : (error as Error));
      }
    }
  }

  #note(place: Place, loss: Error | undefined): void {
    const before = this.#losses.size;
    if (loss) this.#losses.set(place, loss);
    else this.#losses.delete(place);
    const after = this.#losses.size;
    if ((before === 0) !== (after === 0) && !this.#hold) this.#report(loss);
  }

  #report(loss: Error | undefined): void {
    const server = this.#server;
    if (this.#reports)
      observe(
        loss ? { kind: "server-lost", server, error: loss } : { kind: "server-back", server },
      );
    if (!loss) return;
    for (const reject of this.#underWay) reject(loss);
    this.#underWay.clear();
  }
}

interface WatchOptions {
  answerMsMax?: number | undefined;
  /** In the order of the servers, if requests go through them. */
  poolers?: readonly string[];
  reports?: boolean;
}

/** One for each server, for all pools of a node. An installation with one server needs none. */
export const watchServers = (
  urls: readonly string[],
  { answerMsMax = ANSWER_MS_MAX, poolers = [], reports = true }: WatchOptions = {},
): readonly Availability[] =>
  urls.length < 2
    ? []
    : urls.map((url, index) => {
        const pooler = poolers[index];
        const places = [{ url }, ...(pooler === undefined ? [] : [{ url: pooler, pooled: true }])];
        return new Availability(HOME + index, places, { answerMsMax, reports });
      });
