import { MINUTE, random, SECOND } from "../../base/clock.ts";
import { onWake } from "../../events/wake.ts";
import { newId } from "../../base/ids.ts";
import { observe } from "../../base/observe.ts";
import { isDatabaseAway } from "../../store/away.ts";
import type { Db } from "../../store/db.ts";
import { claim, type Claimed, releaseClaim } from "./claim.ts";
import { firstRound, reconcile } from "./reconcile.ts";
import { endpointTriggerOf, settle, settleWithEndpoint } from "./settle.ts";
import { type Lane, type Shares, Slots } from "./slots.ts";
import { pauseFailing, sweep } from "./sweep.ts";
import { reportDropped, reportSettled } from "./report.ts";
import { databaseTime, released, type WorkOptions, type ClaimResult, work } from "./work.ts";

/**
 * The engine of one process. It claims due work while it has free slots, sends it, and settles the results in batches.
 */
export interface EngineOptions extends WorkOptions {
  readonly db: Db;
  readonly shares?: Shares;
  readonly pollMs?: number;
}

export interface Engine {
  /** Finishes attempts that are under way, releases other claims, and settles all results. */
  stop(): Promise<void>;
}

const POLL_MS = SECOND;
const CLAIM_MAX = 256;
/** Small claims cost as much as large ones. When work is left over and slots are scarce, wait for more room. */
const ROOM_MS = 5;
const STARTED_AT_ONCE = 16;
const SETTLE_MAX = 500;
/** Stop claiming once this many results are unsettled. The database is unreachable. */
const UNSETTLED_MAX = 2_000;
const PAUSE_MS = 250;
const STOP_MS_MAX = 5 * SECOND;

export function startEngine(options: EngineOptions): Engine {
  const engine = new Dispatcher(options);
  engine.start();
  return engine;
}

