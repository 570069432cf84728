import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { SECOND } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { turnsByKey } from "../base/turns.ts";
import { requireAccount } from "./account-guard.ts";
import { isDatabaseAway, isReadOnly, readOnlyDatabase } from "./away.ts";
import {
  type StatementResult,
  asConnectionLost,
  BEGIN,
  connectionConfig,
  type ConnectionOptions,
  isScript,
  submit,
} from "./connection.ts";
import { listen } from "./listen.ts";
import { ensurePartitions, isPartitionMissing } from "./partitions.ts";
import type { Db, Queryable, QueryOptions, Tx } from "./queryable.ts";
import { identifier, preparedName, type Query, type Send, Statement } from "./sql.ts";

export type { Db, Queryable, Tx } from "./queryable.ts";
export type { Row, Rows } from "./sql.ts";

export interface PoolOptions extends ConnectionOptions {
  max?: number;
  /**
   * The most connections that the statements and transactions of one account have at a time. The others of that account wait
   * in order, outside the pool. The default is no limit.
   */
  accountMax?: number;
  /** A statement that has waited this long for a free connection fails as if the database were unreachable. */
  waitMsMax?: number;
  /** The place of the server among several, and the home if it is another one. The default is the only server. */
  place?: { server: number; home?: Db };
}

/** The number of the server that keeps what belongs to no account. */
export const HOME = 1;

/** The longest wait of a request. */
const WAIT_MS_MAX = 15 * SECOND;

export function connect(url: string, options: PoolOptions = {}): Db {
  const config = connectionConfig(url, options);
  const clients = new Set<pg.PoolClient>();
  /** Opening a connection may take less time than waiting for one. */
  class Client extends pg.Client {
    constructor() {
      super(config);
    }
  }
  const waitMsMax = options.waitMsMax ?? WAIT_MS_MAX;
  const pool = new pg.Pool({
    Client,
    max: options.max ?? 10,
    connectionTimeoutMillis: waitMsMax,
    // Longer than any poll, so that an idle service keeps its prepared statements.
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: 45 * 60,
    verify: prepare,
  });
  // Statements report the loss of a connection. An event without a listener would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    clients.add(client.on("error", () => undefined));
  });
  pool.on("remove", (client) => clients.delete(client));

  const { place } = options;
  const connections: Connections = {
    pool,
    clients,
    outdated: new WeakSet(),
    home: place?.home,
    isOneOfSeveral: place !== undefined,
  };
  const inShare = sharesOf(options.accountMax, waitMsMax);
  const send: Send = async (query) => {
    const { client, release } = await checkOut(connections);
    try {
      const { rows } = await submit(client, query);
      release();
      return rows;
    } catch (error) {
      release(error);
      throw error;
    }
  };

  const { database = "", host, port, user = "" } = new pg.Client(config);
  let ended: Promise<void> | undefined;
  const common = {
    kind: "database" as const,
    address: { user, host, port, database },
    server: place?.server ?? HOME,
    serverOf: (): Db => db,
    serverOfAlias: (): Promise<Db> => Promise.resolve(db),
    begin: <T>(accountId: string | undefined, run: (tx: Tx) => Promise<T>) =>
      inShare(accountId, () => begin(connections, accountId, run)),
    listen: (channel: string, heard: (payload: string) => void) => listen(config, channel, heard),
    end: ({ timeout }: { timeout?: number } = {}) => (ended ??= end(pool, clients, timeout)),
    ofAccount: (accountId: string) => partsOf((query) => inShare(accountId, () => send(query))),
  };
  const servers: Db[] = [];
  const partsOf = (sendOne: Send): Db =>
    Object.assign(queryable(sendOne), common, { home: place?.home, send: sendOne, servers });
  const db = partsOf(send);
  servers.push(db);
  return db;
}

type InShare = <T>(accountId: string | undefined, work: () => Promise<T>) => Promise<T>;

/**
 * Keeps each account within its share of the connections. Work inside a transaction of the account never waits for the share,
 * because the transactions that hold it could wait for that work.
 */
function sharesOf(accountMax: number | undefined, waitMsMax: number): InShare {
  if (accountMax === undefined) return (_accountId, work) => work();
  const inTurn = turnsByKey({
    atOnce: accountMax,
    waitMsMax,
    busy: "Too many requests of this account are waiting for the database.",
  });
  const holder = new AsyncLocalStorage<string>();
  return (accountId, work) =>
    accountId === undefined || holder.getStore() === accountId
      ? work()
      : inTurn(accountId, () => holder.run(accountId, work));
}

/** Prepares BEGIN, and refuses a server that rejects writes, such as the former primary after a switchover. */
function prepare(client: pg.PoolClient, done: (error?: Error) => void): void {
  Promise.all([
    client.query(BEGIN),
    client.query<{ transaction_read_only: string }>("show transaction_read_only"),
    client.query("rollback"),
  ]).then(
    ([, { rows }]) =>
      done(rows[0]?.transaction_read_only === "on" ? readOnlyDatabase() : undefined),
    done,
  );
}

