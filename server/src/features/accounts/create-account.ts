import { json } from "../../store/sql.ts";
import type { Tx } from "../../store/db.ts";

export interface NewAccount {
  id: string;
  alias: string;
  churchName: string;
  settings?: Record<string, unknown>;
}

/** Creates an account. The caller adds the first administrator and the preset roles in the same transaction. */
export async function createAccount(
  tx: Tx,
  { id, alias, churchName, settings }: NewAccount,
): Promise<void> {
  await tx`
    insert into accounts (id, alias, church_name, settings)
    values (${id}, ${alias}, ${churchName}, ${json((settings ?? {}) as never)})`;
}

export const ALIAS = /^[a-z0-9](-?[a-z0-9]){2,39}$/;
