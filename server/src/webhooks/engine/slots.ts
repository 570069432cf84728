export interface Lane {
  readonly accountId: string;
  readonly endpointId: string;
}

/** How many deliveries this process sends at a time, and how many of them one receiver and one church may hold. */
export interface Shares {
  readonly slots: number;
  readonly perEndpoint: number;
  readonly perAccount: number;
}

export const usualShares: Shares = { slots: 512, perEndpoint: 32, perAccount: 128 };

/** What is being sent, and so what a claim may add. */
export interface Usage {
  readonly endpointShare: number;
  readonly accountShare: number;
  readonly endpoints: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, number>;
}

/**
 * The sending slots of this process. A receiver that hangs holds its slots for ten seconds each; so no receiver and no
 * church gets more than its share, and the last quarter is kept for those that hold least.
 */
export class Slots {
  readonly #shares: Shares;
  readonly #endpoints = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  /** Receivers left to other processes, and until when. */
  readonly #skipped = new Map<string, number>();
  #taken = 0;

  constructor(shares: Shares = usualShares) {
    this.#shares = shares;
  }

  get taken(): number {
    return this.#taken;
  }

  get free(): number {
    return this.#shares.slots - this.#taken;
  }

  /** The last quarter is left. */
  get areScarce(): boolean {
    return this.free <= this.#shares.slots / 4;
  }

  take({ accountId, endpointId }: Lane): void {
    this.#taken++;
    add(this.#endpoints, endpointId, 1);
    add(this.#accounts, accountId, 1);
  }

  give({ accountId, endpointId }: Lane): void {
    this.#taken--;
    add(this.#endpoints, endpointId, -1);
    add(this.#accounts, accountId, -1);
  }

  /** What this process cannot send another one may: it takes none of it for a while. */
  skip({ endpointId }: Lane, ms: number): void {
    this.#skipped.set(endpointId, performance.now() + ms);
  }

  usage(): Usage {
    const { perAccount, perEndpoint } = this.#shares;
    return {
      endpointShare: this.areScarce ? 1 : perEndpoint,
      accountShare: this.areScarce ? 2 : perAccount,
      endpoints: this.#withSkipped(perEndpoint),
      accounts: this.#accounts,
    };
  }

  #withSkipped(perEndpoint: number): ReadonlyMap<string, number> {
    if (this.#skipped.size === 0) return this.#endpoints;
    for (const [id, until] of this.#skipped)
      if (performance.now() > until) this.#skipped.delete(id);
    const full = [...this.#skipped.keys()].map((id) => [id, perEndpoint] as const);
    return new Map([...this.#endpoints, ...full]);
  }
}

function add(counts: Map<string, number>, id: string, difference: number): void {
  const count = (counts.get(id) ?? 0) + difference;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
