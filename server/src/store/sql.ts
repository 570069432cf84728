import pg from "pg";
import { bulk, join, raw, Sql } from "sql-template-tag";
import { limits } from "../base/limits.ts";

/** SQL of a definition. It is constant and never contains input. */
export { raw };

// Columns are known by the statement, not by the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Record<string, any>;

/** The rows of a result. `count` is the number of rows that the statement returned or changed. */
export type Rows<T extends readonly unknown[] = Row[]> = T & { readonly count: number };

/** One statement as it is sent. Without a name it is planned for its values and forgotten. */
export interface Query {
  text: string;
  values?: readonly unknown[];
  name?: string | undefined;
  rowMode?: "array";
}

export type Send = (query: Query) => Promise<Rows>;

/**
 * A tagged template. Values are bound, never written into the text. Nested in another template it is a fragment of
 * that statement. Awaited, it is sent, once.
 */
export class Statement<T extends readonly unknown[] = Row[]>
  extends Sql
  implements Promise<Rows<T>>
{
  readonly [Symbol.toStringTag] = "Statement";
  readonly #send: Send;
  #sent: Promise<Rows<T>> | undefined;

  constructor(strings: readonly string[], values: readonly unknown[], send: Send) {
    super(strings, values.map(asPart));
    this.#send = send;
  }

  /** Sends the statement without waiting for somebody to await it. */
  execute(): Promise<Rows<T>> {
    const { text, values } = this;
    this.#sent ??= this.#send({ text, values, name: preparedName(text) }) as Promise<never>;
    return this.#sent;
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Rows<T>, B = never>(
    fulfilled?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(fulfilled, rejected);
  }

  catch<B = never>(
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Rows<T> | B> {
    return this.execute().catch(rejected);
  }

  finally(settled?: (() => void) | null): Promise<Rows<T>> {
    return this.execute().finally(settled);
  }
}

function asPart(value: unknown): unknown {
  if (value === undefined) throw new TypeError("A value of a statement is undefined.");
  if (Array.isArray(value) && value[0] instanceof Sql) return join(value, " ");
  return value;
}

export const identifier = (name: string): Sql => raw(pg.escapeIdentifier(name));

/** The version and the time of a changed row. `row` names it in a statement about several rows. */
export const revised = (row?: string): Sql =>
  raw(`version = ${row ? `${row}.` : ""}version + 1, modified_at = now()`);

/** `("a","b") values ($1,$2),($3,$4)`, for an insert. Every row has the columns of the first. */
export function insertion(...rows: readonly Readonly<Row>[]): Sql {
  const columns = Object.keys(rows[0] ?? {});
  const values = bulk(rows.map((row) => columns.map((column) => asPart(row[column]))));
  return join([join(columns.map(identifier), ",", "(", ")"), values], " values ");
}

/** `"a"=$1,"b"=$2`, for an update. */
export const assignments = (columns: Readonly<Row>): Sql =>
  join(
    Object.entries(columns).map(([column, value]) =>
      join([identifier(column), asPart(value)], "="),
    ),
  );

/** A JSON parameter. The driver would write an array as an array of PostgreSQL's. */
export const json = (value: unknown): string => JSON.stringify(value);

const names = new Map<string, string>();

/**
 * The name under which a connection prepares this text, the same for as long as the process lives. Each connection keeps
 * every statement that it has prepared, so their number is limited. Texts beyond the limit are not prepared.
 */
export function preparedName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= limits.preparedStatementsMax) return known;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}
