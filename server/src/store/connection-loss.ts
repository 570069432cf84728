import { Socket } from "node:net";
import type postgres from "postgres";

/**
 * What it takes for this driver to outlive its connections. Two things go wrong in it when PostgreSQL closes one under
 * load (its issues 1154 and 1208, open at the time of writing), and both end or freeze the process:
 *
 * 1. A statement written in the same turn in which the connection closes stays in a buffer, and the next connection
 *    never gets past it. `PatientSocket` tells of its end two turns later, when the buffer has been written to nowhere.
 * 2. A transaction goes on after its connection has closed, its ROLLBACK first of all, and writes to a socket that is no
 *    more. `guardBegin` lets nothing be sent then: PostgreSQL has rolled back by itself.
 *
 * `test/resilience.test.ts` terminates and kills until it would show.
 */
export class PatientSocket extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "close") return super.emit(event, ...args);
    setImmediate(() => setImmediate(() => super.emit(event, ...args)));
    return true;
  }
}

const LOST = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "ECONNRESET",
  "EPIPE",
  // PostgreSQL's own last words: shut down by an administrator, by a crash, while starting.
  "57P01",
  "57P02",
  "57P03",
]);

const isLost = (error: unknown): boolean =>
  LOST.has(String((error as { code?: unknown } | null | undefined)?.code));

/** `begin` for a driver that does not notice that the connection of a transaction is gone. */
export function guardBegin(db: postgres.Sql): void {
  const begin = db.begin.bind(db) as (
    run: (tx: postgres.TransactionSql) => unknown,
  ) => Promise<unknown>;
  const guarded = async (run: (tx: postgres.TransactionSql) => unknown): Promise<unknown> => {
    let lost: unknown;
    const refuse = () => {
      if (lost !== undefined) throw lost;
    };
    try {
      return await begin(async (tx) => {
        try {
          return await run(refusing(tx, refuse));
        } catch (error) {
          if (!isLost(error) && lost === undefined) throw error;
          // The driver would send a ROLLBACK. It ends the transaction by itself when it hears of the close.
          lost ??= error;
          return new Promise(() => undefined);
        }
      });
    } catch (error) {
      lost ??= error;
      throw error;
    }
  };
  db.begin = guarded as typeof db.begin;
}

/** The transaction, until it is lost: then every use of it throws. */
function refusing(tx: postgres.TransactionSql, refuse: () => void): postgres.TransactionSql {
  return new Proxy(tx, {
    apply(target, self, args) {
      refuse();
      return Reflect.apply(target as unknown as () => unknown, self, args);
    },
    get(target, name, receiver) {
      refuse();
      return Reflect.get(target, name, receiver);
    },
  });
}
