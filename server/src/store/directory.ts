import { SECOND } from "../base/clock.ts";
import { type Db, HOME } from "./db.ts";

/** A node knows for so long where an account lives, and then asks again. */
export const KNOWN_MS = 2 * SECOND;

/** A node forgets all accounts when it knows so many. They are then looked up again. */
const ACCOUNTS_MAX = 20_000;

interface Known {
  server: Promise<number>;
  readAt: number;
}

/** Finds the server of an account. The home keeps the list, and each node remembers for a short time what it has read. */
export class Directory {
  readonly #known = new Map<string, Known>();
  readonly #read: (accountId: string) => Promise<number>;
  /** The server of the account with this alias, or the home. */
  readonly serverOfAlias: (alias: string) => Promise<number>;

  constructor(home: Db) {
    this.#read = async (accountId) => {
      const [found] = await home<{ server: number }[]>`
        select server from account_homes where account_id = ${accountId}`;
      // Ids that no account has would push out those of accounts.
      if (!found) this.#known.delete(accountId);
      return found?.server ?? HOME;
    };
    this.serverOfAlias = async (alias) => {
      const [found] = await home<{ server: number }[]>`
        select server from account_homes where alias = ${alias}`;
      return found?.server ?? HOME;
    };
  }

  /** The account may live on another server now. */
  forget(accountId: string): void {
    this.#known.delete(accountId);
  }

  /**
   * The server of an account, or the home. While the home is away, its last answer counts, also for those who wait for the same
   * look-up.
   */
  serverOf(accountId: string): Promise<number> {
    const known = this.#known.get(accountId);
    const now = performance.now();
    if (known && now - known.readAt < KNOWN_MS) return known.server;
    const server = this.#read(accountId).catch((error: unknown) => {
      if (known) this.#known.set(accountId, known);
      else this.#known.delete(accountId);
      if (known === undefined) throw error;
      return known.server;
    });
    if (this.#known.size >= ACCOUNTS_MAX) this.#known.clear();
    this.#known.set(accountId, { server, readAt: now });
    return server;
  }
}
