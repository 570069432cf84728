import type { Queryable } from "../../store/db.ts";
import type { Row } from "../definition/rows.ts";
import type { Binding } from "../request/binding.ts";

/**
 * A statement that is built from a definition. Values are bound and never part of the text, so each connection can
 * prepare the text once.
 */
export class StatementBuilder implements Binding {
  readonly params: unknown[] = [];

  /**
   * False for texts that depend on what the caller combines: filters, several sorts, several attributes in an update. Each
   * connection keeps every prepared statement. The best plan of a filter also depends on its value.
   */
  prepared = true;

  constructor(...about: [accountId: string, id?: string]) {
    this.params.push(...about);
  }

  /** The account is always the first parameter. The id of a statement about one resource is the second. */
  readonly account = "$1";
  readonly id = "$2::uuid";

  bind(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  async rows(db: Queryable, text: string): Promise<Row[]> {
    const { params, prepared } = this;
    const rows = await db.queryArrays(text, params, { prepared });
    return rows as unknown as Row[];
  }
}
