import { accountTables } from "../../src/store/account-tables.ts";
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
  const tables = (await accountTables(db)).filter(
    ({ name }) => name !== "accounts" && !isHistory(name) && !notCopied.has(name),
  );
  await db.begin(undefined, async (tx) => {
    await tx`
      insert into accounts (id, alias, church_name, settings, custom_properties)
      select made.id, 'copy-' || right(made.id::text, 12) || place, church_name, settings, custom_properties
      from accounts cross join unnest(${[...accounts]}::uuid[]) with ordinality as made (id, place)
      where accounts.id = ${from}`;
    for (const table of tables) {
      const columns = table.columns.map(({ name }) => name).filter((name) => name !== "account_id");
      const names = columns.map((name) => `, ${name}`).join("");
      const values = columns.map((name) => `, old.${name}`).join("");
      await tx.query(
        `insert into ${table.name} (account_id${names}) select made.id${values} from ${table.name} old` +
          ` cross join unnest($1::uuid[]) as made (id) where old.account_id = $2`,
        [accounts, from],
      );
    }
  });
  const home = db.home ?? db;
  await home`
    insert into account_homes (account_id, alias, server)
    select id, 'copy-' || id, ${db.server} from unnest(${[...accounts]}::uuid[]) as made (id)`;
}
