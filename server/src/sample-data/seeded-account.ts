import { insertRows, type Value } from "../store/insert-rows.ts";
import type { Tx } from "../store/db.ts";
import type { Plan } from "./plan.ts";

/** An account with generated data while the parts of `parts.ts` fill it. */
export class SeededAccount {
  readonly tx: Tx;
  readonly plan: Plan;
  readonly #inserted: (table: string, rows: number) => void;

  constructor(tx: Tx, plan: Plan, inserted: (table: string, rows: number) => void) {
    this.tx = tx;
    this.plan = plan;
    this.#inserted = inserted;
  }

  /** The rows contain neither the account nor, unless `columns` say so, the times of creation and change. */
  async insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Value[]>,
  ): Promise<void> {
    const { accountId, foundedMs } = this.plan;
    const founded = new Date(foundedMs).toISOString();
    // Tables that only join two others have neither id nor times.
    const timed = columns.includes("id") && !columns.includes("created_at");
    const times = timed ? { created_at: founded, modified_at: founded } : {};
    const fixed = { account_id: accountId, ...times };
    const values = Object.values(fixed);
    await insertRows(
      this.tx,
      table,
      [...Object.keys(fixed), ...columns],
      Iterator.from(rows).map((row) => [...values, ...row]),
      (count) => this.#inserted(table, count),
    );
  }
}
