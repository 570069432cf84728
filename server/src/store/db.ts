import { Socket } from "node:net";
import type postgres from "postgres";
import { socketDirectoryOf } from "./address.ts";
import { driver } from "./driver.ts";

/** A pool. Statements on it stand alone; what belongs together goes through `db.begin`. */
export type Db = postgres.Sql;

/** Only `db.begin` hands one out: a function that takes a `Tx` cannot be called outside a transaction. */
export type Tx = postgres.TransactionSql;

/** For what may run in either. */
export type Queryable = Db | Tx;

export interface PoolOptions {
  max?: number;
  name?: string;
  /** A statement that runs longer is cancelled, so that no request can hold a connection for good. */
  statementMsMax?: number;
  /**
   * For statements that look rows up by whole keys, a few at a time, in tables that may be empty today and huge
   * tomorrow: a plan that was made for an empty one, and reads it from end to end, must never be kept.
   */
  byIndex?: true;
}

/** The database writes `2026-11-20 20:57:40.12+00`; the interface says `2026-11-20T20:57:40.120Z`. */
export function isoTimestamp(text: string): string {
  const zone = text.lastIndexOf("+");
  const fraction = text.slice(20, zone).padEnd(3, "0").slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

const asText = (value: string) => value;

/** `{"a","b"}`: every element quoted, so that none of them can be taken for anything but itself. */
const arrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;

/** Arrays of what no quoting is needed for: ids, names of members, numbers. */
const parseArray = (text: string): string[] =>
  text === "{}"
    ? []
    : text
        .slice(1, -1)
        .split(",")
        .map((one) => one.replaceAll('"', ""));

/** PostgreSQL's numbers for the array types that statements here use. */
const TEXT_ARRAY = 1009;
const UUID_ARRAY = 2951;
const INT_ARRAY = 1007;

export function connect(url: string, options: PoolOptions = {}): Db {
  const host = socketDirectoryOf(url);
  const db = driver(url, {
    socket: openSocket,
    ...(host !== undefined && { host }),
    max: options.max ?? 10,
    // Longer than any poll, so that an idle service keeps its prepared statements.
    idle_timeout: 0,
    max_lifetime: 45 * 60,
    connect_timeout: 5,
    // After an outage the service is back within a second; the driver's own pauses grow to twenty.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    onnotice: () => undefined,
    // The driver would ask each new connection for its array types, and a connection that dies meanwhile rejects a
    // promise nobody holds, which ends the process. The three that are used stand below.
    fetch_types: false,
    connection: {
      application_name: options.name ?? "vestry",
      TimeZone: "UTC",
      statement_timeout: options.statementMsMax ?? 15_000,
      idle_in_transaction_session_timeout: 30_000,
      // Planning a list of fifty columns costs more than running it.
      plan_cache_mode: "auto",
      jit: "off",
      ...(options.byIndex && {
        enable_seqscan: "off",
        enable_hashjoin: "off",
        enable_mergejoin: "off",
        // Otherwise bounds that spare partitions have the statement planned anew each time.
        plan_cache_mode: "force_generic_plan",
      }),
    } as unknown as postgres.ConnectionParameters,
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      timestamp: { to: 1184, from: [1184], serialize: asText, parse: isoTimestamp },
      textArray: { to: TEXT_ARRAY, from: [TEXT_ARRAY], serialize: arrayLiteral, parse: parseArray },
      uuidArray: { to: UUID_ARRAY, from: [UUID_ARRAY], serialize: arrayLiteral, parse: parseArray },
      intArray: {
        to: INT_ARRAY,
        from: [INT_ARRAY],
        serialize: arrayLiteral,
        parse: (text: string) => parseArray(text).map(Number),
      },
      date: { to: 1082, from: [1082], serialize: asText, parse: asText },
    },
  } as postgres.Options<Record<string, postgres.PostgresType>>);
  return db as unknown as Db;
}

interface Place {
  host: string[];
  port: number[];
  /** Of a Unix socket. */
  path: string | false;
}

function openSocket({ host, path, port }: Place): Socket {
  const socket = new Socket();
  if (path) socket.connect(path);
  else socket.setNoDelay(true).connect(port[0] ?? 5432, host[0] ?? "localhost");
  // The driver reads the name from here to check the server's certificate.
  return Object.assign(socket, { host: host[0] });
}

interface Aside {
  /** Statements that were sent and not waited for. */
  sent: Promise<unknown>[];
  /** The first error of one of them. */
  failed?: unknown;
  afterCommit: (() => void)[];
}

const asides = new WeakMap<Tx, Aside>();

function asideOf(tx: Tx): Aside {
  const aside = asides.get(tx) ?? { sent: [], afterCommit: [] };
  asides.set(tx, aside);
  return aside;
}

/** What is to be done once the transaction has committed, and not at all if it does not. */
export const onCommit = (tx: Tx, act: () => void): void => void asideOf(tx).afterCommit.push(act);

/**
 * Sends a statement whose answer nobody needs before the transaction ends: the next one, often the commit, follows it on
 * the same wire. If it fails PostgreSQL makes a rollback of the commit, and the transaction fails with its error.
 */
export function sendAside(tx: Tx, statement: PromiseLike<unknown>): void {
  const aside = asideOf(tx);
  aside.sent.push(
    Promise.resolve(statement).catch((error: unknown) => {
      aside.failed ??= error;
    }),
  );
}

export async function inTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  const aside: Aside = { sent: [], afterCommit: [] };
  let result: T;
  try {
    // The driver unwraps arrays of promises, which nothing here returns.
    result = (await db.begin("ahead", (tx) => {
      asides.set(tx, aside);
      return run(tx);
    })) as T;
  } catch (error) {
    // What was sent after a statement that failed fails because of it.
    throw aside.failed ?? error;
  }
  // The commit was answered, and so was everything before it.
  await Promise.all(aside.sent);
  if (aside.failed !== undefined) throw aside.failed;
  for (const act of aside.afterCommit) act();
  return result;
}
