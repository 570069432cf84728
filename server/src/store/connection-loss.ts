import { Socket } from "node:net";
import type postgres from "postgres";

/**
 * What it takes for this driver to outlive its connections. Three things go wrong in it when PostgreSQL closes one under
 * load (the first two are its issues 1154 and 1208, open at the time of writing), and each ends or freezes something:
 *
 * 1. Statements are written by a timer that the close clears and does not forget. The connection that takes the lost
 *    one's place writes nothing at all, until its own time limit, several times in a row.
 * 2. A transaction goes on after its connection has closed, its ROLLBACK first of all, and writes to a socket that is no
 *    more. `guardBegin` lets nothing be sent then: PostgreSQL has rolled back by itself.
 * 3. A statement that is given to a connection between its error and its close is never answered, and whoever waits for
 *    it waits for ever: a close after an error is taken for one of which everybody has been told. Nor does a statement
 *    hear that its connection is refused, while PostgreSQL starts, if the one before it was lost.
 *
 * `GuardedSocket` mends the first and the third where they happen: as the close is told. `test/resilience.test.ts`
 * terminates and kills until it would show.
 */
export class GuardedSocket extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "close") return super.emit(event, ...args);
    const closed = Object.assign(new Error("The connection was closed."), { code: CLOSED });
    if (this.listenerCount("error") > 0) super.emit("error", closed);
    return writingWhatIsPending(() => super.emit(event, ...args));
  }
}

/** Whatever `act` takes off the timer is written first: here to nowhere, but then the driver knows that it was. */
function writingWhatIsPending<T>(act: () => T): T {
  const { clearImmediate } = globalThis;
  globalThis.clearImmediate = (pending) => {
    globalThis.clearImmediate = clearImmediate;
    (pending as { _onImmediate?: () => void } | null | undefined)?._onImmediate?.();
    clearImmediate(pending);
  };
  try {
    return act();
  } finally {
    globalThis.clearImmediate = clearImmediate;
  }
}

const CLOSED = "CONNECTION_CLOSED";

const LOST = new Set([
  CLOSED,
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
