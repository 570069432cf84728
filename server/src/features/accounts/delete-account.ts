import { forgetLogins } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { deleteWebhooksOf } from "../../events/delete-webhooks.ts";
import { accountTables } from "../../store/account-tables.ts";
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
  // Wait for transactions that are writing to the account. Later ones find no account.
  assertInactive(await lockAccount(tx, accountId, "update"));
  const deleted = await emptyAccount(tx, accountId);
  forgetAtHome(tx, accountId);
  return deleted;
}

/** Deletes the rows of an account in all tables except these. */
export async function emptyAccount(
  tx: Tx,
  accountId: string,
  kept: readonly string[] = [],
): Promise<Deleted> {
  await tx`set local statement_timeout = 0`;
  // PostgreSQL checks each foreign key to people once for each person, so its plan must use the index, whatever the
  // statistics say.
  await tx`set local plan_cache_mode = force_generic_plan`;
  await tx`set local enable_seqscan = off`;

  await withoutJournal(tx);

  const deleted: Record<string, number> = {};
  for (const table of await tablesToEmpty(tx)) {
    if (kept.includes(table)) continue;
    const { count } = await tx`delete from ${tx(table)} where account_id = ${accountId}`;
    deleted[table.replaceAll("_", "-")] = count;
  }
  Object.assign(deleted, await deleteWebhooksOf(tx, accountId));
  await tx`delete from accounts where id = ${accountId}`;
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
 * each person. Tables without foreign keys come last: a transaction that changes a log-in has locked its person first. Webhooks
 * have a lock order of their own.
 */
async function tablesToEmpty(tx: Tx): Promise<string[]> {
  const tables = (await accountTables(tx))
    .filter(({ name }) => name !== "accounts" && !name.startsWith("webhook_"))
    .reverse();
  const alone = tables.filter(({ refersTo }) => refersTo.length === 0);
  return [...tables.filter((table) => !alone.includes(table)), ...alone].map(({ name }) => name);
}
