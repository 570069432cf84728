import pg from "pg";
import utils from "pg/lib/utils.js";
import { SECOND } from "../base/clock.ts";
import type { Query, Row, Rows } from "./sql.ts";

export interface ConnectionOptions {
  name?: string;
  /** A statement that runs longer is cancelled, so that no request can hold a connection for good. 0 is no limit. */
  statementMsMax?: number;
  /** Opening a connection may take this long. */
  connectMsMax?: number;
  /**
   * For statements that look up a few rows at a time by whole keys, in tables that may be empty today and huge
   * tomorrow. A plan made for an empty table, which reads it from end to end, must never be kept.
   */
  byIndex?: true;
  /**
   * A pooler in transaction mode is between this process and PostgreSQL. It hands each transaction to another connection, and
   * takes hardly any settings. `store/pooler.ts` gives the others to the role.
   */
  pooled?: boolean;
}

/** The database writes `2026-11-20 20:57:40.12+00`; the interface says `2026-11-20T20:57:40.120Z`. */
export function isoTimestamp(text: string): string {
  const zone = text.lastIndexOf("+");
  const fraction = text.slice(20, zone).padEnd(3, "0").slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTimestamp);
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

const STATEMENT_MS_MAX = 15 * SECOND;

/** A pooler does not know these settings, so it could not give them to each connection. */
export const sessionSettings: Readonly<Record<string, string | number>> = {
  statement_timeout: STATEMENT_MS_MAX,
  idle_in_transaction_session_timeout: 30 * SECOND,
  jit: "off",
};

/** The driver's configuration for an address: all that connections of one pool have in common. */
export function connectionConfig(url: string, options: ConnectionOptions): pg.ClientConfig {
  const address = new URL(url);
  // `sslmode` means what it means to libpq and psql.
  if (address.searchParams.has("sslmode")) address.searchParams.set("uselibpqcompat", "true");
  const statementMsMax = options.statementMsMax ?? STATEMENT_MS_MAX;
  const settings = {
    TimeZone: "UTC",
    ...(!options.pooled && {
      client_encoding: "UTF8",
      // Planning a list of fifty columns costs more than running it.
      plan_cache_mode: "auto",
      ...sessionSettings,
      statement_timeout: statementMsMax,
    }),
    ...(options.byIndex && {
      enable_seqscan: "off",
      enable_hashjoin: "off",
      enable_mergejoin: "off",
      // With `auto`, the bounds of spare partitions have the statement planned at every execution.
      plan_cache_mode: "force_generic_plan",
    }),
  };
  const given = address.searchParams.get("options");
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set("options", [...ours, ...(given ? [given] : [])].join(" "));
  return {
    connectionString: address.href,
    application_name: options.name ?? "vestry",
    connectionTimeoutMillis: options.connectMsMax ?? 5 * SECOND,
    keepAlive: true,
    pipeline: true,
    types,
    // A network that swallows packets reports nothing. PostgreSQL ends a statement at its time limit, so one that has
    // no answer after twice that time will never have one. In a pipeline its connection ends with it.
    ...(statementMsMax > 0 && { query_timeout: 2 * statementMsMax }),
  };
}

/** A connection was lost, or could not be opened, and the driver gives no code. */
export class ConnectionLost extends Error {
  readonly code = "CONNECTION_LOST";

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = "ConnectionLost";
  }
}

export const asConnectionLost = (error: Error): Error =>
  "code" in error && typeof error.code === "string" ? error : new ConnectionLost(error);

/** Each connection prepares BEGIN under this name when it is opened. */
export const BEGIN = { name: "begin", text: "begin" };

/** The columns that a statement returns. */
interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

const shapeOf = (fields: readonly pg.FieldDef[]): Shape => ({
  names: fields.map(({ name }) => name),
  parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, "text") as never),
});

/** The shapes of the statements that a connection has prepared. PostgreSQL refuses a plan whose shape would have changed. */
const shapes = new WeakMap<pg.Connection, Map<string, Shape>>();

