import type { Tx } from "./db.ts";

export type Value = string | number | boolean | null | object;

/** Large enough that the way to the database and back vanishes, small enough that a million rows never lie in memory. */
const ROWS_AT_ONCE = 2_000;

/**
 * Adds many rows with few statements: as JSON, which the table's own row type reads. Columns that are not named take
 * their defaults.
 *
 * Rejected: COPY, a third faster. The driver tells nobody of an error that comes after its last row, and waits for ever.
 */
export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
  inserted: (rows: number) => void = () => undefined,
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const keys = columns.map((column) => `${JSON.stringify(column)}:`);
  const statement = `insert into ${table} (${names}) select ${names}
    from json_populate_recordset(null::${table}, $1::text::json)`;

  let batch: string[] = [];
  const flush = async () => {
    await tx.query(statement, [`[${batch.join(",")}]`], { prepared: true });
    inserted(batch.length);
    batch = [];
  };
  for (const row of rows) {
    batch.push(`{${row.map((value, index) => keys[index] + JSON.stringify(value)).join(",")}}`);
    if (batch.length === ROWS_AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
}
