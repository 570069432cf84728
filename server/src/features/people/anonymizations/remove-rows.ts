import type { WriteContext } from "../../../jsonapi/definition/resource.ts";

/**
 * Removes what the foreign keys would remove together with the person. The columns that manifests keep are left out, so a new
 * table that names people is emptied unless its feature says otherwise.
 */
export async function removeRowsOf(
  { actor, catalogue, db }: WriteContext,
  personId: string,
): Promise<void> {
  const { accountId } = actor;
  const keys = await db<{ table: string; column: string; isDeleted: boolean }[]>`
    select key.conrelid::regclass::text as table, own.attname as column, key.confdeltype = 'c' as "isDeleted"
    from pg_constraint key
    join pg_attribute own on own.attrelid = key.conrelid and own.attnum = key.conkey[2]
    where key.contype = 'f' and key.confrelid = 'people'::regclass
    order by key.conrelid, own.attname`;
  for (const { column, isDeleted, table } of keys) {
    if (catalogue.keptColumns.has(`${table}.${column}`)) continue;
    const rows = db`where account_id = ${accountId} and ${db(column)} = ${personId}`;
    await (isDeleted
      ? db`delete from ${db(table)} ${rows}`
      : db`update ${db(table)} set ${db(column)} = null ${rows}`);
  }
}