export interface StatementResult {
  /** `INSERT`, `COMMIT`, `ROLLBACK`, … */
  command: string;
  rows: Rows;
}

type Done = (error: Error | null | undefined, result?: StatementResult) => void;

/**
 * One statement on its way. The driver sends it and tells what comes back, by the methods that it calls on its queries.
 *
 * Everything that one turn of the event loop sends leaves in one write. The driver would write each statement by itself.
 *
 * A connection describes what a statement returns once. The driver would ask again at each execution, and the description of a
 * wide row is longer than the row.
 *
 * With `begins`, BEGIN goes first and without a Sync of its own. If PostgreSQL refuses BEGIN it skips everything up to
 * the next Sync, so the statement fails with that error and never runs outside a transaction.
 */
class Submission extends pg.Query {
  readonly #query: Query;
  readonly #begins: boolean;
  #connection: pg.Connection | undefined;
  #shape: Shape | undefined;
  #rows: unknown[] = [];
  #result: StatementResult | undefined;
  #failure: Error | undefined;
  // The driver reads these. It would copy a configuration.
  declare name: string | undefined;
  declare values: readonly unknown[];
  declare queryMode: "extended" | undefined;
  declare callback: Done;

  constructor(query: Query, begins: boolean, done: Done) {
    super(query.text);
    this.#query = query;
    this.#begins = begins;
    this.name = query.name;
    this.values = query.values ?? [];
    if (!isScript(query)) this.queryMode = "extended";
    this.callback = done;
  }

  override submit = (connection: pg.Connection) => {
    this.#connection = connection;
    const { name } = this;
    this.#shape = name === undefined ? undefined : shapes.get(connection)?.get(name);
    // A value that has no text throws here, before anything is sent.
    const values = this.#shape && this.values.map(utils.prepareValue);
    const { stream } = connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    if (this.#begins) {
      connection.bind({ statement: BEGIN.name }, true);
      connection.execute(null, true);
    }
    if (!values) return pg.Query.prototype.submit.call(this, connection);
    connection.bind({ statement: name, values }, true);
    connection.execute(null, true);
    connection.sync();
    return undefined;
  };

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#shape = shapeOf(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers } = this.#shape as Shape;
    try {
      const values = fields.map((text, at) => (text === null ? null : parsers[at]?.(text)));
      if (this.#query.rowMode === "array") this.#rows.push(values);
      else {
        const row: Row = {};
        for (const [at, name] of names.entries()) row[name] = values[at];
        this.#rows.push(row);
      }
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  /** Several statements have several results, BEGIN among them. The last one counts. */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = ""] = text.split(" ", 1);
    const count = Number(text.slice(text.lastIndexOf(" ") + 1)) || 0;
    const rows = Object.defineProperty(this.#rows, "count", { value: count }) as unknown as Rows;
    this.#result = { command, rows };
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    if (this.name !== undefined) this.#remember(this.name);
    this.callback(this.#failure, this.#result);
  }

  #remember(name: string): void {
    const connection = this.#connection as pg.Connection;
    let known = shapes.get(connection);
    if (!known) shapes.set(connection, (known = new Map<string, Shape>()));
    known.set(name, this.#shape ?? shapeOf([]));
  }
}

/** Sends a statement on a connection. With `begins`, the statement must have values or a name. */
export const submit = (
  client: pg.ClientBase,
  query: Query,
  begins = false,
): Promise<StatementResult> =>
  new Promise((resolve, reject) => {
    const done: Done = (error, result) =>
      error ? reject(asConnectionLost(error)) : resolve(result as StatementResult);
    client.query(new Submission(query, begins, done));
  });

/** Without values and name the text goes by the simple protocol, which takes several statements in one text. */
export const isScript = ({ name, values = [] }: Query): boolean =>
  name === undefined && values.length === 0;
