import type { Sql } from "sql-template-tag";
import type { Row, Rows, Send, Statement } from "./sql.ts";

export interface QueryOptions {
  /** Keeps the statement on its connection. Only for texts of which there are few. */
  prepared?: boolean;
}

/** For statements that may run in a transaction or alone. */
export interface Queryable {
  /** A statement, sent when it is awaited; or a fragment of the template around it. */
  <T extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<T>;
  /** The quoted name of a table or column. */
  (name: string): Sql;
  /** A statement whose text is put together elsewhere. Without values, the text may hold several statements. */
  query<T extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Rows<T>>;
  /** The same, with each row as an array of its columns. */
  queryArrays(
    text: string,
    values: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Rows<unknown[][]>>;
}

/**
 * The database. Each statement stands alone.
 *
 * An account lives on one PostgreSQL server with all that it owns. Most installations have one server, and then all of these
 * are the same. With several, plain statements and global transactions run on the first one, the home, which keeps what
 * belongs to no account: `ofAccount`, `serverOf` and `inTransaction` lead to the server of the account.
 */
export interface Db extends Queryable {
  readonly kind: "database";
  readonly address: { user: string; host: string; port: number; database: string };
  readonly send: Send;
  /** From 1, which is the home. */
  readonly server: number;
  /** The home, if this is another server. */
  readonly home: Db | undefined;
  /** All servers in order. Each is a database by itself. */
  readonly servers: readonly Db[];
  /** The server of an account. An account that does not exist is looked for at home. */
  serverOf(accountId: string): Db;
  /** The server of the account with this alias. */
  serverOfAlias(alias: string): Promise<Db>;
  /** `serverOf` for the requests of one account, which take turns if the account has its share of the connections. */
  ofAccount(accountId: string): Db;
  /** Calls `onNotification` for every notification of a channel. Returns a function that stops it. */
  listen(
    this: void,
    channel: string,
    onNotification: (payload: string) => void,
  ): Promise<() => Promise<void>>;
  /** See `inTransaction` and `inGlobalTransaction`, which features call. */
  begin<T>(accountId: string | undefined, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Closes idle connections at once, and all others after `timeout` seconds at the latest. */
  end(this: void, options?: { timeout?: number }): Promise<void>;
}

/** Only a transaction makes one, so a function that takes a `Tx` cannot be called outside a transaction. */
export interface Tx extends Queryable {
  readonly kind: "transaction";
  /** The only account whose rows the transaction reads and writes. A global transaction has none. */
  readonly accountId: string | undefined;
  /** The home, if the transaction runs on another server. */
  readonly home: Db | undefined;
  /** If `run` fails, PostgreSQL rolls back to the savepoint, and the transaction continues. */
  savepoint<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}
