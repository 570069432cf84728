import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";
import { insertion } from "../../src/store/sql.ts";

export interface Table {
  /** Whether it has the column account_id. */
  readonly isOwned: boolean;
  readonly isPartitioned: boolean;
  readonly columns: ReadonlyMap<string, Column>;
}

interface Column {
  readonly type: string;
  /** Not null, and neither generated nor with a default. */
  readonly needed: boolean;
  /** The first value that a constraint permits, if it lists the permitted values. */
  readonly choice: string | null;
}

interface ForeignKey {
  table: string;
  column: string;
  target: string;
  targetColumn: string;
}

/**
 * Inserts a row into every table of an account that has none, and a second one into tables that refer to themselves. All
 * comes from the catalog of PostgreSQL, so a new table needs no line here.
 */
export async function fillTables(db: Db, accountId: string): Promise<void> {
  const tables = await tablesOf(db);
  const keys = await foreignKeys(db);
  const visited = new Set<string>();

  async function fill(table: string): Promise<void> {
    const found = tables.get(table);
    if (!found?.isOwned || found.isPartitioned || visited.has(table)) return;
    visited.add(table);
    const { columns } = found;
    const [present] = await db`select from ${db(table)} where account_id = ${accountId} limit 1`;
    if (present) return;
    await add(table, columns);
    if (keys.some((key) => key.table === table && key.target === table)) await add(table, columns);
  }

  async function add(table: string, columns: Table["columns"]): Promise<void> {
    const row: Record<string, unknown> = { account_id: accountId };
    for (const { column, target, targetColumn } of keys.filter((key) => key.table === table)) {
      if (target !== table) await fill(target);
      const [found] = await db`
        select ${db(targetColumn)} as value from ${db(target)} where account_id = ${accountId} limit 1`;
      if (found) row[column] = found["value"];
    }
    for (const [, ...others] of await alternatives(db, table))
      for (const column of others) delete row[column];
    for (const [name, { choice, needed, type }] of columns)
      if (needed && !Object.hasOwn(row, name)) row[name] = choice ?? valueOf(type);
    await db`insert into ${db(table)} ${insertion(row as never)}`;
  }

  // An account that moves takes no other rows.
  for (const table of tables.keys()) if (table !== "account_moves") await fill(table);
}

/** The columns of which a constraint permits at most one to be set. */
async function alternatives(db: Db, table: string): Promise<string[][]> {
  const found = await db<{ columns: string[] }[]>`
    select array(select attname::text from pg_attribute
      where attrelid = conrelid and attnum = any(conkey) order by attnum) as columns
    from pg_constraint
    where conrelid = ${table}::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ 'num_nonnulls\\(.*\\) <?= 1'`;
  return found.map(({ columns }) => columns);
}

/** The tables of the database, as its catalog describes them. */
export async function tablesOf(db: Db): Promise<ReadonlyMap<string, Table>> {
  const found = await db<(Column & { table: string; isPartitioned: boolean; column: string })[]>`
    select c.relname as table, c.relkind = 'p' as "isPartitioned", a.attname as column,
      a.atttypid::regtype::text as type, a.attnotnull and not a.atthasdef as needed,
      (select substring(pg_get_constraintdef(k.oid) from $$'([^']+)'::text$$) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        order by k.conname limit 1) as choice
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1, a.attnum`;
  return new Map(
    [...Map.groupBy(found, ({ table }) => table)].map(([table, all]) => [
      table,
      {
        isOwned: all.some(({ column }) => column === "account_id"),
        isPartitioned: all[0]?.isPartitioned ?? false,
        columns: new Map(all.map(({ column, ...rest }) => [column, rest])),
      },
    ]),
  );
}

/** Keys to other tables of the account. */
const foreignKeys = (db: Db) => db<ForeignKey[]>`
  select k.conrelid::regclass::text as table, own.attname as column,
    k.confrelid::regclass::text as target, theirs.attname as "targetColumn"
  from pg_constraint k
  cross join unnest(k.conkey, k.confkey) as pair (own, theirs)
  join pg_attribute own on own.attrelid = k.conrelid and own.attnum = pair.own
  join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attnum = pair.theirs
  where k.contype = 'f' and own.attname <> 'account_id'`;

/** Some value of a type of PostgreSQL. */
export function valueOf(type: string): unknown {
  if (type.endsWith("[]")) return "{}";
  if (type.startsWith("timestamp")) return new Date().toISOString();
  if (type === "date") return "2026-01-01";
  if (type === "uuid") return newId();
  if (type === "jsonb") return "{}";
  if (/int|numeric|double/.test(type)) return 1;
  if (type === "boolean") return false;
  if (type === "bytea") return Buffer.from("x");
  return newId();
}
