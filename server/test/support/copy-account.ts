import type { Db } from "../../src/store/db.ts";

/** Tables of history, which a copy without endpoints does not have. */
const isHistory = (table: string): boolean => table.startsWith("webhook_");

const notCopied = new Set(["access_tokens", "account_homes", "logins"]);

/**
 * Copies the rows of an account to new accounts. The account is part of every key, so the copies have the same ids. Tokens are not
 * copied, because they contain the account.
 */
export async function copyAccount(
  db: Db,
  from: string,
  accounts: readonly string[],
): Promise<void> {
  const tables = await db<{ table: string; columns: string[]; targets: string[] }[]>`
    select c.relname as table,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname <> 'account_id') as columns,
      array(select distinct k.confrelid::regclass::text from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as targets
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')`;
  const copied = new Set(["accounts", "integrations"]);
  await db.begin(undefined, async (tx) => {
    await tx`
      insert into accounts (id, alias, church_name, settings, custom_properties)
      select made.id, 'copy-' || right(made.id::text, 12) || place, church_name, settings, custom_properties
      from accounts cross join unnest(${[...accounts]}::uuid[]) with ordinality as made (id, place)
      where accounts.id = ${from}`;
    let left = tables.filter(({ table }) => !isHistory(table) && !notCopied.has(table));
    while (left.length > 0) {
      const next = left.filter(({ targets }) =>
        targets.every((target) => copied.has(target) || isHistory(target)),
      );
      if (next.length === 0) throw new Error("The foreign keys form a circle.");
      for (const { columns, table } of next) {
        const names = columns.map((name) => `, "${name}"`).join("");
        const values = columns.map((name) => `, old."${name}"`).join("");
        await tx.query(
          `insert into ${table} (account_id${names}) select made.id${values} from ${table} old` +
            ` cross join unnest($1::uuid[]) as made (id) where old.account_id = $2`,
          [accounts, from],
        );
        copied.add(table);
      }
      left = left.filter(({ table }) => !copied.has(table));
    }
  });
  const home = db.home ?? db;
  await home`
    insert into account_homes (account_id, alias, server)
    select id, 'copy-' || id, ${db.server} from unnest(${[...accounts]}::uuid[]) as made (id)`;
}
