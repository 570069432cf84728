import type { Reach } from "../../access/policy.ts";
import type { Queryable } from "../../store/db.ts";
import type { Resource } from "../definition/resource.ts";

/** A row by position: the writer of a document knows which column stands where. */
export type Row = readonly unknown[];

/**
 * A statement being put together from a definition. Values never enter the text: they are bound, and the text, which
 * names only what definitions name, is prepared once and kept by every connection.
 */
export class Statement {
  readonly params: unknown[] = [];

  /**
   * Only texts of which there are few. Whatever a caller can combine (filters, several sorts, many attributes in one
   * change) is planned with its values and forgotten: every combination would stay in every connection, here and in
   * PostgreSQL. For filters that is the better plan as well, since one value finds three people and the next half the
   * church.
   */
  prepared = true;

  constructor(...about: [accountId: string, id?: string]) {
    this.params.push(...about);
  }

  /** The church, always the first parameter; and the one resource a statement is about, where it is about one. */
  readonly account = "$1";
  readonly id = "$2::uuid";

  bind(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  async rows(db: Queryable, text: string): Promise<Row[]> {
    const { params, prepared } = this;
    const rows = await db.unsafe(text, params as never[], { prepare: prepared }).values();
    return rows as unknown as Row[];
  }
}

/** One value is compared as one: an array of it takes longer to plan, and longer to compare with each row. */
export const anyOf = (statement: Statement, values: readonly unknown[], type: string): string =>
  values.length === 1
    ? `= ${statement.bind(values[0])}::${type}`
    : `= any(${statement.bind(values)}::${type}[])`;

/** The condition that keeps a caller to the rows their permission reaches; empty when that is the whole table. */
export function reachCondition(statement: Statement, of: Resource, reach: Reach): string {
  const resources = of.rows === undefined ? "" : ` and (${of.rows})`;
  if (reach === "everything") return resources;
  const alternatives = reach.map(({ scope, ids }) => {
    const column = of.scopes?.[scope];
    return `${of.table}.${column} = any(${statement.bind(ids)}::uuid[])`;
  });
  return `${resources} and (${alternatives.length > 0 ? alternatives.join(" or ") : "false"})`;
}
