import { json } from "../../store/sql.ts";
import { fail } from "../../base/errors.ts";
import { type Db, HOME, inGlobalTransaction, type Queryable, type Tx } from "../../store/db.ts";

export interface NewAccount {
  id: string;
  alias: string;
  churchName: string;
  settings?: Record<string, unknown>;
}

/**
 * Creates an account. The caller adds the first administrator and the preset roles in the same transaction. For another server
 * than the home, the alias has been reserved there.
 */
export async function createAccount(
  tx: Tx,
  { id, alias, churchName, settings }: NewAccount,
): Promise<void> {
  if (tx.home === undefined) await reserveAlias(tx, { id, alias, server: HOME });
  await tx`
    insert into accounts (id, alias, church_name, settings)
    values (${id}, ${alias}, ${churchName}, ${json((settings ?? {}) as never)})`;
}

/** Lists the account at home, or throws if the alias is taken on any server. */
export async function reserveAlias(
  db: Queryable,
  { alias, id, server }: { alias: string; id: string; server: number },
): Promise<void> {
  const { count } = await db`
    insert into account_homes (account_id, alias, server) values (${id}, ${alias}, ${server})
    on conflict (alias) do nothing`;
  if (count === 0) throw fail("already-exists", `An account has the alias ${alias}.`);
}

/**
 * Creates an account on a server. On another one than the home, its alias is reserved at home in a transaction that commits
 * after that of the account: others who want the alias wait for it. If the node dies between the two commits, the account is
 * there and not listed, until the job that repairs the directory has run.
 */
export async function createAccountOn<T>(
  db: Db,
  { alias, id, server }: { alias: string; id: string; server: number },
  create: (server: Db) => Promise<T>,
): Promise<T> {
  const at = db.servers[server - HOME];
  if (!at) throw fail("not-found", `There is no server ${server}.`);
  if (server === HOME) return create(at);
  return inGlobalTransaction(db, async (home) => {
    // A seeded account takes minutes.
    await home`set local idle_in_transaction_session_timeout = 0`;
    await reserveAlias(home, { id, alias, server });
    return create(at);
  });
}

export const ALIAS = /^[a-z0-9](-?[a-z0-9]){2,39}$/;
