/** The queue rows of one endpoint. */
export interface Lane {
  readonly accountId: string;
  readonly endpointId: string;
}

/** The number of concurrent deliveries of this process, and the maximum per endpoint and per account. */
export interface Shares {
  readonly slots: number;
  readonly perEndpoint: number;
  readonly perAccount: number;
}

export const usualShares: Shares = { slots: 512, perEndpoint: 32, perAccount: 128 };

/** The slots in use. A claim derives from them how much it may take. */
export interface Usage {
  readonly endpointShare: number;
  readonly accountShare: number;
  readonly endpoints: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, number>;
}

/**
 * The sending slots of this process. A receiver that hangs holds each of its slots for ten seconds. Shares limit the
 * slots per endpoint and account. The last quarter is reserved for those with the fewest deliveries.
 */
export class Slots {
  readonly #shares: Shares;
  readonly #endpoints = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  /** Endpoints that this process skips, and until when. */
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

  /** True in the last quarter of the slots. */
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

  /** Leaves the endpoint to other processes for a while. */
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