class Dispatcher implements Engine {
  readonly #options: EngineOptions;
  readonly #slots: Slots;
  readonly #sending = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #unsettled: ClaimResult[] = [];
  #settling: Promise<void> | undefined;
  #after: Lane | undefined;
  /** The lease of the last claim until its result is known. */
  #pendingLease: string | undefined;
  #woken = new Signal();
  /** Work may be left that had no free slot. Freed slots then cause another claim. */
  #leftWork = false;
  readonly #loops: Promise<void>[] = [];
  readonly #stopWaking: () => void;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#slots = new Slots(options.shares);
    this.#stopWaking = onWake(() => this.#woken.raise());
  }

  start(): void {
    const { db, pollMs = POLL_MS } = this.#options;
    let round = firstRound;
    this.#loops.push(
      this.#claimLoop(pollMs),
      this.#every(pollMs, async () => {
        await sweep(db);
        this.#woken.raise();
      }),
      this.#every(MINUTE, async () => {
        await pauseFailing(db);
        const { found, next } = await reconcile(db, round);
        round = next;
        observe({ kind: "reconciled", ...found });
      }),
      this.#every(10 * SECOND, () => this.#observeQueue()),
    );
  }

  async stop(): Promise<void> {
    this.#stopWaking();
    this.#stopping.abort();
    this.#woken.raise();
    await Promise.all(this.#loops);
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    this.#options.sender.close();
    await this.#releasePending().catch(() => undefined);
    // If the database stays unreachable, unrecorded deliveries are sent again when their leases end.
    const tooLate = performance.now() + STOP_MS_MAX;
    while (this.#unsettled.length > 0 && performance.now() < tooLate) {
      this.#settleSoon();
      await this.#settling;
    }
    reportDropped(this.#unsettled);
  }

  // -- Claiming ----------------------------------------------------------------------------------------------------

  async #claimLoop(pollMs: number): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // A signal raised after this line causes another claim.
      this.#woken.lower();
      if (this.#leftWork && this.#slots.areScarce) await this.#pause(ROOM_MS);
      if (await this.#claimSome()) continue;
      await this.#woken.within(pollMs * (0.9 + 0.2 * random()));
    }
  }

  #hasRoom(): boolean {
    const hasRoom = this.#slots.free > 0 && this.#unsettled.length < UNSETTLED_MAX;
    if (!hasRoom) this.#leftWork = true;
    return hasRoom;
  }

  #madeRoom(): void {
    if (this.#leftWork) this.#woken.raise();
  }

  /** Returns whether more work can be claimed at once. */
  async #claimSome(): Promise<boolean> {
    let leftWork = false;
    // Only a walk that starts at the beginning and reaches the end has seen every lane.
    let ends = this.#after === undefined ? 1 : 2;
    try {
      await this.#releasePending();
      while (ends > 0 && this.#hasRoom() && !this.#stopping.signal.aborted) {
        this.#pendingLease = newId();
        const wanted = {
          lease: this.#pendingLease,
          limit: Math.min(this.#slots.free, CLAIM_MAX),
          usage: this.#slots.usage(),
          after: this.#after,
        };
        const claims = await claim(this.#options.db, wanted);
        this.#pendingLease = undefined;
        this.#after = claims.stoppedAt;
        if (claims.stoppedAt === undefined) ends--;
        if (claims.leftWork) leftWork = this.#leftWork = true;
        this.#track(this.#startAll(claims.claimed));
        if (claims.leftWork && claims.claimed.length > 0) return true;
      }
      if (ends === 0) this.#leftWork = leftWork;
    } catch (error) {
      observe({ kind: "engine-failed", what: "claim", error });
      await this.#pause(PAUSE_MS);
    }
    return false;
  }

  async #releasePending(): Promise<void> {
    if (this.#pendingLease !== undefined) await releaseClaim(this.#options.db, this.#pendingLease);
    this.#pendingLease = undefined;
  }

  /** Starts a few per turn of the event loop. Signing all at once would delay the next claim and every response. */
  async #startAll(claimed: readonly Claimed[]): Promise<void> {
    for (const one of claimed) this.#slots.take(one);
    for (const [index, one] of claimed.entries()) {
      if (index > 0 && index % STARTED_AT_ONCE === 0)
        await new Promise((turn) => setImmediate(turn));
      this.#track(this.#work(one).finally(() => this.#finish(one)));
    }
  }

  #finish(claimed: Claimed): void {
    this.#slots.give(claimed);
    this.#madeRoom();
  }

  /** `stop` waits for it. */
  #track(sending: Promise<void>): void {
    const kept = sending.finally(() => this.#sending.delete(kept));
    this.#sending.add(kept);
  }

  async #work(claimed: Claimed): Promise<void> {
    const result = this.#stopping.signal.aborted
      ? released(claimed)
      : await work(claimed, this.#options);
    // A node without the key would claim this work again and again.
    if (lacksKey(result)) this.#slots.skip(claimed, MINUTE);
    this.#unsettled.push(result);
    this.#settleSoon();
  }

  // -- Settling ----------------------------------------------------------------------------------------------------

  /** Settles one batch at a time. Results that arrive meanwhile form the next batch. */
  #settleSoon(): void {
    this.#settling ??= this.#settleBatch().finally(() => {
      this.#settling = undefined;
      if (this.#unsettled.length > 0 && !this.#stopping.signal.aborted) this.#settleSoon();
    });
  }

  async #settleBatch(): Promise<void> {
    // Include results that arrive in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const batch = this.#nextBatch();
    try {
      await this.#settle(batch);
      this.#remove(batch);
    } catch (error) {
      observe({ kind: "engine-failed", what: "settle", error });
      if (isDatabaseAway(error)) await this.#awaitDatabase();
      else await this.#settleApart(batch);
    }
  }

  /** A result that changes an endpoint is settled alone, because its transaction locks the endpoint first. */
  #nextBatch(): readonly ClaimResult[] {
    const [first] = this.#unsettled;
    if (first && endpointTriggerOf(first)) return [first];
    return this.#unsettled
      .slice(0, SETTLE_MAX)
      .filter((result) => endpointTriggerOf(result) === undefined);
  }

  async #settle(batch: readonly ClaimResult[]): Promise<void> {
    const { db } = this.#options;
    const [first] = batch;
    if (!first) return;
    const settled = endpointTriggerOf(first)
      ? await settleWithEndpoint(db, first)
      : await settle(db, batch);
    reportSettled(settled);
    // A released delivery is due, and this may be the only node.
    if (settled.settled.some(({ result }) => result.trigger.kind === "released"))
      this.#woken.raise();
  }

  #remove(batch: readonly ClaimResult[]): void {
    const done = new Set(batch);
    this.#unsettled = this.#unsettled.filter((result) => !done.has(result));
    this.#madeRoom();
  }

  /**
   * Settles each result alone, so that one bad result does not block the others. A delivery that is not settled is
   * retried after its lease ends.
   */
  async #settleApart(batch: readonly ClaimResult[]): Promise<void> {
    for (const result of batch) {
      await this.#settle([result]).catch((error: unknown) => {
        observe({ kind: "engine-failed", what: "settle", error });
        reportDropped([result]);
      });
      this.#remove([result]);
    }
  }

  /** Waits for the database. Results whose leases ended long ago are dropped. */
  async #awaitDatabase(): Promise<void> {
    const late = this.#unsettled.filter(isLate);
    reportDropped(late);
    this.#remove(late);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  // -- Time --------------------------------------------------------------------------------------------------------

  async #every(ms: number, act: () => Promise<void>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await act().catch((error: unknown) =>
        observe({ kind: "engine-failed", what: "sweep", error }),
      );
      await this.#pause(ms * (0.9 + 0.2 * random()));
    }
  }

  /** Resolves early when the engine stops. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
    });
  }

  async #observeQueue(): Promise<void> {
    const { db } = this.#options;
    const [row] = await db<{ depth: number; ready: number; oldestMs: number }[]>`
      select count(*)::integer as depth, (count(*) filter (where ready))::integer as ready,
        coalesce(extract(epoch from now() - min(due_at) filter (where ready)), 0)::float8 * 1000 as "oldestMs"
      from webhook_queue`;
    const { server } = db;
    if (row) observe({ kind: "queue-seen", server, ...row, inFlight: this.#slots.taken });
  }
}

const lacksKey = ({ attempt }: ClaimResult): boolean =>
  attempt?.outcome.kind === "system" && attempt.outcome.code === "system-secret";

const isLate = ({ claimed }: ClaimResult) => databaseTime(claimed) > claimed.claimedAt + LATE_MS;
const LATE_MS = 10 * MINUTE;

/** A flag that a loop can wait for. */
class Signal {
  #raised = false;
  #seen: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#seen?.();
  }

  lower(): void {
    this.#raised = false;
  }

  /** Waits until the flag is raised or the time is over, then lowers it. */
  async within(ms: number): Promise<void> {
    if (!this.#raised)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.#seen?.(), ms);
        this.#seen = () => {
          clearTimeout(timer);
          this.#seen = undefined;
          resolve();
        };
      });
    this.#raised = false;
  }
}
