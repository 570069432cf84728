import type { Queryable } from "./queryable.ts";

/** A table with rows of accounts. */
export interface AccountTable {
  name: string;
  /** The column with the id of the account. */
  owner: "account_id" | "id";
  /** Without generated ones, as statements name them. */
  columns: readonly { name: string; type: string }[];
  /** The columns of the primary key. */
  key: readonly string[];
  /** The tables of its foreign keys. */
  refersTo: readonly string[];
}

/** All tables with rows of accounts, each after those that it refers to. */
export async function accountTables(db: Queryable): Promise<AccountTable[]> {
  const tables = await db<AccountTable[]>`
    select relation.relname as name, attribute.attname as owner,
      (select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod)) order by attname)
        from pg_attribute
        where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select json_agg(quote_ident(attname) order by attname)
        from pg_index key join pg_attribute on attrelid = key.indrelid and attnum = any(key.indkey)
        where key.indrelid = relation.oid and key.indisprimary) as key,
      array(select distinct target.relname::text
        from pg_constraint key join pg_class target on target.oid = key.confrelid
        where key.conrelid = relation.oid and key.contype = 'f' and key.confrelid <> key.conrelid) as "refersTo"
    from pg_class relation
    join pg_attribute attribute on attribute.attrelid = relation.oid
      and attribute.attname = case when relation.relname = 'accounts' then 'id' else 'account_id' end
    where relation.relnamespace = current_schema()::regnamespace
      and relation.relkind in ('r', 'p') and not relation.relispartition
    order by relation.relname`;
  const ordered: AccountTable[] = [];
  let left: AccountTable[] = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const next = left.filter(({ refersTo }) => !refersTo.some((name) => names.has(name)));
    if (next.length === 0) throw new Error("Tables of accounts refer to each other in a circle.");
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}
