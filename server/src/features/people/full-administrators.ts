import { lockAccount } from "../../access/locks.ts";
import { fail } from "../../base/errors.ts";
import type { Tx } from "../../store/db.ts";

/**
 * Throws if the last active full administrator would be lost. Writes that take this status away hold the account. If two demote
 * each other at once, the second waits and is rejected.
 */
export async function assertAnotherFullAdministrator(
  tx: Tx,
  accountId: string,
  leaving: string,
): Promise<void> {
  await lockAccount(tx, accountId);
  assertOneRemains(await fullAdministrators(tx, accountId), [leaving]);
}

/** Returns the ids of the active full administrators. The account must be locked. */
export async function fullAdministrators(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from people
    where account_id = ${accountId} and administrative_status = 'full-administrator' and is_active`;
  return rows.map(({ id }) => id);
}

export function assertOneRemains(
  administrators: readonly string[],
  leaving: readonly string[],
): void {
  if (administrators.length > 0 && administrators.every((id) => leaving.includes(id)))
    throw fail("last-full-administrator", "One active full administrator must remain.");
}
