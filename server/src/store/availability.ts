import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { asAway, isDatabaseAway } from "./away.ts";
import { connect, HOME } from "./db.ts";
import { readinessOf } from "./readiness.ts";

const ASK_MS = SECOND / 2;
/** Requests fail at once when their server takes longer to answer. */
const ANSWER_MS_MAX = 1.5 * SECOND;

/**
 * Whether one of several servers answers. While it does not, its statements fail at once, also those that are under way, so that
 * requests to it get 503 and hold nothing that requests to other servers need. The outcome of a transaction under way is then
 * unknown, as after every lost connection.
 *
 * It asks on a connection of its own. A server whose other connections are all busy is not away.
 */
export class Availability {
  readonly #server: number;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<(error: unknown) => void>();
  readonly end: () => Promise<void>;
  #loss: Error | undefined;
  #hold: Error | undefined;

  constructor(server: number, url: string, answerMsMax: number) {
    this.#server = server;
    const db = connect(url, {
      max: 1,
      name: "vestry-availability",
      connectMsMax: answerMsMax,
      statementMsMax: answerMsMax,
    });
    this.#watch(readinessOf(db, answerMsMax)).catch(() => undefined);
    this.end = () => {
      this.#ended.abort();
      return db.end({ timeout: 1 });
    };
  }

  get isAway(): boolean {
    return (this.#hold ?? this.#loss) !== undefined;
  }

  /** Fails with the loss while the server is away or held. */
  during<T>(work: () => Promise<T>): Promise<T> {
    const loss = this.#hold ?? this.#loss;
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
    this.#loss = undefined;
    this.#report(undefined);
  }

  async #watch(ask: () => Promise<void>): Promise<void> {
    for (;;) {
      await wait(ASK_MS, undefined, { signal: this.#ended.signal, ref: false });
      try {
        await ask();
        this.#note(undefined);
      } catch (error) {
        if (isDatabaseAway(error)) this.#note(error as Error);
      }
    }
  }

  #note(loss: Error | undefined): void {
    const hasChanged = (this.#loss === undefined) !== (loss === undefined);
    this.#loss = loss;
    if (hasChanged && !this.#hold) this.#report(loss);
  }

  #report(loss: Error | undefined): void {
    const server = this.#server;
    observe(loss ? { kind: "server-lost", server, error: loss } : { kind: "server-back", server });
    if (!loss) return;
    for (const reject of this.#underWay) reject(loss);
    this.#underWay.clear();
  }
}

/** One for each server, for all pools of a node. An installation with one server needs none. */
export const watchServers = (
  urls: readonly string[],
  answerMsMax = ANSWER_MS_MAX,
): readonly Availability[] =>
  urls.length < 2 ? [] : urls.map((url, index) => new Availability(HOME + index, url, answerMsMax));
