import { forgetLogins } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { deleteWebhooksOf } from "../../events/delete-webhooks.ts";
import { type Db, inTransaction, onCommit, type Tx } from "../../store/db.ts";
import { withoutJournal } from "../../store/journal.ts";
import { type AccountRow, lockAccount } from "./account-status.ts";

/** The number of deleted rows by type. */
export type Deleted = Readonly<Record<string, number>>;

/** Deletes an account with everything in it, in one transaction. */
export const deleteAccount = (db: Db, { id }: AccountRow): Promise<Deleted> =>
  inTransaction(db, id, (tx) => deleteRows(tx, id));

/** Only a closed account can be deleted. It has no logged-in people and no writes. */
export function assertInactive({ alias, "church-name": name, status }: AccountRow): void {
  if (status === "inactive") return;
  throw fail(
    "conflict",
    `${name} is active. Only a closed account is deleted: npx vestry accounts deactivate --alias ${alias}`,
  );
}

async function deleteRows(tx: Tx, accountId: string): Promise<Deleted> {
  await tx`set local statement_timeout = 0`;
  // Wait for transactions that are writing to the account. Later ones find no account.
  assertInactive(await lockAccount(tx, accountId, "update"));
  // PostgreSQL checks each foreign key to people once for each person, so its plan must use the index, whatever the
  // statistics say.
  await tx`set local plan_cache_mode = force_generic_plan`;
  await tx`set local enable_seqscan = off`;

  await withoutJournal(tx);

  const deleted: Record<string, number> = {};
  for (const table of await tablesOfAccounts(tx)) {
    const { count } = await tx`delete from ${tx(table)} where account_id = ${accountId}`;
    deleted[table.replaceAll("_", "-")] = count;
  }
  Object.assign(deleted, await deleteWebhooksOf(tx, accountId));
  await tx`delete from accounts where id = ${accountId}`;
  forgetAtHome(tx, accountId);
  return deleted;
}

/** If it fails, the job that repairs the directory does it. */
function forgetAtHome(tx: Tx, accountId: string): void {
  const { home } = tx;
  const forget = async (db: Db) => {
    await forgetLogins(db, accountId);
    await db`delete from account_homes where account_id = ${accountId}`;
  };
  if (home) onCommit(tx, () => forget(home).catch(() => undefined));
}

/**
 * The tables with rows of accounts, each before those it refers to. A cascade would search for the same rows again for
 * each person. Tables without foreign keys come last: a transaction that changes a log-in has locked its person first.
 */
async function tablesOfAccounts(tx: Tx): Promise<string[]> {
  const tables = await tx<{ name: string; refersTo: string[] }[]>`
    select relation.relname as name, array(
      select target.relname::text from pg_constraint key join pg_class target on target.oid = key.confrelid
      where key.conrelid = relation.oid and key.contype = 'f' and key.confrelid <> key.conrelid
    ) as "refersTo"
    from pg_class relation
    join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attname = 'account_id'
    where relation.relnamespace = current_schema()::regnamespace
      and relation.relkind in ('r', 'p') and not relation.relispartition
      -- Webhooks have a lock order of their own.
      and relation.relname not like 'webhook%'
    order by relation.relname`;
  const ordered: string[] = [];
  let left = tables.filter(({ refersTo }) => refersTo.length > 0);
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ refersTo }) => refersTo));
    const next = left.filter(({ name }) => !needed.has(name));
    if (next.length === 0) throw new Error("Tables of accounts refer to each other in a circle.");
    ordered.push(...next.map(({ name }) => name));
    left = left.filter((table) => !next.includes(table));
  }
  return [
    ...ordered,
    ...tables.flatMap(({ name, refersTo }) => (refersTo.length > 0 ? [] : [name])),
  ];
}
