import { hash } from "node:crypto";
import { limits } from "../limits.ts";
import type { Db } from "./db.ts";

/** The rows that a condition holds for: how many, and while they are few, which. */
export interface Matches {
  total: number;
  ids: string[] | undefined;
}

/** What was found, and the transactions that had changed the table last. */
interface Known extends Matches {
  changedIn: string;
}

/** By what was looked for; what nobody has asked for longest comes first. */
const remembered = new WeakMap<Db, Map<string, Known>>();

/**
 * The rows of a table that meet a condition on columns whose changes are noted in `row_counts`, and on nothing else; the
 * church is its first parameter. One statement, and so one moment, says whether anything has changed since they were found
 * and, only then, finds them again: that is exact whoever writes, and wherever. Of a pool, not of a transaction, which
 * would remember what it may yet take back.
 */
export async function findOnce(
  db: Db,
  table: string,
  condition: string,
  params: readonly unknown[],
): Promise<Matches> {
  const memory = remembered.get(db) ?? new Map<string, Known>();
  remembered.set(db, memory);
  const key = hash("sha256", JSON.stringify([table, condition, params]), "base64");
  const known = memory.get(key);
  const { matchesRememberedMax: few, searchesRememberedMax: most } = limits;
  const of = `from ${table} where ${condition}`;
  const [row] = await db
    .unsafe(
      `select changed_in, ids, case when cardinality(ids) > ${few} then (select count(*) ${of}) end from (
        select changed_in, case when changed_in = $${params.length + 1}::text then null
          else array(select ${table}.id ${of} limit ${few + 1}) end as ids
        from (
          select coalesce(string_agg(changed_in, ' ' order by slot), '') as changed_in
          from row_counts where account_id = $1 and table_name = '${table}'
        ) noted offset 0
      ) found`,
      [...params, known?.changedIn ?? null] as never[],
    )
    .values();
  const [changedIn, ids, total] = row as unknown as [string, string[] | null, number | null];
  const matches =
    ids === null && known
      ? known
      : {
          changedIn,
          total: total ?? ids?.length ?? 0,
          ids: total === null && ids ? ids : undefined,
        };
  memory.delete(key);
  memory.set(key, matches);
  if (memory.size > most) memory.delete(memory.keys().next().value ?? key);
  return matches;
}