async function end(
  pool: pg.Pool,
  clients: ReadonlySet<pg.PoolClient>,
  timeout: number | undefined,
): Promise<void> {
  const cut = () => {
    for (const { connection } of clients) connection.stream.destroy();
  };
  const timer = timeout === undefined ? undefined : setTimeout(cut, timeout * SECOND);
  await pool.end();
  clearTimeout(timer);
}

/** The template of a database or a transaction. */
export function queryable(send: Send): Queryable {
  function tag(name: string): Sql;
  function tag(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement;
  function tag(first: string | TemplateStringsArray, ...values: readonly unknown[]) {
    return typeof first === "string" ? identifier(first) : new Statement(first, values, send);
  }
  const named = (text: string, prepared = false) => (prepared ? preparedName(text) : undefined);
  return Object.assign(tag, {
    query: (text: string, values?: readonly unknown[], { prepared }: QueryOptions = {}) =>
      send({ text, values, name: named(text, prepared) } as Query),
    queryArrays: (text: string, values: readonly unknown[], { prepared }: QueryOptions = {}) =>
      send({ text, values, name: named(text, prepared), rowMode: "array" }),
  }) as Queryable;
}

// -- Connections of the pool ---------------------------------------------------------------------------------------

interface CheckedOut {
  client: pg.PoolClient;
  /** Gives the connection back, or closes it if the error says that it is of no use any more. */
  release: (error?: unknown) => void;
}

interface Connections {
  readonly pool: pg.Pool;
  readonly clients: ReadonlySet<pg.PoolClient>;
  /** These lead to a server that rejects writes, so they are closed instead of used again. */
  readonly outdated: WeakSet<pg.PoolClient>;
  /** See `Tx.home`. */
  readonly home: Db | undefined;
  /** Accounts can move to another server. */
  readonly isOneOfSeveral: boolean;
}

async function checkOut(connections: Connections): Promise<CheckedOut> {
  const { clients, outdated, pool } = connections;
  const client = await pool.connect().catch((error: Error) => {
    throw asConnectionLost(error);
  });
  if (outdated.has(client)) {
    client.release(true);
    return checkOut(connections);
  }
  let out = true;
  const giveBack = (close: boolean) => {
    if (!out) return;
    out = false;
    client.off("error", lost);
    client.release(close);
  };
  // Its place in the pool is free at once, however long the transaction that lost it goes on.
  const lost = () => giveBack(true);
  client.on("error", lost);
  return {
    client,
    release: (error) => {
      // All others lead to the same server. New connections find the new primary.
      if (isReadOnly(error)) for (const each of clients) outdated.add(each);
      giveBack(isUseless(error));
    },
  };
}

/**
 * Errors after which PostgreSQL closes the connection, and those that a connection would repeat for ever: a plan that no longer
 * fits the schema, a statement that is missing, a server that rejects writes or is away behind its pooler.
 */
const FATAL = /^(08...|57P..|58...|25P03|25006|0A000|26000)$/;

const isUseless = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? FATAL.test(error.code ?? "") : isDatabaseAway(error);

// -- Transactions --------------------------------------------------------------------------------------------------

class Transaction {
  readonly #client: pg.PoolClient;
  readonly #accountId: string | undefined;
  /** The error of a statement that was not sent. PostgreSQL does not know it and would commit the others. */
  #refusal: unknown;
  /** The answer to the first statement, which brings BEGIN along. Nothing else is sent before it. */
  #begun: Promise<unknown> | undefined;
  #over = false;
  /** The first error of a statement that PostgreSQL answered by aborting the transaction. */
  failure: unknown;
  /** Statements whose result nothing waits for. */
  readonly sentWithCommit: Promise<void>[] = [];
  /** The first error of one of them. */
  commitFailure: unknown;
  readonly afterCommit: (() => void | Promise<void>)[] = [];

  constructor(client: pg.PoolClient, accountId: string | undefined) {
    this.#client = client;
    this.#accountId = accountId;
  }

  readonly send: Send = async (query) => {
    try {
      this.#examine(query);
      return (await this.#submit(query)).rows;
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  };

  #examine(query: Query): void {
    if (this.#accountId === undefined) return;
    try {
      requireAccount(query, this.#accountId);
    } catch (error) {
      this.#refusal ??= error;
      throw error;
    }
  }

  #submit(query: Query): Promise<StatementResult> {
    if (this.#over) return Promise.reject(new Error("The transaction is over."));
    const submitted = () => submit(this.#client, query);
    if (this.#begun) return this.#begun.then(submitted);
    // The simple protocol has no place for a BEGIN without a Sync.
    if (isScript(query)) return (this.#begun = submit(this.#client, BEGIN)).then(submitted);
    const first = submit(this.#client, query, true);
    this.#begun = first;
    return first;
  }

  /** Commits, and fails if PostgreSQL rolled back because a statement had failed. */
  async commit(): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    if (!this.#begun) return;
    const { command } = await this.#end("commit");
    if (command !== "COMMIT") throw this.failure;
  }

  async rollback(): Promise<void> {
    if (this.#begun) await this.#end("rollback");
  }

  async #end(text: string): Promise<StatementResult> {
    // A first statement that failed has begun the transaction, or been refused with BEGIN.
    await this.#begun?.catch(() => undefined);
    this.#over = true;
    const ended = submit(this.#client, { text });
    await Promise.allSettled([ended, ...this.sentWithCommit]);
    return ended;
  }
}

const transactions = new WeakMap<Tx, Transaction>();

function transactionOf(tx: Tx): Transaction {
  const transaction = transactions.get(tx);
  if (!transaction) throw new TypeError("Not a transaction.");
  return transaction;
}

/**
 * Commits what `run` does, or undoes it if `run` or one of its statements fails. The transaction belongs to one account and
 * touches no rows of another one. Each account can therefore have its own database server. A statement that names another
 * account throws.
 *
 * `run` runs once more after a deadlock, so it has effects only in the transaction and by `onCommit`. A `run` that keeps
 * something in memory is not repeatable.
 */
export async function inTransaction<T>(
  db: Db,
  accountId: string,
  run: (tx: Tx) => Promise<T>,
  { isRepeatable = true }: { isRepeatable?: boolean } = {},
): Promise<T> {
  const transact = () => withPartitions(db.serverOf(accountId), () => db.begin(accountId, run));
  try {
    return await transact();
  } catch (error) {
    if (!isRepeatable || !isSuperseded(error)) throw error;
    observe({ kind: "transaction-repeated", accountId, code: error.code });
    return transact();
  }
}

/** PostgreSQL aborted the transaction in favour of another one: a deadlock, or a failure of serialization. */
export const isSuperseded = (error: unknown): error is pg.DatabaseError & { code: string } =>
  error instanceof pg.DatabaseError && (error.code === "40P01" || error.code === "40001");

/** A transaction that belongs to no account. `tidy.test.ts` lists all of them, each with its reason. */
export const inGlobalTransaction = <T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> =>
  withPartitions(db, () => db.begin(undefined, run));

/**
 * The clock can pass the prepared partitions, for example on a machine that was suspended for two weeks. The failed
 * transaction is then undone, the partitions are made, and the transaction runs once more.
 */
async function withPartitions<T>(db: Db, transact: () => Promise<T>): Promise<T> {
  try {
    return await transact();
  } catch (error) {
    if (!isPartitionMissing(error)) throw error;
    await ensurePartitions(db);
    return transact();
  }
}

async function begin<T>(
  connections: Connections,
  accountId: string | undefined,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { client, release } = await checkOut(connections);
  const transaction = new Transaction(client, accountId);
  let result: T;
  try {
    const tx = transactionalOf(transaction, accountId, connections.home);
    result = await run(tx);
    if (connections.isOneOfSeveral && accountId !== undefined)
      sendWithCommit(tx, tx.query("select pass_moves($1)", [accountId], { prepared: true }));
    await transaction.commit();
  } catch (error) {
    await transaction.rollback().catch(release);
    release(transaction.failure ?? error);
    // Statements that were pipelined after a failed statement fail because of it, so its error is the cause.
    throw transaction.commitFailure ?? error;
  }
  release();
  for (const act of transaction.afterCommit) await act();
  return result;
}

function transactionalOf(
  transaction: Transaction,
  accountId: string | undefined,
  home: Db | undefined,
): Tx {
  const tx: Tx = Object.assign(queryable(transaction.send), {
    kind: "transaction" as const,
    accountId,
    home,
    async savepoint<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
      const { afterCommit, failure } = transaction;
      const acts = afterCommit.length;
      await tx`savepoint apart`;
      try {
        const result = await run(tx);
        await tx`release savepoint apart`;
        return result;
      } catch (error) {
        await tx`rollback to savepoint apart`;
        transaction.failure = failure;
        afterCommit.length = acts;
        throw error;
      }
    },
  });
  transactions.set(tx, transaction);
  return tx;
}

/** Calls `act` once the transaction has committed, and not at all if it does not. The caller waits for it. It must not reject. */
export const onCommit = (tx: Tx, act: () => void | Promise<void>): void =>
  void transactionOf(tx).afterCommit.push(act);

/**
 * Takes a statement whose result is needed only at the end of the transaction. The next statement, often COMMIT, is
 * sent in the same write. If the statement fails, PostgreSQL turns COMMIT into a rollback and the transaction fails
 * with this error.
 */
export function sendWithCommit(tx: Tx, statement: PromiseLike<unknown>): void {
  const transaction = transactionOf(tx);
  const settled = statement.then(
    () => undefined,
    (error: unknown) => {
      if (!isConsequence(error)) transaction.commitFailure ??= error;
    },
  );
  transaction.sentWithCommit.push(Promise.resolve(settled));
}

/** PostgreSQL refuses the statements that follow a failed one. Their errors can be known before that of the failed one. */
const isConsequence = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "25P02";
