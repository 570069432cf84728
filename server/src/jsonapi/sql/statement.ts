import type { Queryable } from "../../store/db.ts";
import type { Row } from "../definition/rows.ts";
import type { Binding } from "../request/binding.ts";

/**
 * A statement being put together from a definition. Values never enter the text: they are bound, and the text, which
 * names only what definitions name, is prepared once and kept by every connection.
 */
export class Statement implements Binding {
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
    const rows = await db.queryArrays(text, params, { prepared });
    return rows as unknown as Row[];
  }
}
