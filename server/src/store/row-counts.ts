import { hash } from "node:crypto";
import { limits } from "../limits.ts";
import type { Db, Queryable } from "./db.ts";

/** The numbers that the database keeps of a church's rows in a table; the church is the first parameter. */
const numbersOf = (table: string) =>
  `from row_counts where account_id = $1 and table_name = '${table}'`;

/** How many there are, as the database counted when they came and went. */
export async function keptCount(db: Queryable, table: string, accountId: string): Promise<number> {
  const text = `select coalesce(sum(rows), 0)::bigint ${numbersOf(table)}`;
  const [row] = await db.unsafe(text, [accountId], { prepare: true }).values();
  return (row?.[0] as number | undefined) ?? 0;
}

/** What was counted, and the transactions that had changed the table last. */
interface Counted {
  total: number;
  changedIn: string;
}

/** By what was counted; whatever nobody has asked for longest comes first. */
const remembered = new WeakMap<Db, Map<string, Counted>>();

/**
 * What `select count(*)` answers that asks about columns whose changes are noted beside the numbers, and about nothing else.
 * One statement, and so one moment, says whether anything has changed since it was last counted and, only then, counts:
 * that is exact whoever else writes, and wherever. Of a pool, not of a transaction: it would remember what it sees of its
 * own and may take back.
 */
export async function countOnce(
  db: Db,
  table: string,
  count: string,
  params: readonly unknown[],
): Promise<number> {
  const totals = remembered.get(db) ?? new Map<string, Counted>();
  remembered.set(db, totals);
  const key = hash("sha256", JSON.stringify([count, params]), "base64");
  const known = totals.get(key);
  const text =
    `select changed_in, case when changed_in = $${params.length + 1}::text then null else (${count}) end` +
    ` from (select coalesce(string_agg(changed_in, ' ' order by slot), '') as changed_in ${numbersOf(table)}) noted`;
  const [row] = await db.unsafe(text, [...params, known?.changedIn ?? null] as never[]).values();
  const [changedIn, counted] = row as unknown as [string, number | null];
  const total = counted ?? known?.total ?? 0;
  totals.delete(key);
  totals.set(key, { total, changedIn });
  if (totals.size > limits.totalsRememberedMax) totals.delete(totals.keys().next().value ?? key);
  return total;
}
