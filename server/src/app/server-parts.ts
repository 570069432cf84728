import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../base/clock.ts";
import type { Availability } from "../store/availability.ts";
import { isDatabaseAway } from "../store/away.ts";
import { PoolerAway } from "../store/pooler.ts";
import { HOME } from "../store/db.ts";

export type Stops = (() => unknown)[];

type Holdable = Pick<Availability, "hold" | "release">;

export interface ServerPartsOptions {
  server: number;
  /** Undefined if there is one server. */
  availability: Holdable | undefined;
  say: (line: string) => void;
  prepare: (signal: AbortSignal) => Promise<void>;
  /** Adds to `started` what stops each part, as soon as it has started. */
  start: (started: Stops) => Promise<void>;
}

/** The wait between attempts to prepare a server that was away. */
const AGAIN_MS = SECOND;

/**
 * The parts of a node that belong to one server. They begin in two steps: prepare and start.
 *
 * A server beside the home may be away. The node then starts without it and repeats both steps until they succeed. Requests for
 * its accounts get 503 until it is prepared, because its tables may be those of another version or of another server.
 */
export class ServerParts {
  readonly #options: ServerPartsOptions;
  readonly #stopping = new AbortController();
  readonly #started: Stops = [];
  #late: Promise<void> | undefined;

  constructor(options: ServerPartsOptions) {
    this.#options = options;
  }

  prepare(): Promise<void> {
    return this.#orLater(() => this.#options.prepare(this.#stopping.signal));
  }

  start(): Promise<void> {
    return this.#orLater(() => this.#options.start(this.#started));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#late;
    await this.#stopStarted();
  }

  async #orLater(step: () => Promise<void>): Promise<void> {
    if (this.#late) return;
    const { availability, say, server } = this.#options;
    try {
      await step();
    } catch (error) {
      if (!availability || server === HOME || !isDatabaseAway(error)) throw error;
      say(
        `Server ${server} is away. ${error instanceof PoolerAway ? `${error.message} ` : ""}This node starts without it. Its accounts get 503 until it is back.`,
      );
      availability.hold(error as Error);
      // It rejects only when the node stops.
      this.#late = this.#untilStarted(availability).catch(() => undefined);
    }
  }

  async #untilStarted(availability: Holdable): Promise<void> {
    const { prepare, say, server, start } = this.#options;
    const { signal } = this.#stopping;
    for (let refusal = ""; ; ) {
      await this.#stopStarted();
      await wait(AGAIN_MS, undefined, { signal, ref: false });
      try {
        await prepare(signal);
        signal.throwIfAborted();
        availability.release();
        await start(this.#started);
        say(`Server ${server} is back, and this node serves its accounts.`);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const { message } = error as Error;
        availability.hold(error as Error);
        if (isDatabaseAway(error) || message === refusal) continue;
        refusal = message;
        say(`Server ${server} is back and cannot be used: ${message}`);
      }
    }
  }

  async #stopStarted(): Promise<void> {
    for (let stop = this.#started.pop(); stop !== undefined; stop = this.#started.pop())
      await stop();
  }
}
