import type { Tx } from "./db.ts";

export type Value = string | number | boolean | null | object;

/** Large enough to make round trips negligible, and small enough to limit memory. */
const ROWS_AT_ONCE = 2_000;

/**
 * Inserts many rows with few statements, as JSON that PostgreSQL converts to the row type of the table. Columns that are
 * not named take their defaults.
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
